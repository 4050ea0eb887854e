// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Moves assets to the trash.
final class AssetDeletion: DestructiveOperation {
  private let identifiers: [LocalIdentifier]

  init(_ identifiers: [LocalIdentifier]) { self.identifiers = identifiers }

  func describe(in deletion: inout PendingDeletion) {
    deletion.trashedAssets += identifiers.map(\.description)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    var rows: [Int64] = []
    var missing: [String] = []
    var shared: [String] = []
    for identifier in identifiers where !commit.deletes(identifier) {
      try commit.willDelete(identifier)
      guard let asset = try commit.asset(identifier), asset.state == .present else {
        missing.append("\(identifier)")
        continue
      }
      if asset.isOwn { rows.append(asset.row) } else { shared.append("\(identifier)") }
    }
    // If one asset cannot be deleted, none is.
    guard missing.isEmpty else { throw .noObjects(missing) }
    guard shared.isEmpty else { throw .undeletableAssets(shared) }
    for row in rows { try commit.trash(row) }
    try commit.resolveBursts(of: rows, restored: [])
  }
}

/// Restores assets from the trash, with their previous identifiers and album positions.
final class AssetRestoration: ChangeOperation {
  private let identifiers: [LocalIdentifier]

  init(_ identifiers: [LocalIdentifier]) { self.identifiers = identifiers }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    var rows: [Int64] = []
    var missing: [String] = []
    for identifier in identifiers {
      try commit.willChange(identifier)
      switch try commit.asset(identifier) {
      case let asset? where asset.state == .trashed: rows.append(asset.row)
      case let asset? where asset.state == .present: continue
      default: missing.append("\(identifier)")
      }
    }
    guard missing.isEmpty else { throw .noObjects(missing) }
    var restored: Set<Int64> = []
    for row in rows where restored.insert(row).inserted { try commit.restore(row) }
    try commit.resolveBursts(of: rows, restored: restored)
  }
}

/// Permanently deletes assets in the trash: their files are deleted, and their identifiers are
/// never reused.
final class AssetPurge: DestructiveOperation {
  private let identifiers: [LocalIdentifier]

  init(_ identifiers: [LocalIdentifier]) { self.identifiers = identifiers }

  func describe(in deletion: inout PendingDeletion) {
    deletion.purgedAssets += identifiers.map(\.description)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    var found: [(row: Int64, identifier: LocalIdentifier)] = []
    var missing: [String] = []
    var present: [String] = []
    var named: Set<LocalIdentifier> = []
    for identifier in identifiers where named.insert(identifier).inserted {
      try commit.willDelete(identifier)
      switch try commit.asset(identifier) {
      case let asset? where asset.state == .trashed: found.append((asset.row, identifier))
      case let asset? where asset.state == .present: present.append("\(identifier)")
      default: missing.append("\(identifier)")
      }
    }
    guard missing.isEmpty else { throw .noObjects(missing) }
    guard present.isEmpty else { throw .notInTrash(present) }
    for (row, identifier) in found { try commit.purge(row, identifier) }
  }
}

/// Permanently deletes assets that were trashed before a date and are visible to this program.
final class RetentionPurge: ChangeOperation {
  private let date: Double
  private(set) var count = 0

  init(before date: Double) { self.date = date }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    let expired = try commit.database.all(
      "SELECT id, uuid FROM asset WHERE trashedDate < ? AND state = 1 ORDER BY trashedDate, id",
      [.real(date)]
    ) { ($0.int(0), LocalIdentifier(bytes: $0.blob(1), .asset)) }
    for case (let row, let identifier?) in expired where commit.isVisible(identifier) {
      try commit.willDelete(identifier)
      try commit.purge(row, identifier)
      count += 1
    }
  }
}

extension ChangeContext {
  /// Moves assets to the trash, which removes them from all albums and from all fetches except that
  /// of the trash.
  ///
  /// If one of them represents its burst, the first user-picked photo takes over, otherwise the
  /// first one picked by the camera, otherwise the earliest. If one of the assets cannot be
  /// deleted, none is.
  ///
  /// - Throws: When the change is performed, `requestNotSupportedForAsset` for assets that are
  ///   shared or synced, `identifierNotFound` for assets that no longer exist, `userCancelled`
  ///   without confirmation.
  public func delete(_ assets: some Sequence<Asset>) throws(LibraryError) {
    try add(AssetDeletion(LocalIdentifier.assets(assets)))
  }

  /// Deletes assets, albums and folders by local identifier; see the other overloads.
  ///
  /// - Throws: `changeNotSupported` for a string that is not an identifier of an object.
  public func delete(withLocalIdentifiers names: some Sequence<String>) throws(LibraryError) {
    let names = Array(names)
    let assets = names.filter { LocalIdentifier($0, as: .asset) != nil }
    let collections = try LocalIdentifier.collections(
      names.filter { LocalIdentifier($0, as: .asset) == nil })
    if !assets.isEmpty { try add(AssetDeletion(LocalIdentifier.assets(assets))) }
    if !collections.isEmpty { try add(CollectionDeletion(collections)) }
  }

  /// Restores assets from the trash, with the same identifiers and edits, and at their previous
  /// positions in their albums, if these still exist.
  public func restore(_ assets: some Sequence<Asset>) throws(LibraryError) {
    try add(AssetRestoration(LocalIdentifier.assets(assets)))
  }

  /// Permanently deletes assets in the trash, with all their files.
  ///
  /// Results that were fetched before still contain them, without their properties; their
  /// identifiers are never reused. The history of the library keeps only their identifiers. What
  /// unused parts of the database file contain is overwritten soon, at the latest by
  /// `PhotoLibrary.synchronize()`.
  ///
  /// - Throws: When the change is performed, `changeNotSupported` for assets that are not in the
  ///   trash.
  public func purge(_ assets: some Sequence<Asset>) throws(LibraryError) {
    try add(AssetPurge(LocalIdentifier.assets(assets)))
  }
}
