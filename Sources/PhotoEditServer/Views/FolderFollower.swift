// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditPlatform
import PhotoEditStorage

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

  private func watch() {
    var count = 0
    record(try? source.photos(of: "all", predicate: nil, sort: nil))
    while true {
      var wait = pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, -1) > 0 || errno == EINTR else { return }
      // A save replaces several files, which belong to one change.
      usleep(60_000)
      let events = watcher.consume()
      if events.contains(.folderRemoved) { return }
      guard !events.isEmpty,
        let photos = try? source.photos(of: "all", predicate: nil, sort: nil)
      else { continue }
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

  @discardableResult
  private func record(_ photos: FetchResult<Asset>?) -> [String: JSONValue] {
    var items: [String: JSONValue] = [:]
    for photo in photos ?? FetchResult([]) { items[photo.localIdentifier] = photo.item }
    known.withLock { [items] in $0 = items }
    return items
  }
}
