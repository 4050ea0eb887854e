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
      let isInBurst = try commit.database.has(
        "SELECT 1 FROM asset WHERE id = ? AND burstIdentifier IS NOT NULL", [.integer(asset.row)])
      guard isInBurst else {
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

/// The representatives of bursts.
extension ChangeTransaction {
  /// Ensures that every burst that lost or gained members has exactly one representative.
  ///
  /// The current representative stays. Otherwise, of the members in the library, the new one is a
  /// former representative restored from the trash, else the first user-picked photo, otherwise the
  /// first one picked by the camera, otherwise the earliest.
  ///
  /// - Parameters:
  ///   - rows: The assets that were removed or restored.
  ///   - restored: The restored assets among them.
  func resolveBursts(of rows: [Int64], restored: Set<Int64>) throws(LibraryError) {
    var resolved: Set<String> = []
    for row in rows {
      let burst = try database.first(
        "SELECT burstIdentifier, representsBurst FROM asset WHERE id = ?", [.integer(row)]
      ) { (name: $0.optionalText(0), represents: $0.bool(1)) }
      // Removing a member that is not the representative does not affect the burst.
      guard let burst, let name = burst.name, burst.represents || restored.contains(row),
        resolved.insert(name).inserted
      else { continue }
      try resolve(burst: name, restored: restored)
    }
  }

  /// Returns whether a new asset represents its burst: the first one does until the one with the
  /// representative of its former library or camera is there.
  ///
  /// - Parameter isStated: Whether the asset represented the burst before.
  func represents(_ burst: String, isStated: Bool) throws(LibraryError) -> Bool {
    let current = try database.first(
      """
      SELECT id FROM asset
      WHERE burstIdentifier = ? AND representsBurst = 1 AND state = 0 LIMIT 1
      """, [.text(burst)]
    ) { $0.int(0) }
    guard let current else { return true }
    guard isStated else { return false }
    try touchAsset(current)
    try database.run("UPDATE asset SET representsBurst = 0 WHERE id = ?", [.integer(current)])
    return true
  }

  /// Selects photos of bursts as picked by the user, and the others of these bursts as not picked.
  ///
  /// The representative stays if it is picked; otherwise the earliest picked photo takes over.
  ///
  /// - Returns: The photos that are not picked.
  func pick(_ rows: [Int64]) throws(LibraryError) -> [Int64] {
    let picked = Set(rows)
    var seen: Set<String> = []
    var others: [Int64] = []
    for row in rows {
      let burst = try database.first(
        "SELECT burstIdentifier FROM asset WHERE id = ?", [.integer(row)]
      ) { $0.optionalText(0) }
      guard case let name?? = burst, seen.insert(name).inserted else { continue }
      let members = try database.all(
        """
        SELECT id, representsBurst, burstSelectionTypes FROM asset
        WHERE burstIdentifier = ? AND state = 0 ORDER BY creationDate IS NULL, creationDate, id
        """, [.text(name)]
      ) { (row: $0.int(0), represents: $0.bool(1), selection: $0.int(2)) }
      let chosen =
        members.first { $0.represents && picked.contains($0.row) }
        ?? members.first { picked.contains($0.row) }
      let userPick = Int64(BurstSelection.userPick.rawValue)
      for member in members {
        let isPicked = picked.contains(member.row)
        if !isPicked { others.append(member.row) }
        let selection = isPicked ? member.selection | userPick : member.selection & ~userPick
        let represents = member.row == chosen?.row
        guard selection != member.selection || represents != member.represents else { continue }
        try touchAsset(member.row)
        try database.run(
          """
          UPDATE asset SET burstSelectionTypes = ?, representsBurst = ?, modificationDate = ?
          WHERE id = ?
          """, [.integer(selection), .init(represents), .real(date), .integer(member.row)])
      }
    }
    return others
  }

  private func resolve(burst: String, restored: Set<Int64>) throws(LibraryError) {
    let members = try database.all(
      """
      SELECT id, representsBurst FROM asset WHERE burstIdentifier = ? AND state = 0
      ORDER BY representsBurst DESC, burstSelectionTypes & 2 DESC, burstSelectionTypes & 1 DESC,
        creationDate IS NULL, creationDate, id
      """, [.text(burst)]
    ) { (row: $0.int(0), represents: $0.bool(1)) }
    let representative = members.first { $0.represents && !restored.contains($0.row) }
    guard let chosen = representative ?? members.first else { return }
    for member in members where member.represents != (member.row == chosen.row) {
      try touchAsset(member.row)
      try database.run(
        "UPDATE asset SET representsBurst = ? WHERE id = ?",
        [.init(member.row == chosen.row), .integer(member.row)])
    }
  }
}
