// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The changes of one commit, by local identifier.
///
/// There is one for each commit, even if nothing visible to this program was changed, such as when
/// assets in the trash were permanently deleted.
public struct PersistentChange: Sendable {
  /// The token of this commit; store it after processing the change.
  public let changeToken: PersistentChangeToken
  /// The date of the commit.
  public var date: Date {
    Date(timeIntervalSince1970: Double(bitPattern: changeToken.mark.date))
  }

  /// The source of the identifiers.
  enum Objects: Sendable {
    case read([LibraryHistory.Object])
    /// Too many to keep in memory; read on access.
    case stored(LibraryReader)
  }

  let objects: Objects

  /// Returns the objects of one class that the commit inserted, updated and deleted.
  ///
  /// - Throws: `LibraryError` with `persistentChangeDetailsUnavailable` if the history has been
  ///   pruned past this commit in the meantime: fetch the displayed objects again, and continue
  ///   with the next change.
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

/// The objects of one class that a commit changed; the sets are disjoint.
///
/// Moving to the trash is a deletion, restoring from it an insertion. An object that was inserted
/// and deleted in the same commit is in none of the sets; one that was inserted and updated is
/// inserted.
public struct PersistentObjectChangeDetails: Sendable, Hashable {
  /// The class of the objects.
  public let objectClass: ObjectClass
  /// Local identifiers of objects that were inserted by this commit.
  public private(set) var insertedLocalIdentifiers: Set<String> = []
  /// Local identifiers of existing objects that changed in properties, content or members.
  public private(set) var updatedLocalIdentifiers: Set<String> = []
  /// Local identifiers of objects that no longer exist.
  public private(set) var deletedLocalIdentifiers: Set<String> = []

  /// Indicates whether the commit changed nothing of this class.
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
