// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

@Suite("Arguments of change requests")
struct SequenceTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  @Test func `change requests accept fetch results, sets and identifiers as well as arrays`() throws
  {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum()
    let fetched = try library.fetchAssets()
    try library.performChangesAndWait { changes in
      let request = try changes.change(album)
      try request.addAssets(fetched)
      try request.removeAssets(Set([all[1]]))
      try request.removeAssets([all[2].localIdentifier])
      try request.insertAssets([(asset: all[1].localIdentifier, index: 0)])
      try request.replaceAssets(at: [1], with: CollectionOfOne(all[2]))
    }
    #expect(try folder.assets(in: album) == [all[1], all[2], all[3]])
    try library.performChangesAndWait { try $0.delete(library.fetchAssets(in: album)) }
    #expect(try library.fetchAssets().map(\.localIdentifier) == [all[0].localIdentifier])
  }

  @Test func `folder requests accept lazy sequences and identifiers`() throws {
    let albums = [try folder.addAlbum(title: "a"), try folder.addAlbum(title: "b")]
    let list = try folder.addFolder()
    let top = try library.fetchTopLevelUserCollections()
    try library.performChangesAndWait { changes in
      let request = try changes.change(list)
      try request.addChildCollections(top.lazy.filter { $0.localizedTitle != "folder" })
      try request.removeChildCollections([albums[0].localIdentifier])
    }
    #expect(try folder.children(of: list) == [albums[1].localIdentifier])
  }

  @Test func `objects of any type are deleted by identifier`() throws {
    let all = try folder.addAssets(2)
    let (album, list) = (try folder.addAlbum(all), try folder.addFolder())
    try library.performChangesAndWait {
      try $0.delete(
        withLocalIdentifiers: [all[0].localIdentifier, list.localIdentifier, album.localIdentifier])
    }
    #expect(try library.fetchAssets().map { $0 } == [all[1]])
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    try folder.expectRefusal(naming: ["nobody"]) {
      try $0.delete(withLocalIdentifiers: [all[1].localIdentifier, "nobody"])
    }
  }

  @Test func `a transient list returns the current state of its collections`() throws {
    let albums = [try folder.addAlbum(title: "a"), try folder.addAlbum(title: "b")]
    let list = CollectionList.transient(title: "t", collections: albums.map { .assets($0) })
    try library.performChangesAndWait { changes in
      try changes.change(albums[1]).setTitle("c")
      try changes.delete([albums[0]])
    }
    #expect(try library.fetchCollections(in: list).map(\.localizedTitle) == ["c"])
  }

  @Test func `a change block with typed throws throws only library errors`() async throws {
    func wait() throws(LibraryError) -> String {
      try library.performChangesAndWait { changes throws(LibraryError) in
        try changes.createAlbum(title: "a").placeholder.localIdentifier
      }
    }
    func change() async throws(LibraryError) {
      try await library.performChanges { changes throws(LibraryError) in
        try changes.delete(withLocalIdentifiers: ["nobody"])
      }
    }
    let name = try wait()
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: [name]).count == 1)
    let error = await #expect(throws: LibraryError.self) { try await change() }
    #expect(error?.code == .changeNotSupported)
    // A block that throws another error type passes it on.
    await #expect(throws: CancellationError.self) {
      try await library.performChanges { _ in throw CancellationError() }
    }
  }

  @Test func `a change block is committed in a canceled task as well`() async throws {
    let name = try await Task { [library] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.performChanges { context in
        try context.createAlbum(title: "Harbor").placeholder.localIdentifier
      }
    }.value
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: [name]).count == 1)
  }

  @Test func `an asynchronous fetch equals a synchronous one and can be canceled`() async throws {
    let all = try folder.addAssets(3)
    let found = try await library.fetch { try $0.fetchAssets(in: $0.fetchAllAssets()) }
    #expect(found.map { $0 } == all)
    let cancelled = Task { [library] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.fetch { library throws(LibraryError) in
        try library.fetchAssets().count
      }
    }
    let error = await #expect(throws: LibraryError.self) { try await cancelled.value }
    #expect(error?.code == .userCancelled)
  }
}

extension PhotoLibrary {
  fileprivate func fetchAllAssets() throws(LibraryError) -> AssetCollection {
    .transient(title: nil, assets: try fetchAssets())
  }
}
