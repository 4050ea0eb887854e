// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// Tests of the library watcher, serialized because descriptors of other watchers would be counted.
@Suite("Library watcher", .serialized)
struct LibraryWatcherTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  /// Records the events of a watcher and waits for them.
  private final class Log: Sendable {
    private let events = LockedValue<[LibraryWatcher.Event]>([])
    private let more = DispatchSemaphore(value: 0)

    func add(_ event: LibraryWatcher.Event) {
      events.withLock { $0.append(event) }
      more.signal()
    }

    var all: [LibraryWatcher.Event] { events.withLock { $0 } }

    /// Waits until a condition is true; it is checked after every event.
    func wait(seconds: Double = TestWait.seconds, until isTrue: () throws -> Bool) rethrows -> Bool
    {
      let end = DispatchTime.now() + seconds
      while try !isTrue() {
        guard more.wait(timeout: end) == .success else { return false }
      }
      return true
    }
  }

  private func watch(polling: Double? = nil) -> (LibraryWatcher, Log) {
    let log = Log()
    return (LibraryWatcher(folder.library.layout, polling: polling) { log.add($0) }, log)
  }

  @Test(arguments: [nil, 0.05])
  func `a commit of another object is reported once it is visible`(polling: Double?) throws {
    let other = try PhotoLibrary(at: folder.library.url)
    let log = Log()
    let seen = LockedValue<Int64>(0)
    let watcher = LibraryWatcher(folder.library.layout, polling: polling) { [folder] event in
      // Reads the version immediately, and only on an event.
      let version = (try? folder.version()) ?? 0
      seen.withLock { $0 = version }
      log.add(event)
    }
    #expect(watcher.polling == polling)
    for number in 1...3 {
      try other.insertRows([PhotoProperties(originalFilename: "a", addedAt: Date())])
      #expect(log.wait { seen.withLock { $0 == number } })
    }
    #expect(FileSystem.itemExists(folder.library.layout.generation))
    #expect(!log.all.contains(.unavailable) && !log.all.contains(.policyChanged))
    watcher.cancel()
  }

  @Test(arguments: [nil, 0.05])
  func `a commit of a writer that dies before notifying is detected`(polling: Double?) throws {
    let (watcher, log) = watch(polling: polling)
    // A write through the connection alone does not touch the file that reports commits.
    try folder.tamper("INSERT INTO change (date) VALUES (1)")
    #expect(!FileSystem.itemExists(folder.library.layout.generation))
    #expect(log.wait { log.all.contains(.mayHaveCommitted) })
    watcher.cancel()
  }

  @Test func `checks after a write to the log end`() throws {
    let (watcher, log) = watch()
    try folder.tamper("INSERT INTO change (date) VALUES (1)")
    #expect(log.wait { log.all.count == LibraryWatcher.pauses.count })
    // Another event would follow after the longest pause.
    #expect(!log.wait(seconds: 1.2) { log.all.count > LibraryWatcher.pauses.count })
    watcher.cancel()
  }

  @Test(.requirement("late-grant-fills-results"), arguments: [nil, 0.05])
  func `a policy change is reported as a policy change`(polling: Double?) throws {
    let (watcher, log) = watch(polling: polling)
    try #"{"schemaVersion": 1}"#.write(
      toFile: folder.library.layout.policy, atomically: true, encoding: .utf8)
    #expect(log.wait { log.all.contains(.policyChanged) })
    let before = log.all.count
    try FileManager.default.removeItem(atPath: folder.library.layout.policy)
    #expect(log.wait { log.all.dropFirst(before).contains(.policyChanged) })
    watcher.cancel()
  }

  @Test(.requirement("library-availability"), arguments: [nil, 0.05])
  func `moving or removing the folder ends the watch`(polling: Double?) throws {
    for isRemoved in [false, true] {
      let folder = try TestLibrary()
      let log = Log()
      let watcher = LibraryWatcher(folder.library.layout, polling: polling) { log.add($0) }
      let root = folder.library.layout.root
      if isRemoved {
        try FileManager.default.removeItem(atPath: root)
      } else {
        try FileSystem.rename(root, to: root + "-moved")
      }
      #expect(log.wait { log.all.contains(.unavailable) })
      #expect(log.all.last == .unavailable)
      watcher.cancel()
    }
  }

  @Test func `a released or canceled watcher closes its descriptor and stays silent`() throws {
    // More than the default limit of watches per user.
    for number in 0..<200 {
      let (watcher, _) = watch()
      if number.isMultiple(of: 2) { watcher.cancel() }
    }
    let end = ContinuousClock.now + TestWait.duration
    while try watchingDescriptors() > 1, ContinuousClock.now < end { sched_yield() }
    // The library of the fixture has a watcher of its own.
    #expect(try watchingDescriptors() <= 1)

    let log = Log()
    weak var released: LibraryWatcher?
    do {
      let watcher = LibraryWatcher(folder.library.layout) { log.add($0) }
      released = watcher
    }
    while released != nil, ContinuousClock.now < end { sched_yield() }
    #expect(released == nil)
    _ = try folder.addAsset()
    #expect(!log.wait(seconds: 0.3) { !log.all.isEmpty })
  }

  /// Returns the number of descriptors of this process that watch the folder.
  private func watchingDescriptors() throws -> Int {
    var facts = stat()
    try #require(stat(folder.library.layout.root, &facts) == 0)
    let watch = " ino:\(String(facts.st_ino, radix: 16)) "
    return try FileSystem.names(in: "/proc/self/fdinfo").count { name in
      let text = try? String(contentsOfFile: "/proc/self/fdinfo/" + name, encoding: .utf8)
      return text?.contains(watch) == true
    }
  }
}
