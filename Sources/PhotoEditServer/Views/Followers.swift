// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

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

/// A thread that updates the open lists when files of a folder change.
final class FolderFollower: Sendable {
  private let source: PhotoFiles
  private let watcher: DirectoryWatcher
  private let views: ViewRegistry
  private let changes: ChangeStream
  /// The photos as of the last event, by identifier.
  private let known = LockedValue<[String: JSONValue]>([:])
  private let run = Secret.random(bits: 32)

  init?(_ source: PhotoFiles, _ views: ViewRegistry, _ changes: ChangeStream) {
    guard let watcher = try? DirectoryWatcher(folder: source.watchedFolder) else { return nil }
    (self.source, self.watcher, self.views, self.changes) = (source, watcher, views, changes)
    _ = ThreadGroup.detach { self.watch() }
  }

  /// Ends the thread.
  func cancel() { watcher.cancel() }

  private func watch() {
    var count = 0
    addFolders()
    record(try? source.photos(of: PhotoList()))
    while true {
      var wait = pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, -1) > 0 || errno == EINTR else { return }
      // A save replaces several files, which belong to one change.
      usleep(60_000)
      let events = watcher.consume()
      if events.contains(.folderRemoved) { return }
      guard !events.isEmpty else { continue }
      addFolders()
      guard let photos = try? source.photos(of: PhotoList()) else { continue }
      let before = known.withLock { $0 }
      let after = record(photos)
      let changed = photos.filter { photo in
        before[photo.localIdentifier].map { $0 != after[photo.localIdentifier] } ?? false
      }
      let inserted = after.keys.filter { before[$0] == nil }
      let deleted = before.keys.filter { after[$0] == nil }
      guard !changed.isEmpty || !inserted.isEmpty || !deleted.isEmpty else { continue }
      count += 1
      let token = "\(run)-\(count)"
      let updated = views.all.compactMap { view -> ChangeStream.ViewEvent? in
        guard let contents = view.latest else { return nil }
        let details = FetchResultChangeDetails(
          from: contents.photos, to: photos, changedObjects: Array(changed))
        return views.event(of: view, contents, details)
      }
      changes.send(
        commit: token,
        .object([
          "token": .string(token), "date": .string(Clock.text(Clock.now().date)),
          "assets": .object([
            "inserted": .texts(inserted.sorted()),
            "updated": .texts(changed.map(\.localIdentifier).sorted()),
            "deleted": .texts(deleted.sorted()),
          ]), "albums": .object([:]), "folders": .object([:]),
        ]), views: updated)
    }
  }

  /// Watches the subfolders too, among them those that were created meanwhile.
  private func addFolders() {
    var known: Set<PathKey> = []
    while true {
      let folders = source.subfolders.filter { known.insert(PathKey($0)).inserted }
      if folders.isEmpty { return }
      // A folder that is created before its parent is watched is found in the next pass.
      for folder in folders { watcher.add(folder: folder) }
    }
  }

  @discardableResult
  private func record(_ photos: FetchResult<Asset>?) -> [String: JSONValue] {
    var items: [String: JSONValue] = [:]
    for photo in photos ?? FetchResult([]) { items[photo.localIdentifier] = photo.item }
    known.withLock { [items] in $0 = items }
    return items
  }
}
