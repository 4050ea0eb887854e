// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Concurrent writers")
struct ConcurrencyTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test func `eight threads on two connections lose no writes`() throws {
    let libraries = try (0..<2).map { _ in try PhotoLibrary(at: folder.library.url) }
    let made = LockedValue<Set<String>>([])
    let failures = LockedValue<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...40 {
        let name = "\(thread)-\(number).jpg"
        do {
          let record = PhotoProperties(originalFilename: name, addedAt: Date())
          try libraries[thread % 2].insertRows([record])
          made.withLock { _ = $0.insert(name) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let stored = try folder.library.read { database throws(LibraryError) in
      try database.all("SELECT originalFilename FROM asset") { $0.text(0) }
    }
    #expect(Set(stored) == made.withLock { $0 })
    #expect(stored.count == 320)
    let (commits, integrity) = try folder.library.read { database throws(LibraryError) in
      (
        try database.version(),
        try database.first("PRAGMA integrity_check") { $0.text(0) }
      )
    }
    #expect(commits == Int64(stored.count))
    #expect(integrity == "ok")
  }

  /// Every acknowledged title must exist exactly once, regardless of which process wrote it.
  @Test func `other processes and eight threads writing at once lose no changes`() throws {
    let (rounds, ownRounds) = longTests ? (60, 400) : (6, 40)
    let album = try folder.addAlbum([])
    let log = folder.folder.path + "/acknowledged"
    // Four loops of other processes, each running one command after the other.
    let shell = BackgroundShell(
      """
      export PHOTOEDIT_LIBRARY='\(folder.library.layout.root)'
      for loop in 1 2 3 4; do (
        i=0
        while [ $i -lt \(rounds) ]; do
          i=$((i + 1))
          '\(BuiltProgram.path)' album create "other-$loop-$i" -q >/dev/null || exit 1
          echo "other-$loop-$i"
          '\(BuiltProgram.path)' album rename '\(album.localIdentifier)' "by $loop" -q >/dev/null ||
            exit 1
        done
      ) & pids="$pids $!"; done
      for pid in $pids; do wait $pid || exit 1; done
      """, output: log)
    let made = LockedValue<[String]>([])
    let failures = LockedValue<[String]>([])
    let library = folder.library
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...ownRounds {
        let title = "own-\(thread)-\(number)"
        do {
          try library.performChangesAndWait { changes in
            _ = try changes.createAlbum(title: title)
            try changes.change(album).setTitle(title)
          }
          made.withLock { $0.append(title) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(shell.wait() == 0)
    #expect(failures.withLock { $0 } == [])
    let others = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(others.count == 4 * rounds && made.withLock { $0.count } == 8 * ownRounds)
    let titles = try library.fetchAssetCollections(with: .album)
      .filter { $0 != album }.compactMap(\.localizedTitle)
    #expect(titles.sorted() == (made.withLock { $0 } + others.map(String.init)).sorted())
    let integrity = try library.read { database throws(LibraryError) in
      try database.all("PRAGMA integrity_check") { $0.text(0) }
    }
    #expect(integrity == ["ok"])
  }

  @Test(.requirement("one-object-per-library"))
  func `each folder has its own shared library object`() throws {
    let other = try TestLibrary()
    let first = try PhotoLibrary.shared(at: folder.library.url)
    let again = try PhotoLibrary.shared(at: URL(filePath: folder.library.url.path + "/."))
    #expect(first === again)
    #expect(try PhotoLibrary.shared(at: other.library.url) !== first)
    #expect(other.library.identifier != folder.library.identifier)
  }

  @Test func `a reader sees a single commit while others write`() throws {
    let asset = try folder.addAsset()
    try folder.library.read { database throws(LibraryError) in
      let before = try database.version()
      do {
        try folder.library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
      } catch {
        Issue.record(error)
      }
      #expect(try database.version() == before)
      let isFavorite = try database.first("SELECT isFavorite FROM asset") { $0.bool(0) }
      #expect(isFavorite == false)
    }
    #expect(try folder.asset(asset.localIdentifier)?.isFavorite == true)
  }
}
