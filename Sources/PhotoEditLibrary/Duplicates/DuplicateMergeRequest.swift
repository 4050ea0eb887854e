// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Moves the albums, keywords, people and favorite flag of duplicates to the asset that is kept, and
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
    var kept = try properties(row, in: commit)
    let before = kept
    for other in others {
      let properties = try properties(other, in: commit)
      kept.keywords += properties.keywords
      kept.people += properties.people
      kept.isFavorite = kept.isFavorite || properties.isFavorite
      try commit.add(row, toAlbumsOf: other)
    }
    kept.keywords = TextList(try KeywordList.column(kept.keywords)).items
    kept.people = TextList(try PeopleList.column(kept.people)).items
    if kept != before {
      try commit.touchAsset(row)
      let fields: AssetFields = [.keywords, .people, .favorite]
      try commit.database.run(
        """
        UPDATE asset SET keywords = ?, people = ?, isFavorite = ?, modificationDate = ?,
          userFields = coalesce(userFields, 0) | ?
        WHERE id = ?
        """,
        [
          .init(TextList(kept.keywords).text), .init(TextList(kept.people).text),
          .init(kept.isFavorite), .real(commit.date), .init(fields.rawValue), .integer(row),
        ])
    }
    for other in others { try commit.trash(other) }
    try commit.resolveBursts(of: others, restored: [])
  }

  private struct Properties: Hashable {
    var keywords: [String]
    var people: [String]
    var isFavorite: Bool
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

  private func properties(
    _ row: Int64, in commit: ChangeTransaction
  ) throws(LibraryError) -> Properties {
    let found = try commit.database.first(
      "SELECT keywords, people, isFavorite FROM asset WHERE id = ?", [.integer(row)]
    ) {
      Properties(
        keywords: TextList($0.optionalText(0)).items, people: TextList($0.optionalText(1)).items,
        isFavorite: $0.bool(2))
    }
    return found ?? Properties(keywords: [], people: [], isFavorite: false)
  }
}

extension ChangeContext {
  /// Merges duplicates into the asset that is kept.
  ///
  /// It gets their keywords and people, becomes a favorite if one of them is, and joins their albums
  /// at their places. The duplicates are moved to the trash, from which they can be restored. Not
  /// in PhotoKit.
  public func merge(
    _ duplicates: some Sequence<Asset>, into keeper: Asset
  ) throws(LibraryError) {
    let names = try LocalIdentifier.assets([keeper])
    for name in names {
      try add(DuplicateMergeRequest(name, LocalIdentifier.assets(duplicates)))
    }
  }
}
