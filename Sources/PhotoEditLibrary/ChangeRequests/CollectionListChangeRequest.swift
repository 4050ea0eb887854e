// SPDX-License-Identifier: Apache-2.0

/// A request to change a folder or the top level: its title, its contents, and their order.
///
/// An album or folder is in exactly one folder or at the top level: adding it moves it, and
/// removing it from a folder moves it to the end of the top level. A folder is never inside itself.
///
/// Indexes follow the rules of `AssetCollectionChangeRequest`.
public final class CollectionListChangeRequest {
  private let context: ChangeContext
  private let identifier: LocalIdentifier?
  private let order: MirroredOrder
  /// The placeholder for the folder; nil for the top level.
  public let placeholder: ObjectPlaceholder?

  init(_ placeholder: ObjectPlaceholder?, _ order: MirroredOrder, in context: ChangeContext) {
    self.context = context
    self.placeholder = placeholder
    self.order = order
    identifier = placeholder?.identifier
  }

  /// Sets the title; it may be empty, and need not be unique.
  ///
  /// - Throws: `changeNotSupported` for the top level, which has no title.
  public func setTitle(_ title: String) throws(LibraryError) {
    guard let identifier else { throw .noChangeableCollections(["the top level"]) }
    try context.add(try CollectionTitle(title, of: identifier))
  }

  /// Appends albums and folders, in their order; those that are already here stay where they are.
  public func addChildCollections(
    _ children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.append(LocalIdentifier.collections(children)))
  }

  /// Inserts albums and folders so that the i-th of them is at the i-th index afterwards.
  public func insertChildCollections(
    _ children: some Sequence<some CollectionReference>, at indexes: some Sequence<Int>
  ) throws(LibraryError) {
    try record(.insert(LocalIdentifier.collections(children), at: Array(indexes)))
  }

  /// Inserts each album or folder so that it is at the given index afterwards; pairs in any order.
  public func insertChildCollections(
    _ elements: some Sequence<(child: some CollectionReference, index: Int)>
  ) throws(LibraryError) {
    let sorted = elements.sorted { $0.index < $1.index }
    try insertChildCollections(sorted.map(\.child), at: sorted.map(\.index))
  }

  /// Moves albums and folders to the end of the top level; those that are not here are ignored.
  ///
  /// - Throws: `changeNotSupported` if this is the top level.
  public func removeChildCollections(
    _ children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.remove(LocalIdentifier.collections(children)))
  }

  /// Moves the albums and folders at the given indexes to the end of the top level.
  ///
  /// - Throws: `changeNotSupported` if this is the top level.
  public func removeChildCollections(at indexes: some Sequence<Int>) throws(LibraryError) {
    try record(.removeAt(Array(indexes)))
  }

  /// Replaces the albums and folders at the given indexes, which move to the end of the top level.
  ///
  /// - Throws: `changeNotSupported` if this is the top level.
  public func replaceChildCollections(
    at indexes: some Sequence<Int>, with children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.replace(at: Array(indexes), with: LocalIdentifier.collections(children)))
  }

  /// Moves the albums and folders at the given indexes as one block; `target` is counted without
  /// them.
  public func moveChildCollections(at indexes: some Sequence<Int>, to target: Int)
    throws(LibraryError)
  {
    try record(.move(Array(indexes), to: target))
  }

  private func record(_ edit: ListEdit) throws(LibraryError) {
    try context.add(FolderEdit(edit, of: identifier, in: order))
  }
}

extension ChangeContext {
  /// Creates a folder at the end of the top level; the title need not be unique.
  public func createFolder(title: String) throws(LibraryError) -> CollectionListChangeRequest {
    let creation = try CollectionCreation(.collectionList, title: title)
    try add(creation)
    return CollectionListChangeRequest(creation.placeholder, MirroredOrder(), in: self)
  }

  /// Creates a request to change a folder; indexes refer to the folder when they are used.
  ///
  /// - Throws: `changeNotSupported` if the folder is not user-created.
  public func change(
    _ folder: CollectionList
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try change(folder, MirroredOrder())
  }

  /// Creates a request to change the top level.
  public func changeTopLevel() throws(LibraryError) -> CollectionListChangeRequest {
    try changeTopLevel(MirroredOrder())
  }

  func change(
    _ folder: CollectionList, _ order: MirroredOrder
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try checkOpen()
    guard folder.isRegularFolder,
      let identifier = LocalIdentifier(folder.localIdentifier, as: .collectionList)
    else { throw .noChangeableCollections([folder.localIdentifier]) }
    return CollectionListChangeRequest(ObjectPlaceholder(identifier), order, in: self)
  }

  func changeTopLevel(
    _ order: MirroredOrder
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try checkOpen()
    return CollectionListChangeRequest(nil, order, in: self)
  }
}

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
    case .remove(let children):
      let removedRows = Set(try children.map(commit.row(ofAny:)).compactMap(\.self))
      removed = list.remove(removedRows)
      order.remove(removedRows)
      try refuseLeaving(removed, target, in: commit)
      return (removed, arrived)
    default:
      let replaced = edit.replacedRows(by: rows, in: seen)
      try refuse(new.filter { replaced[$0.row] != $0.row && known.contains($0.row) })
      removed = edit.rearrange(&list, seen: &seen, with: rows)
      arrived = new.filter { !members.contains($0.row) }
    }
    try refuseLeaving(removed, target, in: commit)
    order.set(seen)
    return (removed, arrived)
  }

  /// Returns the albums and folders to add; none may be the target or contain it.
  private func insertions(
    to target: Int64?, in commit: ChangeTransaction
  ) throws(LibraryError) -> [ChangeTransaction.Child] {
    let children = try commit.all(edit.insertions) { identifier throws(LibraryError) in
      try commit.willChange(identifier)
      return try commit.child(identifier)
    }
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
