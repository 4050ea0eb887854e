// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Album changes")
struct AlbumTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  // MARK: Creating, deleting, renaming

  @Test(.requirement("create-album"))
  func `album titles may repeat, and a new album is appended at the top level`() throws {
    let first = try folder.addAlbum(title: "Rome")
    let second = try folder.addAlbum(title: "Rome")
    #expect(first.localIdentifier != second.localIdentifier)
    #expect(
      try folder.children(of: nil) == [first.localIdentifier, second.localIdentifier])
  }

  @Test(.requirement("placeholder-identifiers-are-final"))
  func `after a failed block, the identifier of its placeholder is unused`() throws {
    let assets = try folder.addAssets(1)
    var failed: ObjectPlaceholder?
    try folder.expectRefusal { changes in
      let request = try changes.createAlbum(title: "never")
      failed = request.placeholder
      try request.removeAssets(at: [0])
    }
    let identifier = try #require(failed).localIdentifier
    #expect(try folder.album(identifier) == nil)
    let album = try folder.addAlbum(assets)
    #expect(try folder.assets(in: album) == assets)
  }

  @Test(.requirement("delete-album"))
  func `deleting an album keeps its assets and retires its identifier`() throws {
    let assets = try folder.addAssets(3)
    let album = try folder.addAlbum(assets)
    try folder.library.performChangesAndWait { try $0.delete([album]) }
    #expect(try folder.album(album.localIdentifier) == nil)
    #expect(try folder.children(of: nil) == [])
    for asset in assets { #expect(try folder.asset(asset.localIdentifier) != nil) }
    #expect(
      try folder.number("SELECT count(*) FROM memberHistory WHERE after IS NULL") == 3)
    try folder.expectRefusal(.identifierNotFound, naming: [album.localIdentifier]) {
      try $0.change(album).addAssets(assets)
    }
    try folder.expectRefusal(.identifierNotFound, naming: [album.localIdentifier]) {
      try $0.delete([album])
    }
  }

  @Test(.requirement("delete-album"))
  func `a deletion that includes a smart album fails as a whole`() throws {
    let album = try folder.addAlbum()
    let smart = Self.smartAlbum
    try folder.expectRefusal(naming: [smart.localIdentifier]) { try $0.delete([album, smart]) }
    #expect(try folder.album(album.localIdentifier) != nil)
  }

  @Test(
    .requirement("rename-album"),
    arguments: ["", "Rom 2024", "'; DROP TABLE asset; --", "a\u{0}b", "Ω🏛️\u{202E}x"])
  func `a title is stored unchanged`(title: String) throws {
    let album = try folder.addAlbum(title: "old")
    try folder.change(album) { try $0.setTitle(title) }
    #expect(try folder.album(album.localIdentifier)?.localizedTitle == title)
    #expect(try folder.addAlbum(title: title).localizedTitle == title)
  }

  @Test(
    .requirement("rename-album"), .enabled(if: Corpora.path != nil, "no corpora available"))
  func `all strings of the naughty-strings corpus are stored unchanged`() throws {
    let path = try #require(Corpora.path) + "/naughty-strings/blns.txt"
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let titles = text.split(separator: "\n").map(String.init)
    try #require(titles.count > 100)
    let requests = try folder.library.performChangesAndWait { changes in
      try titles.map { try changes.createAlbum(title: $0).placeholder }
    }
    for (title, placeholder) in zip(titles, requests) {
      #expect(try folder.album(placeholder.localIdentifier)?.localizedTitle == title)
    }
  }

  @Test(.requirement("equal-values-change-nothing"))
  func `setting the same title creates no commit`() throws {
    let album = try folder.addAlbum(title: "same")
    let version = try folder.version()
    try folder.change(album) { try $0.setTitle("same") }
    #expect(try folder.version() == version)
  }

  // MARK: Members

  @Test(.requirement("add-assets"))
  func `assets are added in order, and existing members stay in place`() throws {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum(all.at(2, 0))
    try folder.change(album) { try $0.addAssets(all.at(3, 2, 1, 3)) }
    #expect(try folder.assets(in: album) == all.at(2, 0, 3, 1))
    let version = try folder.version()
    try folder.change(album) { try $0.addAssets(all) }
    #expect(try folder.version() == version)
  }

  @Test(.requirement("insert-assets"))
  func `insertion places the i-th asset at the i-th index`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all.at(0, 1, 2))
    try folder.change(album) { try $0.insertAssets(all.at(3, 4, 5), at: [0, 2, 5]) }
    #expect(try folder.assets(in: album) == all.at(3, 0, 4, 1, 2, 5))
  }

  @Test(.requirement("insert-assets"))
  func `pairs of asset and index may be passed in any order`() throws {
    let all = try folder.addAssets(7)
    let album = try folder.addAlbum(all.at(0, 1))
    try folder.change(album) {
      try $0.insertAssets([(all[2], 4), (all[3], 0), (all[4], 1)])
    }
    #expect(try folder.assets(in: album) == all.at(3, 4, 0, 1, 2))
    try folder.expectRefusal(naming: [album.localIdentifier]) {
      try $0.change(album).insertAssets([(all[5], 1), (all[6], 1)])
    }
  }

  @Test(
    .requirement("insert-assets"),
    arguments: [[0, 5], [-1, 0], [1, 1], [2, 1], [0], [0, 1, 2]])
  func `invalid insertion indexes are rejected`(indexes: [Int]) throws {
    let all = try folder.addAssets(5)
    let album = try folder.addAlbum(all.at(0, 1, 2))
    try folder.expectRefusal(naming: [album.localIdentifier]) {
      try $0.change(album).insertAssets(all.at(3, 4), at: indexes)
    }
  }

  @Test(.requirement("insert-assets"))
  func `the error for an index out of range states the allowed range`() throws {
    let all = try folder.addAssets(5)
    let album = try folder.addAlbum(all.at(0, 1, 2))
    let error = try folder.expectRefusal {
      try $0.change(album).insertAssets(all.at(3, 4), at: [3, 5])
    }
    #expect(error?.message.contains("index 5 ") == true)
    #expect(error?.message.contains("0–4") == true)
  }

  @Test func `inserting an asset that is already a member is rejected by name`() throws {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum(all.at(0, 1, 2))
    try folder.expectRefusal(naming: all.at(1, 2).map(\.localIdentifier)) {
      try $0.change(album).insertAssets(all.at(3, 1, 2), at: [0, 1, 2])
    }
    try folder.expectRefusal(naming: [all[3].localIdentifier]) {
      try $0.change(album).insertAssets(all.at(3, 3), at: [0, 1])
    }
  }

  @Test(.requirement("remove-assets"))
  func `removed assets leave the album but stay in the library`() throws {
    let all = try folder.addAssets(5)
    let album = try folder.addAlbum(all.at(0, 1, 2, 3))
    try folder.change(album) {
      try $0.removeAssets(all.at(4, 1, 1))
      try $0.removeAssets(at: [0, 2])
    }
    #expect(try folder.assets(in: album) == all.at(2))
    for asset in all { #expect(try folder.asset(asset.localIdentifier) != nil) }
    let error = try folder.expectRefusal { try $0.change(album).removeAssets(at: [0, 1]) }
    #expect(error?.message.contains("allowed: 0–0") == true)
  }

  @Test(.requirement("replace-assets"))
  func `replacements take the positions of the replaced assets`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all.at(0, 1, 2, 3))
    try folder.change(album) { try $0.replaceAssets(at: [1, 2, 3], with: all.at(5, 2, 4)) }
    #expect(try folder.assets(in: album) == all.at(0, 5, 2, 4))
    try folder.expectRefusal(naming: [all[0].localIdentifier]) {
      try $0.change(album).replaceAssets(at: [1, 2], with: all.at(0, 1))
    }
    try folder.expectRefusal { try $0.change(album).replaceAssets(at: [4], with: all.at(1)) }
    try folder.expectRefusal { try $0.change(album).replaceAssets(at: [0, 1], with: all.at(1)) }
  }

  @Test(.requirement("move-assets"))
  func `a move target counts positions after the moved assets are removed`() throws {
    let all = try folder.addAssets(5)
    let album = try folder.addAlbum(all)
    try folder.change(album) { try $0.moveAssets(at: [0, 3], to: 3) }
    #expect(try folder.assets(in: album) == all.at(1, 2, 4, 0, 3))
    try folder.change(album) { try $0.moveAssets(at: [2, 4], to: 0) }
    #expect(try folder.assets(in: album) == all.at(4, 3, 1, 2, 0))
    for target in [-1, 4] {
      let error = try folder.expectRefusal {
        try $0.change(album).moveAssets(at: [0, 1], to: target)
      }
      #expect(error?.message.contains("allowed: 0–3") == true)
    }
  }

  @Test(.requirement("equal-values-change-nothing"))
  func `a move to the current position creates no commit`() throws {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum(all)
    let version = try folder.version()
    try folder.change(album) { try $0.moveAssets(at: [1, 2], to: 1) }
    #expect(try folder.version() == version)
  }

  @Test(.requirement("move-assets"))
  func `a move changes only the positions of the moved assets`() throws {
    let all = try folder.addAssets(50)
    let album = try folder.addAlbum(all)
    let version = try folder.version()
    try folder.change(album) { try $0.moveAssets(at: [40, 41], to: 3) }
    #expect(
      try folder.number(
        "SELECT count(*) FROM memberHistory WHERE change > ?", [.integer(version)]) == 2)
  }

  static let smartAlbum = AssetCollection(
    localIdentifier: LocalIdentifier(new: .assetCollection).description, kind: .smartAlbum,
    subtype: AssetCollection.Subtype(rawValue: 203), localizedTitle: "Favorites", startDate: nil,
    endDate: nil, estimatedAssetCount: 0, row: nil)

  static let albumInMemory = AssetCollection(
    localIdentifier: LocalIdentifier(new: .assetCollection).description, kind: .album,
    subtype: .albumRegular, localizedTitle: "here", startDate: nil, endDate: nil,
    estimatedAssetCount: 0, row: nil)
}
