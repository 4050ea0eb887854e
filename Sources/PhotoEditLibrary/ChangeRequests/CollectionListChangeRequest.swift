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
    _ children: some Sequence<some CollectionReference>, at indexes: [Int]
  ) throws(LibraryError) {
    try record(.insert(LocalIdentifier.collections(children), at: indexes))
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
  public func removeChildCollections(at indexes: [Int]) throws(LibraryError) {
    try record(.removeAt(indexes))
  }

  /// Replaces the albums and folders at the given indexes, which move to the end of the top level.
  ///
  /// - Throws: `changeNotSupported` if this is the top level.
  public func replaceChildCollections(
    at indexes: [Int], with children: some Sequence<some CollectionReference>
  ) throws(LibraryError) {
    try record(.replace(at: indexes, with: LocalIdentifier.collections(children)))
  }

  /// Moves the albums and folders at the given indexes as one block; `target` is counted without
  /// them.
  public func moveChildCollections(at indexes: [Int], to target: Int) throws(LibraryError) {
    try record(.move(indexes, to: target))
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
