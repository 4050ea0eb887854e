// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary

/// The contents of albums and folders, processed sequentially.
extension LibraryModel {
  mutating func remove(tree object: Int) throws(Refusal) {
    guard collections[object]?.itemExists == true else { return }
    try delete(object)
    if collections[object]?.isFolder == true {
      for child in visible(object) { try remove(tree: child) }
    }
    lists[collections[object]?.parent ?? Self.top]?.removeAll { $0.object == object }
    collections[object]?.itemExists = false
    collections[object]?.parent = nil
    lists[object] = []
  }

  mutating func apply(
    _ edits: [ModelEdit], to list: Int, seen start: [Int]?
  ) throws(Refusal) {
    var seen = start
    for edit in edits {
      if list != Self.top {
        try change(list)
        guard collections[list]?.itemExists == true else { throw .missing }
      }
      var order = seen ?? visible(list)
      try edit.checkRange(order.count)
      try admit(edit.insertions, to: list)
      try carryOut(edit, on: list, &order)
      if seen != nil { seen = order }
    }
  }

  /// Rejects objects that cannot be added to a list.
  private mutating func admit(_ objects: [Int], to list: Int) throws(Refusal) {
    let isAlbum = collections[list]?.isFolder == false
    for object in objects { try change(object) }
    guard
      objects.allSatisfy({
        isAlbum ? assets[$0]?.state == 0 : collections[$0]?.itemExists == true
      })
    else { throw .missing }
    var around: Int? = list == Self.top ? nil : list
    while let folder = around, !isAlbum {
      guard !objects.contains(folder) else { throw .shape }
      around = collections[folder]?.parent
    }
  }

  private mutating func carryOut(
    _ edit: ModelEdit, on list: Int, _ seen: inout [Int]
  ) throws(Refusal) {
    switch edit {
    case .append(let objects):
      for object in objects {
        if !visible(list).contains(object) {
          adopt(object, list)
          lists[list]?.append(Slot(object: object))
        }
        if !seen.contains(object) { seen.append(object) }
      }
    case .insert(let objects, let indexes):
      guard objects.allSatisfy({ !seen.contains($0) && !visible(list).contains($0) }) else {
        throw .shape
      }
      for (object, index) in zip(objects, indexes) { seen.insert(object, at: index) }
      for object in objects {
        adopt(object, list)
        place(object, in: list, seen, besides: objects)
      }
    case .remove(let objects):
      let there = visible(list).filter { objects.contains($0) }
      try removeMember(there, list)
      seen.removeAll { objects.contains($0) }
    case .removeAt(let indexes):
      let objects = indexes.map { seen[$0] }
      try removeMember(visible(list).filter { objects.contains($0) }, list)
      seen.removeAll { objects.contains($0) }
    case .replace(let indexes, let objects): try replace(indexes, objects, list, &seen)
    case .move(let indexes, let target):
      let moved = indexes.map { seen[$0] }
      var order = seen.filter { !moved.contains($0) }
      order.insert(contentsOf: moved, at: target)
      if order == seen { return }
      let there = moved.filter { visible(list).contains($0) }
      lists[list]?.removeAll { there.contains($0.object) && !$0.isTrashed }
      seen = order
      for object in there { place(object, in: list, seen, besides: there) }
    }
  }

  private mutating func replace(
    _ indexes: [Int], _ objects: [Int], _ list: Int, _ seen: inout [Int]
  ) throws(Refusal) {
    for (index, object) in zip(indexes, objects) where seen[index] != object {
      guard !seen.contains(object), !visible(list).contains(object) else { throw .shape }
    }
    var homeless: [Int] = []
    var removed: [Int] = []
    for (index, object) in zip(indexes, objects) {
      let old = seen[index]
      seen[index] = object
      if old == object, visible(list).contains(old) { continue }
      adopt(object, list)
      if let i = lists[list]?.firstIndex(of: Slot(object: old)) {
        lists[list]?[i] = Slot(object: object)
        removed.append(old)
      } else {
        homeless.append(object)
      }
    }
    for object in homeless { place(object, in: list, seen, besides: homeless) }
    try expel(removed, list)
  }

  /// Removes an album or folder from its previous parent.
  private mutating func adopt(_ object: Int, _ list: Int) {
    guard list == Self.top || collections[list]?.isFolder == true else { return }
    lists[collections[object]?.parent ?? Self.top]?.removeAll { $0.object == object }
    collections[object]?.parent = list == Self.top ? nil : list
  }

  private mutating func removeMember(_ objects: [Int], _ list: Int) throws(Refusal) {
    lists[list]?.removeAll { objects.contains($0.object) && !$0.isTrashed }
    try expel(objects, list)
  }

  /// Moves objects removed from a folder to the top level; those removed from an album are not
  /// moved.
  private mutating func expel(_ objects: [Int], _ list: Int) throws(Refusal) {
    guard list == Self.top || collections[list]?.isFolder == true, !objects.isEmpty else { return }
    guard list != Self.top else { throw .shape }
    for object in objects {
      collections[object]?.parent = nil
      lists[Self.top]?.append(Slot(object: object))
    }
  }

  /// Inserts an object next to its neighbor in the order seen by the caller.
  private mutating func place(
    _ object: Int, in list: Int, _ seen: [Int], besides unplaced: [Int]
  ) {
    guard let index = seen.firstIndex(of: object) else { return }
    func slot(_ other: Int) -> Int? { lists[list]?.firstIndex(of: Slot(object: other)) }
    for left in seen[..<index].reversed() {
      if let i = slot(left) {
        lists[list]?.insert(Slot(object: object), at: i + 1)
        return
      }
    }
    for right in seen[(index + 1)...] where !unplaced.contains(right) {
      if let i = slot(right) {
        lists[list]?.insert(Slot(object: object), at: i)
        return
      }
    }
    lists[list]?.append(Slot(object: object))
  }
}
