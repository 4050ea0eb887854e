// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Selects the picked photos of bursts.
class BurstSelectionRequest: ChangeOperation {
  fileprivate let identifiers: [LocalIdentifier]

  init(_ identifiers: [LocalIdentifier]) { self.identifiers = identifiers }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    _ = try pick(in: commit)
  }

  /// Returns the photos that are not picked.
  fileprivate func pick(in commit: ChangeTransaction) throws(LibraryError) -> [Int64] {
    var rows: [Int64] = []
    for identifier in identifiers {
      try commit.willChange(identifier)
      guard let asset = try commit.asset(identifier), asset.state == .present else {
        throw .noObject("\(identifier)")
      }
      guard asset.isOwn else { throw .unchangeableAsset("\(identifier)") }
      let burst = try commit.database.first(
        "SELECT 1 FROM asset WHERE id = ? AND burstIdentifier IS NOT NULL", [.integer(asset.row)]
      ) { _ in true }
      guard burst == true else {
        throw LibraryError(
          .requestNotSupportedForAsset, "the asset is not part of a burst",
          identifiers: ["\(identifier)"])
      }
      rows.append(asset.row)
    }
    return try commit.pick(rows)
  }
}

/// Selects the picked photos of bursts, and moves the others to the trash.
final class BurstReductionRequest: BurstSelectionRequest, DestructiveOperation {
  private let others: [LocalIdentifier]

  /// - Parameter others: The photos to move to the trash.
  init(_ identifiers: [LocalIdentifier], others: [LocalIdentifier]) {
    self.others = others
    super.init(identifiers)
  }

  func describe(in deletion: inout PendingDeletion) {
    deletion.trashedAssets += others.map(\.description)
  }

  override func apply(to commit: ChangeTransaction) throws(LibraryError) {
    let unpicked = Set(try pick(in: commit))
    for identifier in others {
      try commit.willDelete(identifier)
      // A photo that was picked or deleted in the meantime stays as it is.
      guard let asset = try commit.asset(identifier), asset.state == .present,
        unpicked.contains(asset.row)
      else { continue }
      try commit.trash(asset.row)
    }
  }
}

extension ChangeContext {
  /// Picks photos of bursts; the other photos of these bursts are no longer picked.
  ///
  /// Default fetches contain all picked photos and the one that represents the burst, which is one
  /// of them. Not in PhotoKit.
  public func pick(_ assets: some Sequence<Asset>) throws(LibraryError) {
    try add(BurstSelectionRequest(LocalIdentifier.assets(assets)))
  }

  /// Picks photos of bursts and moves other photos of these bursts to the trash.
  ///
  /// - Parameter others: The photos to move to the trash.
  public func pick(
    _ assets: some Sequence<Asset>, deleting others: some Sequence<Asset>
  ) throws(LibraryError) {
    try add(
      BurstReductionRequest(LocalIdentifier.assets(assets), others: LocalIdentifier.assets(others)))
  }
}
