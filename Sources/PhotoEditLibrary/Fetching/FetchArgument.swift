// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

/// A value that takes the place of a `%` in the text of a predicate.
public enum FetchArgument: Sendable, Hashable {
  /// No value.
  case null
  /// YES or NO.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text; for `%K`, a key.
  case text(String)
  /// A date.
  case date(Date)
  /// Values for IN, or the two of BETWEEN.
  case list([FetchArgument])

  /// What the key's typed value is in the text of a predicate.
  public init(_ value: some FetchValue) { self = value.fetchArgument }
}

extension FetchArgument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByNilLiteral
{
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// YES or NO.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A list.
  public init(arrayLiteral elements: FetchArgument...) { self = .list(elements) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
}

/// A type of values that keys have.
public protocol FetchValue: Sendable, Hashable {
  /// The value as the text of a predicate has it.
  var fetchArgument: FetchArgument { get }
}

/// A type of values that come one after the other.
public protocol OrderedFetchValue: FetchValue, Comparable {}

extension Date: OrderedFetchValue {
  /// A date.
  public var fetchArgument: FetchArgument { .date(self) }
}

extension Int: OrderedFetchValue {
  /// A whole number.
  public var fetchArgument: FetchArgument { .integer(Int64(self)) }
}

extension Double: OrderedFetchValue {
  /// A number.
  public var fetchArgument: FetchArgument { .real(self) }
}

extension String: OrderedFetchValue {
  /// A text.
  public var fetchArgument: FetchArgument { .text(self) }
}

extension Bool: FetchValue {
  /// YES or NO.
  public var fetchArgument: FetchArgument { .bool(self) }
}

extension MediaType: FetchValue {
  /// Its number.
  public var fetchArgument: FetchArgument { .integer(Int64(rawValue)) }
}

extension MediaSubtype: FetchValue {
  /// Its bits.
  public var fetchArgument: FetchArgument { .integer(Int64(rawValue)) }
}

/// An object by its name, as a value of `localIdentifier`.
public struct FetchIdentifier: FetchValue, ExpressibleByStringLiteral {
  /// The local identifier.
  public let text: String

  /// Names an object by its local identifier.
  public init(_ localIdentifier: String) { text = localIdentifier }

  /// Names an object.
  public init(_ object: some FetchedObject) { text = object.localIdentifier }

  /// Names an object by its local identifier.
  public init(stringLiteral value: String) { text = value }

  /// A text.
  public var fetchArgument: FetchArgument { .text(text) }
}

extension FetchArgument {
  /// The value as the database has it; nil for lists and for what is not a number.
  var sqlValue: SQLValue? {
    switch self {
    case .null: .null
    case .bool(let value): SQLValue(value)
    case .integer(let value): .integer(value)
    case .real(let value): value.isNaN ? nil : .real(value)
    case .text(let value): .text(value)
    case .date(let value):
      value.timeIntervalSince1970.isNaN ? nil : .real(value.timeIntervalSince1970)
    case .list: nil
    }
  }
}
