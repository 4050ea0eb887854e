// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// An observer of a library that updates the open lists with every commit of every program.
final class LibraryFollower: PhotoLibraryChangeObserver {
  private let library: PhotoLibrary
  private let views: ViewRegistry
  private let changes: ChangeStream
  private let newest = LockedValue<LibraryChange?>(nil)
  /// The last commit that was sent.
  private let sent: LockedValue<PersistentChangeToken>

  init(
    _ library: PhotoLibrary, _ views: ViewRegistry, _ changes: ChangeStream,
    after token: PersistentChangeToken
  ) throws(LibraryError) {
    (self.library, self.views, self.changes) = (library, views, changes)
    sent = LockedValue(token)
    try library.register(self)
    // A commit before the registration is not observed.
    let current = try library.currentChangeToken
    sent.withLock { $0 = current }
  }

  func photoLibraryDidChange(_ change: LibraryChange) throws {
    newest.withLock { $0 = change }
    let events = views.all.compactMap { update($0, with: change) }
    guard !change.isOfAuthorization else {
      changes.send("reset", .object(["reason": "authorization"]))
      return
    }
    // This is called once for each commit, in order.
    let commits = try library.fetchPersistentChanges(since: sent.withLock { $0 })
    var iterator = commits.makeIterator()
    guard let commit = iterator.next() else {
      for event in events { changes.send("view", event.json, toViewersOf: event.view) }
      return
    }
    sent.withLock { $0 = commit.changeToken }
    changes.send(commit: "\(commit.changeToken)", try commit.summary, views: events)
  }

  /// Updates a list that was opened while a commit was processed.
  func update(_ view: ViewRegistry.View) {
    guard let change = newest.withLock({ $0 }), let event = update(view, with: change) else {
      return
    }
    changes.send("view", event.json, toViewersOf: view.id)
  }

  private func update(
    _ view: ViewRegistry.View, with change: LibraryChange
  ) -> ChangeStream.ViewEvent? {
    guard let contents = view.latest,
      let details = try? change.changeDetails(for: contents.photos)
    else { return nil }
    return views.event(of: view, contents, details)
  }
}

extension ViewRegistry {
  /// Applies changes to a list; returns the event for its viewers.
  func event(
    of view: View, _ contents: ViewContents, _ details: FetchResultChangeDetails<Asset>
  ) -> ChangeStream.ViewEvent? {
    let next = contents.applying(details)
    guard let token = update(view.id, to: next) else { return nil }
    guard details.hasIncrementalChanges else {
      return ChangeStream.ViewEvent(
        view: view.id,
        json: .object([
          "view": .string(view.id), "from": .string(view.token), "to": .string(token),
          "reset": true,
        ]))
    }
    func items(_ indexes: [Int]?, _ assets: [Asset]) -> JSONValue {
      .array(zip(indexes ?? [], assets).map { .array([.whole($0), $1.item]) })
    }
    return ChangeStream.ViewEvent(
      view: view.id,
      json: .object([
        "view": .string(view.id), "from": .string(view.token), "to": .string(token),
        "count": .whole(next.entries.count),
        "removed": .array(Self.runs(details.removedIndexes ?? [])),
        "inserted": items(details.insertedIndexes, details.insertedObjects),
        "moves": .array(details.moves.map { [.whole($0.from), .whole($0.to)] }),
        "changed": items(details.changedIndexes, details.changedObjects),
        "sections": next.sections(by: view.sections),
      ]))
  }

  /// Returns consecutive indexes as starts and counts.
  private static func runs(_ indexes: [Int]) -> [JSONValue] {
    var runs: [(start: Int, count: Int)] = []
    for index in indexes {
      if let last = runs.last, last.start + last.count == index {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((index, 1))
      }
    }
    return runs.map { [.whole($0.start), .whole($0.count)] }
  }
}

extension PersistentChange {
  /// The commit as `photoedit changes --json` reports it, with the identifiers of the server.
  var summary: JSONValue {
    get throws(LibraryError) {
      var members: [String: JSONValue] = [
        "token": .string("\(changeToken)"), "date": .string(Clock.text(date)),
      ]
      let classes: [(String, ObjectClass)] = [
        ("assets", .asset), ("albums", .assetCollection), ("folders", .collectionList),
      ]
      for (name, objectClass) in classes {
        let details = try changeDetails(for: objectClass)
        func texts(_ identifiers: Set<String>) -> JSONValue {
          .texts(identifiers.sorted().map(\.withoutSuffix))
        }
        members[name] = .object([
          "inserted": texts(details.insertedLocalIdentifiers),
          "updated": texts(details.updatedLocalIdentifiers),
          "deleted": texts(details.deletedLocalIdentifiers),
        ])
      }
      return .object(members)
    }
  }
}
