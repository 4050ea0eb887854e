// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

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
