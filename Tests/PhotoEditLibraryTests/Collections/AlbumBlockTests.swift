// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Album changes across writers and blocks")
struct AlbumBlockTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  @Test(.requirement("rebased-indexes"))
  func `an index into a fetched order keeps its position next to its neighbor`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all.at(0, 1, 2))
    let seen = try folder.assets(in: album)
    let other = try PhotoLibrary(at: folder.library.url)
    try other.performChangesAndWait { try $0.change(album).insertAssets(all.at(3), at: [0]) }
    try folder.change(album, tracking: seen) { try $0.insertAssets(all.at(4), at: [1]) }
    #expect(try folder.assets(in: album) == all.at(3, 0, 4, 1, 2))
    try folder.change(album, tracking: seen) { try $0.insertAssets(all.at(5), at: [0]) }
    #expect(try folder.assets(in: album) == all.at(3, 5, 0, 4, 1, 2))
  }

  @Test(.requirement("rebased-indexes"))
  func `indexes refer to the passed fetch result, which must belong to this library`() throws {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum(all.at(0, 1))
    let seen = try folder.library.fetchAssets(in: album)
    let children = try folder.library.fetchTopLevelUserCollections()
    try folder.change(album) { try $0.insertAssets(all.at(2), at: [0]) }
    let other = try folder.addAlbum()
    try folder.library.performChangesAndWait { changes in
      try changes.change(album, assets: seen).insertAssets(all.at(3), at: [1])
      let folder = try changes.createFolder(title: "new")
      let placeholder = try #require(folder.placeholder)
      let top = try changes.changeTopLevel(children: children)
      try top.moveChildCollections(at: [0], to: 0)
      try top.addChildCollections([placeholder])
    }
    #expect(try folder.assets(in: album) == all.at(2, 0, 3, 1))
    #expect(
      try folder.children(of: nil).prefix(2) == [album.localIdentifier, other.localIdentifier])
    let stranger = try TestLibrary()
    _ = try stranger.addAsset()
    let external = try stranger.library.fetchAssets()
    try folder.expectRefusal(naming: [album.localIdentifier]) {
      _ = try $0.change(album, assets: external)
    }
    try folder.expectRefusal(naming: [album.localIdentifier]) {
      _ = try $0.change(album, assets: FetchResult(all))
    }
  }

  @Test(.requirement("rebased-indexes"))
  func `an asset removed by another writer is neither moved nor removed again`() throws {
    let all = try folder.addAssets(7)
    let album = try folder.addAlbum(all.at(0, 1, 2, 3))
    let seen = try folder.assets(in: album)
    try folder.change(album) { try $0.removeAssets(all.at(1)) }
    try folder.change(album, tracking: seen) { request in
      try request.moveAssets(at: [0, 1], to: 2)
      try request.replaceAssets(at: [3], with: all.at(4))
      try request.insertAssets(all.at(5), at: [4])
      try request.removeAssets(at: [0])
      try request.addAssets(all.at(6))
      try request.moveAssets(at: [4], to: 0)
    }
    // Seen: 0 1 2 3 → 2 3 0 1 → 2 3 0 4 → 2 3 0 4 5 → 3 0 4 5 → 3 0 4 5 6 → 6 3 0 4 5.
    #expect(try folder.assets(in: album) == all.at(6, 3, 0, 4, 5))
  }

  @Test(.requirement("rebased-indexes"))
  func `an asset whose neighbors have all been removed is appended`() throws {
    let all = try folder.addAssets(5)
    let album = try folder.addAlbum(all.at(0, 1))
    let seen = try folder.assets(in: album)
    try folder.change(album) { request in
      try request.removeAssets(all.at(0, 1))
      try request.addAssets(all.at(2))
    }
    try folder.change(album, tracking: seen) { try $0.insertAssets(all.at(3, 4), at: [0, 3]) }
    #expect(try folder.assets(in: album) == all.at(2, 3, 4))
  }

  @Test func `without a fetched order, indexes refer to the current album`() throws {
    let all = try folder.addAssets(3)
    let album = try folder.addAlbum(all.at(0, 1))
    let other = try PhotoLibrary(at: folder.library.url)
    try other.performChangesAndWait { try $0.change(album).removeAssets(all.at(0)) }
    try folder.change(album) { try $0.insertAssets(all.at(2), at: [1]) }
    #expect(try folder.assets(in: album) == all.at(1, 2))
  }

  // MARK: Rejected requests

  @Test(.requirement("unchangeable-collections"))
  func `changing smart and transient albums is rejected`() throws {
    let assets = try folder.addAssets(1)
    for album in [AlbumTests.smartAlbum, AlbumTests.albumInMemory] {
      try folder.expectRefusal(naming: [album.localIdentifier]) {
        try $0.change(album).addAssets(assets)
      }
      try folder.expectRefusal(naming: [album.localIdentifier]) {
        try $0.changeTopLevel().addChildCollections([album])
      }
    }
  }

  @Test func `an asset created in the same block can be added`() throws {
    let insertion = RowInsertion([PhotoProperties(originalFilename: "new.jpg", addedAt: Date())])
    let placeholder = ObjectPlaceholder(insertion.identifiers[0])
    let album = try folder.addAlbum()
    try folder.library.performChangesAndWait { changes in
      let request = try changes.change(album)
      try changes.add(insertion)
      try request.addAssets([placeholder])
    }
    #expect(
      try folder.assets(in: album).map(\.localIdentifier) == [placeholder.localIdentifier])
  }

  @Test(.requirement("requests-only-in-their-block"))
  func `a request used after its block is rejected`() throws {
    let album = try folder.addAlbum()
    let request = try folder.library.performChangesAndWait { try $0.change(album) }
    let error = #expect(throws: LibraryError.self) { try request.setTitle("late") }
    #expect(error?.code == .changeNotSupported)
  }

  @Test(.requirement("requests-apply-in-order"))
  func `deleting and changing an object in one block is rejected, in either order`() throws {
    let all = try folder.addAssets(1)
    let album = try folder.addAlbum(all)
    try folder.expectRefusal(naming: [album.localIdentifier]) { changes in
      try changes.change(album).setTitle("x")
      try changes.delete([album])
    }
    try folder.expectRefusal(naming: [album.localIdentifier]) { changes in
      try changes.delete([album])
      try changes.change(album).setTitle("x")
    }
    let other = try folder.addAlbum()
    try folder.expectRefusal(naming: [all[0].localIdentifier]) { changes in
      try changes.delete(all)
      try changes.change(other).addAssets(all)
    }
    try folder.expectRefusal(naming: [all[0].localIdentifier]) { changes in
      try changes.change(all[0]).setFavorite(true)
      try changes.delete(all)
    }
  }

  @Test(.requirement("errors-name-the-objects"))
  func `errors name missing assets and objects that are not assets`() throws {
    let all = try folder.addAssets(2)
    let album = try folder.addAlbum()
    let unknown = ObjectPlaceholder(LocalIdentifier(new: .asset))
    try folder.expectRefusal(.identifierNotFound, naming: [unknown.localIdentifier]) {
      try $0.change(album).addAssets([all[0], unknown, all[1]].names)
    }
    let wrong = ObjectPlaceholder(LocalIdentifier(new: .assetCollection))
    try folder.expectRefusal(naming: [wrong.localIdentifier]) {
      try $0.change(album).addAssets([all[0], wrong].names)
    }
  }
}

extension [any AssetReference] {
  fileprivate var names: [String] { map(\.localIdentifier) }
}
