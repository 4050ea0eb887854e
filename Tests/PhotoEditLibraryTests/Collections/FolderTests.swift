// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Folder changes")
struct FolderTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  private func albums(_ count: Int) throws -> [AssetCollection] {
    try (0..<count).map { try folder.addAlbum(title: "\($0)") }
  }

  private func names(_ albums: [AssetCollection], _ indexes: Int...) -> [String] {
    indexes.map { albums[$0].localIdentifier }
  }

  @Test(.requirement("folder-operations"))
  func `children are added, inserted, moved, replaced and removed like assets`() throws {
    let all = try albums(6)
    let list = try folder.addFolder([all[0], all[1]])
    try folder.change(list) { try $0.addChildCollections([all[1], all[2]]) }
    #expect(try folder.children(of: list) == names(all, 0, 1, 2))
    try folder.change(list) { try $0.insertChildCollections([all[3], all[4]], at: [0, 4]) }
    #expect(try folder.children(of: list) == names(all, 3, 0, 1, 2, 4))
    try folder.change(list) { try $0.moveChildCollections(at: [0, 4], to: 1) }
    #expect(try folder.children(of: list) == names(all, 0, 3, 4, 1, 2))
    try folder.change(list) { try $0.replaceChildCollections(at: [2], with: [all[5]]) }
    #expect(try folder.children(of: list) == names(all, 0, 3, 5, 1, 2))
    try folder.change(list) { request in
      try request.removeChildCollections(at: [0, 2])
      try request.removeChildCollections([all[1], all[4]])
    }
    #expect(try folder.children(of: list) == names(all, 3, 2))
    #expect(
      try folder.children(of: nil) == [list.localIdentifier] + names(all, 4, 0, 5, 1))
  }

  @Test(.requirement("folder-operations"))
  func `invalid indexes and existing children are rejected`() throws {
    let all = try albums(3)
    let list = try folder.addFolder([all[0], all[1]])
    try folder.expectRefusal(naming: [all[1].localIdentifier]) {
      try $0.change(list).insertChildCollections([all[2], all[1]], at: [0, 1])
    }
    try folder.expectRefusal(naming: [list.localIdentifier]) {
      try $0.change(list).insertChildCollections([all[2]], at: [3])
    }
    try folder.expectRefusal(naming: [list.localIdentifier]) {
      try $0.change(list).removeChildCollections(at: [2])
    }
    try folder.expectRefusal(naming: [list.localIdentifier]) {
      try $0.change(list).moveChildCollections(at: [1, 0], to: 0)
    }
    try folder.expectRefusal(naming: [all[0].localIdentifier]) {
      try $0.change(list).replaceChildCollections(at: [1], with: [all[0]])
    }
    let asset = ObjectPlaceholder(LocalIdentifier(new: .asset))
    try folder.expectRefusal(naming: [asset.localIdentifier]) {
      try $0.change(list).addChildCollections([asset])
    }
  }

  @Test(.requirement("folder-operations"))
  func `indexes refer to a fetched order of children`() throws {
    let all = try albums(4)
    let list = try folder.addFolder([all[0], all[1]])
    let order = MirroredOrder(ChunkedRowList(all[..<2].compactMap(\.row)))
    try folder.change(list) { try $0.insertChildCollections([all[2]], at: [0]) }
    try folder.library.performChangesAndWait {
      try $0.change(list, order).insertChildCollections([all[3]], at: [1])
    }
    #expect(try folder.children(of: list) == names(all, 2, 0, 3, 1))
  }

  @Test(.requirement("folders")) func `adding a child to another folder moves it`() throws {
    let all = try albums(2)
    let first = try folder.addFolder(all)
    let second = try folder.addFolder([all[0]])
    #expect(try folder.children(of: first) == names(all, 1))
    #expect(try folder.children(of: second) == names(all, 0))
    try folder.change(nil) { try $0.insertChildCollections([all[0]], at: [0]) }
    #expect(
      try folder.children(of: nil)
        == names(all, 0) + [first.localIdentifier, second.localIdentifier])
    #expect(try folder.children(of: second) == [])
  }

  @Test(.requirement("folders"))
  func `moving a child records both folders in the history`() throws {
    let all = try albums(1)
    let first = try folder.addFolder(all)
    let second = try folder.addFolder()
    let version = try folder.version()
    try folder.change(second) { try $0.addChildCollections(all) }
    for row in [first.row, second.row, all[0].row] {
      #expect(
        try folder.number(
          "SELECT count(*) FROM changedObject WHERE change > ? AND class > 1 AND object = ?",
          [.integer(version), .init(row)]) == 1)
    }
  }

  @Test(.requirement("folders"))
  func `a folder cannot be moved into itself or a descendant`() throws {
    let inner = try folder.addFolder()
    let middle = try folder.addFolder([inner])
    let outer = try folder.addFolder([middle])
    for target in [inner, middle, outer] {
      try folder.expectRefusal(naming: [outer.localIdentifier, target.localIdentifier]) {
        try $0.change(target).addChildCollections([outer])
      }
    }
    try folder.change(nil) { try $0.addChildCollections([inner]) }
    try folder.change(inner) { try $0.addChildCollections([outer]) }
    #expect(try folder.children(of: nil) == [inner.localIdentifier])
  }

  @Test(.requirement("folders"))
  func `deleting a folder deletes its albums and folders but no assets`() throws {
    let assets = try folder.addAssets(2)
    let album = try folder.addAlbum(assets)
    let inner = try folder.addFolder([album])
    let outer = try folder.addFolder([inner])
    let stays = try folder.addAlbum(assets)
    try folder.library.performChangesAndWait { try $0.delete([outer]) }
    #expect(try folder.children(of: nil) == [stays.localIdentifier])
    #expect(try folder.number("SELECT count(*) FROM collection WHERE state = 2") == 3)
    #expect(try folder.number("SELECT count(*) FROM member") == 2)
    #expect(try folder.assets(in: stays) == assets)
  }

  @Test(.requirement("folders"))
  func `a folder and its album may be deleted together, in either order`() throws {
    for isFolderFirst in [true, false] {
      let album = try folder.addAlbum()
      let list = try folder.addFolder([album])
      let both: [PhotoCollection] = [.list(list), .assets(album)]
      try folder.library.performChangesAndWait {
        try $0.delete(isFolderFirst ? both : both.reversed())
      }
      #expect(try folder.children(of: nil) == [])
    }
  }

  @Test(.requirement("folders")) func `deeply nested folders can be deleted`() throws {
    let depth = 300
    var inner = try folder.addFolder()
    for _ in 1..<depth { inner = try folder.addFolder([inner]) }
    try folder.library.performChangesAndWait { try $0.delete([inner]) }
    #expect(
      try folder.number("SELECT count(*) FROM collection WHERE state = 2") == Int64(depth))
  }

  @Test(.requirement("folders")) func `removing children from the top level is rejected`() throws {
    let all = try albums(3)
    let list = try folder.addFolder([all[2]])
    try folder.expectRefusal(naming: [all[1].localIdentifier]) {
      try $0.changeTopLevel().removeChildCollections([all[1]])
    }
    try folder.expectRefusal(naming: names(all, 0, 1)) {
      try $0.changeTopLevel().removeChildCollections(at: [0, 1])
    }
    try folder.expectRefusal(naming: names(all, 0)) {
      try $0.changeTopLevel().replaceChildCollections(at: [0], with: [all[2]])
    }
    try folder.expectRefusal { try $0.changeTopLevel().setTitle("x") }
    try folder.change(nil) { try $0.moveChildCollections(at: [0], to: 2) }
    #expect(
      try folder.children(of: nil) == names(all, 1) + [list.localIdentifier] + names(all, 0))
  }

  @Test(.requirement("collection-can-perform"))
  func `changing or deleting a moment list is rejected`() throws {
    let year = CollectionList(
      localIdentifier: LocalIdentifier(new: .collectionList).description, kind: .momentList,
      subtype: .momentListYear, localizedTitle: nil, startDate: nil, endDate: nil, row: nil)
    try folder.expectRefusal(naming: [year.localIdentifier]) {
      try $0.change(year).setTitle("x")
    }
    try folder.expectRefusal(naming: [year.localIdentifier]) { try $0.delete([year]) }
  }

  @Test(.requirement("rename-album")) func `a folder can be renamed`() throws {
    let list = try folder.addFolder(title: "old")
    try folder.change(list) { try $0.setTitle("new") }
    #expect(try folder.list(list.localIdentifier)?.localizedTitle == "new")
  }

  @Test func `one block creates a folder with an album and its assets`() throws {
    let assets = try folder.addAssets(2)
    let (outer, inner) = try folder.library.performChangesAndWait { changes in
      let list = try changes.createFolder(title: "outer")
      let album = try changes.createAlbum(title: "inner")
      try list.addChildCollections([album.placeholder])
      try album.addAssets(assets)
      return (try #require(list.placeholder), album.placeholder)
    }
    let list = try #require(try folder.list(outer.localIdentifier))
    #expect(try folder.children(of: list) == [inner.localIdentifier])
    let album = try #require(try folder.album(inner.localIdentifier))
    #expect(try folder.assets(in: album) == assets)
  }
}
