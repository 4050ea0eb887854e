// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Synchronization
import Testing

@testable import PhotoEditLibrary

@Suite("Atomic change blocks")
struct AtomicBlockTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test(arguments: 0..<10)
  func `a block whose k-th operation fails changes nothing`(k: Int) throws {
    let all = try folder.addAssets(6)
    try folder.library.performChangesAndWait { try $0.delete(all.at(5)) }
    let album = try folder.addAlbum(all.at(0, 1, 2))
    let spare = try folder.addAlbum()
    let list = try folder.addFolder([spare])
    let unknown = ObjectPlaceholder(LocalIdentifier(new: .asset))
    let steps: [(ChangeContext) throws -> Void] = [
      { try $0.change(all[0]).setFavorite(true) },
      { try $0.change(album).addAssets(all.at(3)) },
      { try $0.change(album).insertAssets(all.at(4), at: [0]) },
      { try $0.change(album).moveAssets(at: [0], to: 2) },
      { try $0.change(album).replaceAssets(at: [1], with: all.at(1)) },
      { _ = try $0.createFolder(title: "new") },
      { try $0.changeTopLevel().addChildCollections([spare]) },
      { try $0.delete([list]) },
      { try $0.delete(all.at(2)) },
      { try $0.restore(all.at(5)) },
    ]
    try folder.expectRefusal(.identifierNotFound, naming: [unknown.localIdentifier]) { changes in
      for (i, step) in steps.enumerated() {
        if i == k { try changes.change(album).addAssets([unknown]) } else { try step(changes) }
      }
    }
    try folder.library.performChangesAndWait { changes in
      for step in steps { try step(changes) }
    }
    #expect(try folder.assets(in: album) == all.at(0, 1, 4, 3))
  }

  @Test func `two library objects that write in turn see each other's changes`() throws {
    let other = try PhotoLibrary(at: folder.library.url)
    let all = try folder.addAssets(40)
    let album = try folder.addAlbum()
    var expected: [Asset] = []
    for i in 0..<20 {
      try folder.change(album) { try $0.addAssets(all.at(2 * i)) }
      expected.append(all[2 * i])
      try other.performChangesAndWait {
        try $0.change(album).insertAssets(all.at(2 * i + 1), at: [i])
      }
      expected.insert(all[2 * i + 1], at: i)
    }
    #expect(try folder.assets(in: album) == expected)
  }

  @Test func `two library objects that write concurrently lose no changes`() throws {
    let other = try PhotoLibrary(at: folder.library.url)
    let all = try folder.addAssets(80)
    let album = try folder.addAlbum()
    let failures = LockedValue<[String]>([])
    let libraries = [folder.library, other]
    DispatchQueue.concurrentPerform(iterations: 2) { writer in
      for i in 0..<40 {
        do {
          try libraries[writer].performChangesAndWait { changes in
            let request = try changes.change(album)
            try request.addAssets([all[2 * i + writer]])
            try request.moveAssets(at: [0], to: 0)
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let members = try folder.assets(in: album)
    #expect(Set(members) == Set(all))
    for writer in 0..<2 {
      let own = all.indices.filter { $0 % 2 == writer }.map { all[$0] }
      #expect(members.filter { own.contains($0) } == own)
    }
  }
}
