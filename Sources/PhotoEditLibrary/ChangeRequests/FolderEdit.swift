// SPDX-License-Identifier: Apache-2.0

/// Changes the contents of a folder or of the top level.
final class FolderEdit: ChangeOperation {
  /// Nil for the top level.
  private let folder: LocalIdentifier?
  private let edit: ListEdit
  private let order: MirroredOrder
  private let name: String

  init(
    _ edit: ListEdit, of folder: LocalIdentifier?, in order: MirroredOrder
  ) throws(LibraryError) {
    self.folder = folder
    self.edit = edit
    self.order = order
    name = folder?.description ?? "the top level"
    try edit.checkShape(of: name)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    var target: Int64?
    if let folder {
      try commit.willChange(folder)
      guard let row = try commit.child(folder)?.row else { throw .noObject("\(folder)") }
      target = row
    }
    var list = try commit.children(of: target)
    let before = list
    var seen = order.seen(of: list)
    try edit.checkRange(count: seen.count, list: name)
    let new = try insertions(to: target, in: commit)
    let (removed, arrived) = try carryOut(on: &list, &seen, new, target, in: commit)
    let isChanged = try commit.write(list, toFolder: target)
    if isChanged || list.entries.count != before.entries.count || !removed.isEmpty {
      try commit.touchFolder(target)
    }
    for child in arrived where child.parent != nil { try commit.touchFolder(child.parent) }
    if !removed.isEmpty {
      var top = try commit.children(of: nil)
      top.append(removed.map(\.row))
      try commit.write(top, toFolder: nil)
    }
  }

  /// Changes the order in memory; returns the entries that leave and the children that arrive from
  /// other folders.
  private func carryOut(
    on list: inout PositionedList, _ seen: inout [Int64], _ new: [ChangeTransaction.Child],
    _ target: Int64?, in commit: ChangeTransaction
  ) throws(LibraryError) -> (removed: [PositionedList.Entry], arrived: [ChangeTransaction.Child]) {
    let members = Set(list.rows)
    let known = order.isTracked ? members.union(seen) : members
    let rows = new.map(\.row)
    var removed: [PositionedList.Entry] = []
    var arrived: [ChangeTransaction.Child] = []
    switch edit {
    case .append:
      var added: Set<Int64> = []
      let named = new.filter { added.insert($0.row).inserted }
      arrived = named.filter { !members.contains($0.row) }
      list.append(arrived.map(\.row))
      order.append(named.map(\.row))
      return (removed, arrived)
    case .insert(_, let indexes):
      try refuse(new.filter { known.contains($0.row) })
      list.insert(rows, at: indexes, seen: &seen)
      arrived = new
    case .remove(let children):
      var removedRows: Set<Int64> = []
      for child in children {
        if let row = try commit.row(ofAny: child) { removedRows.insert(row) }
      }
      removed = list.remove(removedRows)
      order.remove(removedRows)
      try refuseLeaving(removed, target, in: commit)
      return (removed, arrived)
    case .removeAt(let indexes):
      let removedRows = Set(indexes.map { seen[$0] })
      removed = list.remove(removedRows)
      seen.removeAll { removedRows.contains($0) }
    case .replace(let indexes, _):
      let own = indexes.map { seen[$0] }
      try refuse(
        zip(new, own).filter { child, own in child.row != own && known.contains(child.row) }
          .map(\.0))
      removed = list.replace(at: indexes, with: rows, seen: &seen)
      arrived = new.filter { !members.contains($0.row) }
    case .move(let indexes, let position): list.move(at: indexes, to: position, seen: &seen)
    }
    try refuseLeaving(removed, target, in: commit)
    order.set(seen)
    return (removed, arrived)
  }

  /// Returns the albums and folders to add; none may be the target or contain it.
  private func insertions(
    to target: Int64?, in commit: ChangeTransaction
  ) throws(LibraryError) -> [ChangeTransaction.Child] {
    var children: [ChangeTransaction.Child] = []
    var missing: [String] = []
    for identifier in edit.insertions {
      try commit.willChange(identifier)
      if let child = try commit.child(identifier) {
        children.append(child)
      } else {
        missing.append("\(identifier)")
      }
    }
    guard missing.isEmpty else { throw .noObjects(missing) }
    let around = Set(try commit.ancestry(of: target))
    for child in children where around.contains(child.row) {
      throw .cycle("\(child.identifier)", in: name)
    }
    return children
  }

  private func refuse(_ present: [ChangeTransaction.Child]) throws(LibraryError) {
    guard present.isEmpty else {
      throw .present(present.map { "\($0.identifier)" }, list: name)
    }
  }

  /// Throws an error if objects would leave the top level, because there is no parent to move them
  /// to.
  private func refuseLeaving(
    _ removed: [PositionedList.Entry], _ target: Int64?, in commit: ChangeTransaction
  ) throws(LibraryError) {
    guard target == nil, !removed.isEmpty else { return }
    throw .removedFromTopLevel(try commit.identifiers(of: removed.map(\.row)).map(\.description))
  }
}
