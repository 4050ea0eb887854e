// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

/// A value that replaces a `%` placeholder in a predicate format.
public enum FetchArgument: Sendable, Hashable {
  /// No value.
  case null
  /// YES or NO.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A string; for `%K`, a key.
  case text(String)
  /// A date.
  case date(Date)
  /// The values for IN, or the two bounds for BETWEEN.
  case list([FetchArgument])

  /// Creates an argument from a typed value of a key.
  public init(_ value: some FetchValue) { self = value.fetchArgument }

  /// The value as stored in the database; nil for lists and for NaN.
  var sqlValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .bool(let value): DatabaseValue(value)
    case .integer(let value): .integer(value)
    case .real(let value): value.isNaN ? nil : .real(value)
    case .text(let value): .text(value)
    case .date(let value):
      value.timeIntervalSince1970.isNaN ? nil : .real(value.timeIntervalSince1970)
    case .list: nil
    }
  }
}

extension FetchArgument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByNilLiteral
{
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates YES or NO.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a list.
  public init(arrayLiteral elements: FetchArgument...) { self = .list(elements) }
  /// Creates the null value.
  public init(nilLiteral: ()) { self = .null }
}

/// A value that can be given for a `%` placeholder without conversion.
public protocol PredicateArgument: Sendable {
  /// The value as an argument of a predicate format.
  var fetchArgument: FetchArgument { get }
}

extension FetchArgument: PredicateArgument {
  /// The argument itself.
  public var fetchArgument: FetchArgument { self }
}

/// A type of key values.
public protocol FetchValue: PredicateArgument, Hashable {}

/// A type of key values with an order.
public protocol OrderedFetchValue: FetchValue, Comparable {}

extension Date: OrderedFetchValue {
  /// A date.
  public var fetchArgument: FetchArgument { .date(self) }
}

extension Int: OrderedFetchValue {
  /// An integer.
  public var fetchArgument: FetchArgument { .integer(Int64(self)) }
}

extension Double: OrderedFetchValue {
  /// A floating-point number.
  public var fetchArgument: FetchArgument { .real(self) }
}

extension String: OrderedFetchValue {
  /// A string.
  public var fetchArgument: FetchArgument { .text(self) }
}

extension Bool: FetchValue {
  /// YES or NO.
  public var fetchArgument: FetchArgument { .bool(self) }
}

extension MediaType: FetchValue {
  /// The raw value as an integer.
  public var fetchArgument: FetchArgument { .integer(Int64(rawValue)) }
}

extension MediaSubtype: FetchValue {
  /// The raw value as an integer.
  public var fetchArgument: FetchArgument { .integer(Int64(rawValue)) }
}

/// A reference to an object, as a value of `localIdentifier`.
public struct FetchIdentifier: FetchValue, ExpressibleByStringLiteral {
  /// The local identifier.
  public let text: String

  /// Refers to an object by its local identifier.
  public init(_ localIdentifier: String) { text = localIdentifier }

  /// Refers to an object.
  public init(_ object: some FetchedObject) { text = object.localIdentifier }

  /// Refers to an object by its local identifier.
  public init(stringLiteral value: String) { text = value }

  /// A string.
  public var fetchArgument: FetchArgument { .text(text) }
}
