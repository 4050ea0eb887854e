// SPDX-License-Identifier: Apache-2.0

/// Changes the members of an album.
final class AlbumEdit: ChangeOperation {
  private let album: LocalIdentifier
  private let edit: ListEdit
  private let order: MirroredOrder

  init(
    _ edit: ListEdit, of album: LocalIdentifier, in order: MirroredOrder
  ) throws(LibraryError) {
    self.album = album
    self.edit = edit
    self.order = order
    try edit.checkShape(of: "\(album)")
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(album)
    guard let row = try commit.album(album) else { throw .noObject("\(album)") }
    switch edit {
    case .append(let assets): try append(assets, to: row, in: commit)
    case .remove(let assets): try remove(assets, from: row, in: commit)
    default: try rearrange(row, in: commit)
    }
  }

  private func append(
    _ assets: [LocalIdentifier], to album: Int64, in commit: ChangeTransaction
  ) throws(LibraryError) {
    var known: Set<Int64> = []
    let named = try commit.assets(toAdd: assets).filter { known.insert($0).inserted }
    var new: [Int64] = []
    for asset in named where try commit.position(of: asset, in: album) == nil { new.append(asset) }
    try commit.append(new, to: album)
    order.append(named)
  }

  private func remove(
    _ assets: [LocalIdentifier], from album: Int64, in commit: ChangeTransaction
  ) throws(LibraryError) {
    var removed: [PositionedList.Entry] = []
    var rows: Set<Int64> = []
    for asset in assets {
      // An asset in the trash is in no album, but may be in the order that the caller has seen.
      guard let row = try commit.asset(asset)?.row, rows.insert(row).inserted,
        let position = try commit.position(of: row, in: album)
      else { continue }
      removed.append(PositionedList.Entry(row: row, stored: position, position: nil))
    }
    order.remove(rows)
    guard !removed.isEmpty else { return }
    var rest = commit.memberLists[album] ?? PositionedList([])
    let isKnown = commit.memberLists[album] != nil
    _ = rest.remove(rows)
    try commit.write(rest, removed: removed, to: album)
    if !isKnown { commit.memberLists[album] = nil }
  }

  /// Applies the changes that use indexes.
  private func rearrange(_ album: Int64, in commit: ChangeTransaction) throws(LibraryError) {
    var list = try commit.members(of: album)
    var seen = order.seen(of: list)
    try edit.checkRange(count: seen.count, list: "\(self.album)")
    let new = try commit.assets(toAdd: edit.insertions)
    var removed: [PositionedList.Entry] = []
    switch edit {
    case .append, .remove: break
    case .insert(let assets, let indexes):
      let known = order.isTracked ? Set(seen) : []
      try refuse(assets, new) { row throws(LibraryError) in
        if known.contains(row) { return true }
        return try commit.position(of: row, in: album) != nil
      }
      list.insert(new, at: indexes, seen: &seen)
    case .removeAt(let indexes):
      let rows = Set(indexes.map { seen[$0] })
      removed = list.remove(rows)
      seen.removeAll { rows.contains($0) }
    case .replace(let indexes, let assets):
      let own = Dictionary(uniqueKeysWithValues: zip(new, indexes.map { seen[$0] }))
      let known = order.isTracked ? Set(seen) : []
      try refuse(assets, new) { row throws(LibraryError) in
        if own[row] == row { return false }
        if known.contains(row) { return true }
        return try commit.position(of: row, in: album) != nil
      }
      removed = list.replace(at: indexes, with: new, seen: &seen)
    case .move(let indexes, let target): list.move(at: indexes, to: target, seen: &seen)
    }
    try commit.write(list, removed: removed, to: album)
    order.set(seen)
  }

  /// Throws an error that lists all given assets that are already in the album.
  private func refuse(
    _ assets: [LocalIdentifier], _ rows: [Int64],
    where isPresent: (Int64) throws(LibraryError) -> Bool
  ) throws(LibraryError) {
    var present: [String] = []
    for (asset, row) in zip(assets, rows) where try isPresent(row) { present.append("\(asset)") }
    guard present.isEmpty else { throw .present(present, list: "\(album)") }
  }
}
