// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A condition that objects of one type must meet to be fetched.
///
/// It is built from the keys of the type, so that a key that there is not, or a value that cannot be,
/// does not compile:
///
///     AssetKey.mediaType == .image && AssetKey.creationDate > date && !(AssetKey.isFavorite == true)
///
/// or read from text (see `init(format:_:)`). It runs in the database, and on objects in memory with
/// `evaluate(with:)`; the answer is the same. A comparison with a value that is not there is neither
/// true nor false, as in SQL: an undated photo has no `creationDate != date` either. Ask with
/// `isNil`. Texts are compared by their bytes in UTF-8; `ignoringCase` is for A to Z alone.
public struct FetchPredicate<Object: FetchedObject>: Sendable, Hashable {
  let node: PredicateNode

  init(_ node: PredicateNode) { self.node = node }

  /// Matches everything, or nothing.
  public init(always value: Bool) { node = .constant(value) }

  /// Whether an object meets the condition.
  public func evaluate(with object: Object) -> Bool {
    node.evaluate(object, Object.source) == true
  }

  /// Both conditions.
  public static func && (first: Self, second: Self) -> Self { Self(first.node && second.node) }

  /// One of the conditions or both.
  public static func || (first: Self, second: Self) -> Self { Self(first.node || second.node) }

  /// Not the condition.
  public static prefix func ! (predicate: Self) -> Self { Self(.not(predicate.node)) }
}

extension FetchPredicate: CustomStringConvertible {
  /// The text from which `init(format:_:)` makes the same predicate.
  public var description: String { node.format }
}

extension FetchKey {
  /// A comparison; one with what is not a number holds for `!=` alone.
  private func compare(
    _ comparison: PredicateNode.Comparison, _ value: Value, ignoringCase: Bool = false
  ) -> FetchPredicate<Object> {
    guard let value = value.fetchArgument.sqlValue else {
      return FetchPredicate(always: comparison == .notEqual)
    }
    return FetchPredicate(.compare(column, comparison, value, ignoringCase: ignoringCase))
  }

  /// The same value.
  public static func == (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.equal, value)
  }

  /// Another value.
  public static func != (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.notEqual, value)
  }

  /// No value.
  public var isNil: FetchPredicate<Object> { FetchPredicate(.isNull(column, true)) }

  /// Some value.
  public var isNotNil: FetchPredicate<Object> { FetchPredicate(.isNull(column, false)) }

  /// One of the values.
  public func isIn(_ values: some Sequence<Value>) -> FetchPredicate<Object> {
    FetchPredicate(.among(column, values.compactMap(\.fetchArgument.sqlValue)))
  }
}

extension FetchKey where Value: OrderedFetchValue {
  /// A smaller value.
  public static func < (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.less, value)
  }

  /// A smaller value or the same.
  public static func <= (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.lessOrEqual, value)
  }

  /// A greater value.
  public static func > (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.greater, value)
  }

  /// A greater value or the same.
  public static func >= (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.greaterOrEqual, value)
  }

  /// A value in a range with its ends.
  public func isBetween(_ range: ClosedRange<Value>) -> FetchPredicate<Object> {
    guard let low = range.lowerBound.fetchArgument.sqlValue,
      let high = range.upperBound.fetchArgument.sqlValue
    else { return FetchPredicate(always: false) }
    return FetchPredicate(.between(column, low, high))
  }

  /// A smaller value than another key's.
  public static func < (key: Self, other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(key.column, .less, other.column))
  }

  /// A greater value than another key's.
  public static func > (key: Self, other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(key.column, .greater, other.column))
  }

  /// The same value as another key's.
  public func equals(_ other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(column, .equal, other.column))
  }
}

extension FetchKey where Value == String {
  /// The text itself.
  public func equals(_ text: String, ignoringCase: Bool) -> FetchPredicate<Object> {
    compare(.equal, text, ignoringCase: ignoringCase)
  }

  /// A text with this in it.
  public func contains(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    FetchPredicate(.text(column, .contains, text, ignoringCase: ignoringCase))
  }

  /// A text that begins with this.
  public func beginsWith(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    FetchPredicate(.text(column, .beginsWith, text, ignoringCase: ignoringCase))
  }

  /// A text that ends with this.
  public func endsWith(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    FetchPredicate(.text(column, .endsWith, text, ignoringCase: ignoringCase))
  }

  /// A text of this form: `*` for any text, `?` for one character, a backslash before either.
  public func isLike(_ pattern: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    FetchPredicate(.text(column, .like, pattern, ignoringCase: ignoringCase))
  }
}

extension FetchKey where Value == MediaSubtype {
  /// All of these bits.
  public func contains(_ subtypes: MediaSubtype) -> FetchPredicate<Object> {
    let bits = Int64(subtypes.rawValue)
    return FetchPredicate(.masked(column, mask: bits, isEqual: true, value: bits))
  }

  /// At least one of these bits.
  public func intersects(_ subtypes: MediaSubtype) -> FetchPredicate<Object> {
    FetchPredicate(.masked(column, mask: Int64(subtypes.rawValue), isEqual: false, value: 0))
  }
}

extension FetchKey where Value == FetchIdentifier {
  /// This object.
  public static func == (key: Self, object: Object) -> FetchPredicate<Object> {
    key == FetchIdentifier(object)
  }

  /// Any other object.
  public static func != (key: Self, object: Object) -> FetchPredicate<Object> {
    key != FetchIdentifier(object)
  }

  /// The object of this name.
  public static func == (key: Self, localIdentifier: String) -> FetchPredicate<Object> {
    key == FetchIdentifier(localIdentifier)
  }

  /// One of these objects.
  public func isIn(_ objects: some Sequence<Object>) -> FetchPredicate<Object> {
    isIn(objects.map { FetchIdentifier($0) })
  }
}
