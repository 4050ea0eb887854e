// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A condition that objects of one type must meet to be fetched.
///
/// A predicate is built from the keys of the type, so that unknown keys and invalid values do not
/// compile:
///
///     AssetKey.mediaType == .image && AssetKey.creationDate > date
///       && !(AssetKey.isFavorite == true)
///
/// or parsed from a format string (see `init(format:_:)`). It is evaluated by the database, or in
/// memory with `evaluate(with:)`, with the same result. As in SQL, a comparison with a missing
/// value is neither true nor false: a photo without a date does not match `creationDate != date`
/// either. Use `isNil` for missing values. Strings are compared by their UTF-8 bytes;
/// `ignoringCase` applies to A to Z only.
public struct FetchPredicate<Object: FetchedObject>: Sendable, Hashable {
  let node: PredicateNode

  init(_ node: PredicateNode) { self.node = node }

  /// Creates a predicate that matches everything or nothing.
  public init(always value: Bool) { node = .constant(value) }

  /// Returns whether an object meets the condition.
  public func evaluate(with object: Object) -> Bool {
    node.evaluate(object, Object.source) == true
  }

  /// Matches if both conditions match.
  public static func && (first: Self, second: Self) -> Self { Self(first.node && second.node) }

  /// Matches if at least one condition matches.
  public static func || (first: Self, second: Self) -> Self { Self(first.node || second.node) }

  /// Matches if the condition does not match.
  public static prefix func ! (predicate: Self) -> Self { Self(.not(predicate.node)) }
}

extension FetchPredicate: CustomStringConvertible {
  /// The format string from which `init(format:_:)` creates the same predicate.
  public var description: String { node.format }
}

extension FetchKey {
  /// Returns a comparison; one with NaN matches only for `!=`.
  private func compare(
    _ comparison: PredicateNode.Comparison, _ value: Value, folding: TextFolding = .exact
  ) -> FetchPredicate<Object> {
    guard let value = value.fetchArgument.sqlValue else {
      return FetchPredicate(always: comparison == .notEqual)
    }
    return FetchPredicate(.compare(column, comparison, value, folding: folding))
  }

  /// Matches an equal value.
  public static func == (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.equal, value)
  }

  /// Matches a different value.
  public static func != (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.notEqual, value)
  }

  /// Matches a missing value.
  public var isNil: FetchPredicate<Object> { FetchPredicate(.isNull(column, true)) }

  /// Matches any existing value.
  public var isNotNil: FetchPredicate<Object> { FetchPredicate(.isNull(column, false)) }

  /// Matches any of the values.
  public func isIn(_ values: some Sequence<Value>) -> FetchPredicate<Object> {
    FetchPredicate(.among(column, values.compactMap(\.fetchArgument.sqlValue)))
  }
}

extension FetchKey where Value: OrderedFetchValue {
  /// Matches a smaller value.
  public static func < (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.less, value)
  }

  /// Matches a smaller or equal value.
  public static func <= (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.lessOrEqual, value)
  }

  /// Matches a greater value.
  public static func > (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.greater, value)
  }

  /// Matches a greater or equal value.
  public static func >= (key: Self, value: Value) -> FetchPredicate<Object> {
    key.compare(.greaterOrEqual, value)
  }

  /// Matches a value in a range, including its bounds.
  public func isBetween(_ range: ClosedRange<Value>) -> FetchPredicate<Object> {
    guard let low = range.lowerBound.fetchArgument.sqlValue,
      let high = range.upperBound.fetchArgument.sqlValue
    else { return FetchPredicate(always: false) }
    return FetchPredicate(.between(column, low, high))
  }

  /// Matches a value smaller than that of another key.
  public static func < (key: Self, other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(key.column, .less, other.column))
  }

  /// Matches a value greater than that of another key.
  public static func > (key: Self, other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(key.column, .greater, other.column))
  }

  /// Matches a value equal to that of another key.
  public func equals(_ other: Self) -> FetchPredicate<Object> {
    FetchPredicate(.compareColumns(column, .equal, other.column))
  }
}

extension FetchKey where Value == String {
  private func matching(
    _ test: PredicateNode.TextTest, _ text: String, _ ignoringCase: Bool
  ) -> FetchPredicate<Object> {
    FetchPredicate(.text(column, test, text, folding: ignoringCase ? .ignoringCase : .exact))
  }

  /// Matches a string that is equal to the given one.
  public func equals(_ text: String, ignoringCase: Bool) -> FetchPredicate<Object> {
    compare(.equal, text, folding: ignoringCase ? .ignoringCase : .exact)
  }

  /// Matches a string that contains the given one.
  public func contains(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    matching(.contains, text, ignoringCase)
  }

  /// Matches a string that begins with the given one.
  public func beginsWith(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    matching(.beginsWith, text, ignoringCase)
  }

  /// Matches a string that ends with the given one.
  public func endsWith(_ text: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    matching(.endsWith, text, ignoringCase)
  }

  /// Matches a pattern: `*` is any text, `?` any character, and a backslash escapes either.
  public func isLike(_ pattern: String, ignoringCase: Bool = false) -> FetchPredicate<Object> {
    matching(.like, pattern, ignoringCase)
  }
}

extension FetchKey where Value == MediaSubtype {
  /// Matches a value that contains all of these subtypes.
  public func contains(_ subtypes: MediaSubtype) -> FetchPredicate<Object> {
    let bits = Int64(subtypes.rawValue)
    return FetchPredicate(.masked(column, mask: bits, isEqual: true, value: bits))
  }

  /// Matches a value that contains at least one of these subtypes.
  public func intersects(_ subtypes: MediaSubtype) -> FetchPredicate<Object> {
    FetchPredicate(.masked(column, mask: Int64(subtypes.rawValue), isEqual: false, value: 0))
  }
}

extension FetchKey where Value == FetchIdentifier {
  /// Matches this object.
  public static func == (key: Self, object: Object) -> FetchPredicate<Object> {
    key == FetchIdentifier(object)
  }

  /// Matches any other object.
  public static func != (key: Self, object: Object) -> FetchPredicate<Object> {
    key != FetchIdentifier(object)
  }

  /// Matches the object with this identifier.
  public static func == (key: Self, localIdentifier: String) -> FetchPredicate<Object> {
    key == FetchIdentifier(localIdentifier)
  }

  /// Matches any of these objects.
  public func isIn(_ objects: some Sequence<Object>) -> FetchPredicate<Object> {
    isIn(objects.map { FetchIdentifier($0) })
  }
}
