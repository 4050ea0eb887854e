// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// Records the changes that it is notified of.
private final class Recorder: PhotoLibraryChangeObserver {
  private let reported = LockedValue<[LibraryChange]>([])
  private let semaphore = DispatchSemaphore(value: 0)
  private let body: @Sendable (LibraryChange) throws -> Void

  init(_ body: @escaping @Sendable (LibraryChange) throws -> Void = { _ in }) { self.body = body }

  func photoLibraryDidChange(_ change: LibraryChange) throws {
    defer {
      reported.withLock { $0.append(change) }
      semaphore.signal()
    }
    try body(change)
  }

  var changes: [LibraryChange] { reported.withLock { $0 } }

  /// Waits for a number of changes; returns false on a timeout.
  func waits(for count: Int) -> Bool {
    while changes.count < count {
      guard semaphore.wait(timeout: .now() + TestWait.seconds) == .success else { return false }
    }
    return true
  }
}

@Suite("Change observers")
struct ObserverTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func commit(_ title: String = "album") throws {
    try library.performChangesAndWait { _ = try $0.createAlbum(title: title) }
  }

  @Test func `an observer is notified of each commit once, in order, until it unregisters`() throws
  {
    let observer = Recorder()
    try commit()
    try library.register(observer)
    try library.register(observer)
    for _ in 0..<20 { try commit() }
    #expect(observer.waits(for: 20))
    library.unregister(observer)
    try commit()
    let changes = observer.changes
    #expect(changes.map(\.version) == Array(2...21))
    #expect(changes.map(\.base) == Array(1...20))
    #expect(changes.allSatisfy { $0.library === library && !$0.isOfAuthorization })
  }

  @Test func `one block is one change with all its effects`() throws {
    let assets = try folder.addAssets(3)
    let all = try library.fetchAssets()
    let albums = try library.fetchAssetCollections(with: .album)
    let observer = Recorder()
    try library.register(observer)
    try library.performChangesAndWait { changes in
      try changes.createAlbum(title: "one").addAssets([assets[1]])
      try changes.change(assets[1]).setFavorite(true)
      try changes.delete([assets[0]])
    }
    #expect(observer.waits(for: 1))
    let change = try #require(observer.changes.first)
    #expect(try change.changeDetails(for: all)?.removedIndexes == [0])
    #expect(try change.changeDetails(for: all)?.changedIndexes == [0])
    #expect(try change.changeDetails(for: albums)?.insertedIndexes == [0])
  }

  @Test func `commits of other library objects are reported like own commits`() throws {
    let other = try PhotoLibrary(at: library.url)
    let observer = Recorder()
    try library.register(observer)
    for i in 0..<10 {
      try (i % 2 == 0 ? other : library).performChangesAndWait {
        _ = try $0.createAlbum(title: "\(i)")
      }
    }
    #expect(observer.waits(for: 10))
    #expect(observer.changes.map(\.version) == Array(1...10))
  }

  @Test func `an observer is held weakly`() throws {
    var observer: Recorder? = Recorder()
    weak let held = observer
    try library.register(try #require(observer))
    observer = nil
    #expect(held == nil)
    try commit()
  }

  @Test func `failed commits and commits without effect are not reported`() throws {
    let asset = try folder.addAsset()
    let observer = Recorder()
    try library.register(observer)
    try library.performChangesAndWait { try $0.change(asset).setFavorite(false) }
    #expect(throws: LibraryError.self) {
      try library.performChangesAndWait {
        _ = try $0.createAlbum(title: "never")
        try $0.delete([AssetCollection.source.unavailable])
      }
    }
    try commit()
    #expect(observer.waits(for: 1))
    #expect(observer.changes.map(\.version) == [2])
  }

  @Test func `observers are notified before the completion`() async throws {
    let order = LockedValue<[String]>([])
    let observer = Recorder { change in
      usleep(20_000)
      order.withLock { $0.append("observer \(change.version)") }
    }
    try library.register(observer)
    for i in 1...5 {
      if i % 2 == 0 {
        try commit()
      } else {
        try await library.performChanges { _ = try $0.createAlbum(title: "a") }
      }
      order.withLock { $0.append("completion \(i)") }
    }
    let expected = (1...5).flatMap { ["observer \($0)", "completion \($0)"] }
    #expect(order.withLock { $0 } == expected)
  }

  @Test func `a slow or throwing observer delays no others and misses no change`() throws {
    let gate = DispatchSemaphore(value: 0)
    let slow = Recorder { _ in gate.wait() }
    struct Unwilling: Error {}
    let errors = LockedValue(0)
    var configuration = PhotoLibrary.Configuration()
    configuration.observerFailure = { error in
      if error is Unwilling { errors.withLock { $0 += 1 } }
    }
    let library = try PhotoLibrary(at: library.url, configuration: configuration)
    let throwing = Recorder { _ in throw Unwilling() }
    let quick = Recorder()
    for observer in [slow, throwing, quick] { try library.register(observer) }
    for i in 0..<30 { try library.performChangesAndWait { _ = try $0.createAlbum(title: "\(i)") } }
    // The slow observer is still blocked, but the others have been notified.
    #expect(quick.waits(for: 30) && throwing.waits(for: 30))
    #expect(slow.changes.isEmpty)
    for _ in 0..<30 { gate.signal() }
    #expect(slow.waits(for: 30))
    #expect(slow.changes.map(\.version) == Array(1...30))
    #expect(errors.withLock { $0 } == 30)
  }

  @Test(.requirement("synchronous-changes-never-deadlock"))
  func `a synchronous change from an observer throws an error`() throws {
    let library = library
    let code = LockedValue<LibraryError.Code?>(nil)
    let observer = Recorder { _ in
      do {
        try library.performChangesAndWait { _ = try $0.createAlbum(title: "inner") }
      } catch let error as LibraryError {
        code.withLock { $0 = error.code }
      }
    }
    try library.register(observer)
    try commit()
    #expect(observer.waits(for: 1))
    #expect(code.withLock { $0 } == .changeNotSupported)
  }

  @Test(.requirement("equal-values-change-nothing"))
  func `setting an unchanged value is not reported`() throws {
    let asset = try folder.addAsset { $0.isFavorite = true }
    let observer = Recorder()
    try library.register(observer)
    try library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
    try commit()
    #expect(observer.waits(for: 1))
    #expect(observer.changes.count == 1)
  }

  @Test(.requirement("late-grant-fills-results"))
  func `a new grant is reported as a change`() throws {
    _ = try folder.addAssets(2)
    let write = { (level: String) in
      try #"{"schemaVersion": 1, "default": "\#(level)"}"#.write(
        toFile: library.layout.policy, atomically: true, encoding: .utf8)
    }
    try write("none")
    let all = try library.fetchAssets()
    let observer = Recorder()
    try library.register(observer)
    try write("readWrite")
    #expect(observer.waits(for: 1))
    let change = try #require(observer.changes.first)
    #expect(change.isOfAuthorization)
    #expect(try change.changeDetails(for: all)?.fetchResultAfterChanges.count == 2)
  }

  // MARK: Change sequence

  @Test func `the change sequence delivers each commit once even to a slow reader`() async throws {
    var iterator = library.changes.makeAsyncIterator()
    let other = try PhotoLibrary(at: library.url)
    for i in 0..<300 {
      try (i % 2 == 0 ? other : library).performChangesAndWait {
        _ = try $0.createAlbum(title: "\(i)")
      }
    }
    for version in 1...300 {
      let change = try #require(try await iterator.next())
      #expect(change.version == Int64(version) && change.base == Int64(version - 1))
    }
    let next = Task { [iterator] in
      var iterator = iterator
      return try await iterator.next()?.version
    }
    try commit()
    #expect(try await next.value == 301)
  }

  @Test func `canceling a task ends its loop over changes`() async throws {
    let library = library
    let task = Task {
      var count = 0
      for try await _ in library.changes { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
  }
}
