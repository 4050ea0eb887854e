// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A key of several texts, such as keywords; a condition on it matches if one of the texts does.
public struct FetchListKey<Object: FetchedObject>: Sendable, Hashable {
  let column: FetchColumn

  init(_ column: FetchColumn) { self.column = column }

  /// The name in a predicate format.
  public var name: String { column.name }

  private func test(
    _ test: PredicateNode.ListTest, _ text: String, _ ignoresCaseAndAccents: Bool
  ) -> FetchPredicate<Object> {
    FetchPredicate(
      .list(column, test, text, folding: ignoresCaseAndAccents ? .ignoringAccents : .exact))
  }

  /// Matches if one of the texts is equal.
  public static func == (key: Self, text: String) -> FetchPredicate<Object> {
    key.test(.equal, text, false)
  }

  /// Matches if none of the texts is equal.
  public static func != (key: Self, text: String) -> FetchPredicate<Object> {
    !key.test(.equal, text, false)
  }

  /// Matches if one of the texts is equal.
  public func equals(
    _ text: String, ignoringCaseAndAccents: Bool
  ) -> FetchPredicate<Object> {
    test(.equal, text, ignoringCaseAndAccents)
  }

  /// Matches if one of the texts contains the given one.
  public func contains(
    _ text: String, ignoringCaseAndAccents: Bool = false
  ) -> FetchPredicate<Object> {
    test(.contains, text, ignoringCaseAndAccents)
  }

  /// Matches if one of the texts begins with the given one.
  public func beginsWith(
    _ text: String, ignoringCaseAndAccents: Bool = false
  ) -> FetchPredicate<Object> {
    test(.beginsWith, text, ignoringCaseAndAccents)
  }

  /// Matches objects that have at least one text.
  public var isNotEmpty: FetchPredicate<Object> { FetchPredicate(.isNull(column, false)) }
}

extension FetchPredicate where Object == Asset {
  /// Matches assets whose title, caption, filename, keywords, people, place or camera contain all
  /// words, regardless of case and diacritics.
  ///
  /// An asterisk after a word matches any ending: "harbor boat*". Nothing matches a text without
  /// words.
  public static func words(_ text: String) -> Self { Self(.words(.text, text)) }

  /// Matches assets taken in an area; it crosses the antimeridian if `west` is greater than `east`.
  public static func location(
    inBox south: Double, west: Double, north: Double, east: Double
  ) -> Self {
    guard [south, west, north, east].allSatisfy(\.isFinite) else { return Self(always: false) }
    return Self(.box(south: south, west: west, north: north, east: east))
  }

  /// Matches assets taken on one of these days, each on the calendar at the place of capture.
  public static func days(_ days: ClosedRange<CalendarDay>) -> Self {
    Self(
      .between(
        .day, .init(days.lowerBound.number), .init(days.upperBound.number)))
  }
}
