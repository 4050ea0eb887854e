// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// What one commit changed, by the names of the objects.
///
/// There is one for each commit, also where nothing that this program may see was changed, such as
/// when assets in the trash were deleted for good.
public struct PersistentChange: Sendable {
  /// The place behind this commit: keep it when the change is dealt with.
  public let changeToken: PersistentChangeToken
  /// When the commit was made.
  public var date: Date {
    Date(timeIntervalSince1970: Double(bitPattern: changeToken.mark.date))
  }

  /// Where the names are.
  enum Objects: Sendable {
    case read([LibraryHistory.Object])
    /// Too many to be kept beside others; read when they are asked for.
    case stored(LibraryReader)
  }

  let objects: Objects

  /// The objects of one class that the commit inserted, updated and deleted.
  ///
  /// - Throws: `LibraryError` with `persistentChangeDetailsUnavailable` when the history was pruned
  ///   beyond this commit meanwhile: fetch again what you show, and go on with the next change.
  public func changeDetails(
    for objectClass: ObjectClass
  ) throws(LibraryError) -> PersistentObjectChangeDetails {
    let all: [LibraryHistory.Object]
    switch objects {
    case .read(let objects): all = objects
    case .stored(let library): all = try library.objects(of: changeToken.mark)
    }
    return PersistentObjectChangeDetails(objectClass, all)
  }
}

/// The objects of one class that a commit changed; nothing is in two of the sets.
///
/// A move to the trash is a deletion and a return from it an insertion. What came and went in one
/// commit is in none of the sets, and what came and was changed in one is inserted.
public struct PersistentObjectChangeDetails: Sendable, Hashable {
  /// The class of the objects.
  public let objectClass: ObjectClass
  /// Local identifiers of objects that are there since this commit.
  public private(set) var insertedLocalIdentifiers: Set<String> = []
  /// Local identifiers of objects that were there and have changed: properties, content, members.
  public private(set) var updatedLocalIdentifiers: Set<String> = []
  /// Local identifiers of objects that are not there any more.
  public private(set) var deletedLocalIdentifiers: Set<String> = []

  /// Whether the commit changed nothing of this class.
  public var isEmpty: Bool {
    insertedLocalIdentifiers.isEmpty && updatedLocalIdentifiers.isEmpty
      && deletedLocalIdentifiers.isEmpty
  }

  init(_ objectClass: ObjectClass, _ objects: [LibraryHistory.Object]) {
    self.objectClass = objectClass
    for object in objects where object.identifier.objectClass == objectClass {
      let name = object.identifier.description
      switch object.kind {
      case .inserted: insertedLocalIdentifiers.insert(name)
      case .updated: updatedLocalIdentifiers.insert(name)
      case .deleted: deletedLocalIdentifiers.insert(name)
      }
    }
  }
}
