// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite

/// Moves the albums of duplicates, and what only their properties say, to the asset that is kept, and
/// the duplicates to the trash.
final class DuplicateMergeRequest: DestructiveOperation {
  private let keeper: LocalIdentifier
  private let duplicates: [LocalIdentifier]

  init(_ keeper: LocalIdentifier, _ duplicates: [LocalIdentifier]) {
    (self.keeper, self.duplicates) = (keeper, duplicates)
  }

  func describe(in deletion: inout PendingDeletion) {
    deletion.trashedAssets += duplicates.map(\.description)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(keeper)
    let row = try own(keeper, in: commit)
    var others: [Int64] = []
    for duplicate in duplicates {
      try commit.willDelete(duplicate)
      others.append(try own(duplicate, in: commit))
    }
    guard let before = try commit.database.properties(of: row) else { throw .lostRow(row) }
    var kept = before
    for other in others {
      guard let duplicate = try commit.database.properties(of: other) else {
        throw .lostRow(other)
      }
      kept.merge(duplicate)
      try commit.add(row, toAlbumsOf: other)
    }
    kept.keywords = TextList(try KeywordList.column(kept.keywords)).items
    kept.people = TextList(try PeopleList.column(kept.people)).items
    let merged = PhotoProperties.stated.filter { $0.values(kept) != $0.values(before) }
    if !merged.isEmpty {
      try commit.touchAsset(row)
      let located = try commit.locatedPlace(of: row)
      try commit.database.store(merged, of: kept, row: row)
      try commit.updatePlace(of: row, from: located)
      try commit.note(merged.reduce(into: []) { $0.formUnion($1.field) }, setIn: row)
    }
    for other in others { try commit.trash(other) }
    try commit.resolveBursts(of: others, restored: [])
  }

  private func own(
    _ identifier: LocalIdentifier, in commit: ChangeTransaction
  ) throws(LibraryError) -> Int64 {
    guard let asset = try commit.asset(identifier), asset.state == .present else {
      throw .noObject("\(identifier)")
    }
    guard asset.isOwn else { throw .unchangeableAsset("\(identifier)") }
    return asset.row
  }
}

extension PhotoProperties {
  /// Adds what a duplicate says; returns the properties of which it has other values, which are
  /// given up.
  @discardableResult
  mutating func merge(_ duplicate: PhotoProperties) -> [PhotoProperty] {
    // The offset belongs to the date.
    if creationDate == nil { utcOffset = duplicate.utcOffset }
    return Self.stated.filter { !$0.merge(duplicate, into: &self) }
  }
}

extension DuplicateSearch.Group {
  /// A value of a duplicate that a merge gives up, because the asset that is kept has another one.
  package struct Conflict: Sendable, Hashable {
    /// The name of the property in reports.
    package let property: String
    /// The value that is kept.
    package let kept: JSONValue
    /// The value that is given up.
    package let lost: JSONValue
    /// The duplicate with the value that is given up.
    package let duplicate: Asset
  }

  /// The values that a merge gives up.
  package var conflicts: [Conflict] {
    var kept = keeper.properties
    return duplicates.flatMap { duplicate in
      kept.merge(duplicate.properties).map { property in
        Conflict(
          property: property.name, kept: property.json(kept),
          lost: property.json(duplicate.properties), duplicate: duplicate)
      }
    }
  }
}

extension ChangeContext {
  /// Merges duplicates into the asset that is kept.
  ///
  /// It gets their keywords and people, every property that it lacks from the first that has it, and
  /// their places in albums. Of two different values, such as titles, it keeps its own. The
  /// duplicates are moved to the trash, from which they can be restored. Not in PhotoKit.
  public func merge(
    _ duplicates: some Sequence<Asset>, into keeper: Asset
  ) throws(LibraryError) {
    let names = try LocalIdentifier.assets([keeper])
    for name in names {
      try add(DuplicateMergeRequest(name, LocalIdentifier.assets(duplicates)))
    }
  }
}
