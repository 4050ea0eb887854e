// SPDX-License-Identifier: Apache-2.0

/// A request to change a folder, or the top level: its title, what it holds, and in which order.
///
/// An album or folder is in exactly one folder or at the top level: adding it moves it, and what is
/// taken out of a folder goes to the end of the top level. A folder is never inside of itself.
///
/// Indexes follow the rules of `AssetCollectionChangeRequest`.
public final class CollectionListChangeRequest {
  private let context: ChangeContext
  private let identifier: LocalIdentifier?
  private let order: TrackedOrder
  /// Stands for the folder; nil for the top level.
  public let placeholder: ObjectPlaceholder?

  init(_ placeholder: ObjectPlaceholder?, _ order: TrackedOrder, in context: ChangeContext) {
    self.context = context
    self.placeholder = placeholder
    self.order = order
    identifier = placeholder?.identifier
  }

  /// Sets the title; it may be empty, and other folders may have the same.
  ///
  /// - Throws: `changeNotSupported` for the top level, which has none.
  public func setTitle(_ title: String) throws(LibraryError) {
    guard let identifier else { throw .noChangeableCollections(["the top level"]) }
    try context.add(try CollectionTitle(title, of: identifier))
  }

  /// Puts albums and folders at the end, in their order; those that are here already stay.
  public func addChildCollections(
    _ children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.append(LocalIdentifier.collections(children)))
  }

  /// Puts albums and folders in so that the i-th of them is at the i-th index afterwards.
  public func insertChildCollections(
    _ children: some Sequence<some CollectionReference>, at indexes: [Int]
  ) throws(LibraryError) {
    try record(.insert(LocalIdentifier.collections(children), at: indexes))
  }

  /// Puts each album or folder in at the index that it shall have afterwards; pairs in any order.
  public func insertChildCollections(
    _ places: some Sequence<(child: some CollectionReference, index: Int)>
  ) throws(LibraryError) {
    let sorted = places.sorted { $0.index < $1.index }
    try insertChildCollections(sorted.map(\.child), at: sorted.map(\.index))
  }

  /// Takes albums and folders out, to the end of the top level; those that are not here are ignored.
  ///
  /// - Throws: `changeNotSupported` when this is the top level.
  public func removeChildCollections(
    _ children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.remove(LocalIdentifier.collections(children)))
  }

  /// Takes what is at some indexes out, to the end of the top level.
  ///
  /// - Throws: `changeNotSupported` when this is the top level.
  public func removeChildCollections(at indexes: [Int]) throws(LibraryError) {
    try record(.removeAt(indexes))
  }

  /// Puts albums and folders into the places of those at some indexes, which go to the top level.
  ///
  /// - Throws: `changeNotSupported` when this is the top level.
  public func replaceChildCollections(
    at indexes: [Int], with children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.replace(at: indexes, with: LocalIdentifier.collections(children)))
  }

  /// Takes what is at some indexes out and puts it back as one block; `target` counts without it.
  public func moveChildCollections(at indexes: [Int], to target: Int) throws(LibraryError) {
    try record(.move(indexes, to: target))
  }

  private func record(_ edit: ListEdit) throws(LibraryError) {
    try context.add(FolderEdit(edit, of: identifier, in: order))
  }
}

extension ChangeContext {
  /// Makes a folder, at the end of the top level; other folders may have the same title.
  public func createFolder(title: String) throws(LibraryError) -> CollectionListChangeRequest {
    let creation = try CollectionCreation(.collectionList, title: title)
    try add(creation)
    return CollectionListChangeRequest(creation.placeholder, TrackedOrder(), in: self)
  }

  /// Begins to change a folder; indexes count in the folder as it is when they are used.
  ///
  /// - Throws: `changeNotSupported` for anything but a folder that a person made.
  public func change(
    _ folder: CollectionList
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try change(folder, TrackedOrder())
  }

  /// Begins to change what is in no folder.
  public func changeTopLevel() throws(LibraryError) -> CollectionListChangeRequest {
    try changeTopLevel(TrackedOrder())
  }

  func change(
    _ folder: CollectionList, _ order: TrackedOrder
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try checkOpen()
    guard folder.isRegularFolder,
      let identifier = LocalIdentifier(folder.localIdentifier, as: .collectionList)
    else { throw .noChangeableCollections([folder.localIdentifier]) }
    return CollectionListChangeRequest(ObjectPlaceholder(identifier), order, in: self)
  }

  func changeTopLevel(
    _ order: TrackedOrder
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try checkOpen()
    return CollectionListChangeRequest(nil, order, in: self)
  }
}
