// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

@Suite("Objects as JSON")
struct CodableTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func `an asset round-trips through JSON with all its properties`() throws {
    let asset = try folder.addAssets(1) {
      $1.title = "Über"
      $1.location = LocationCoordinate(latitude: 38.5, longitude: -9)
      $1.isFavorite = $0 == 0
    }[0]
    let copy = try again(asset)
    #expect(copy == asset && !Asset.source.differs(copy, asset))
    #expect(copy.location == asset.location && copy.title == "Über")
    // It still names the asset in its library.
    try library.performChangesAndWait { try $0.change(copy).setFavorite(false) }
    #expect(try library.fetchAssets()[0].isFavorite == false)
  }

  @Test func `albums and folders round-trip through JSON`() throws {
    let album = try folder.addAlbum(try folder.addAssets(2), title: "a")
    _ = try folder.addFolder([album])
    let all = try library.fetchTopLevelUserCollections()
    let copy = try again(all)
    #expect(copy.map { $0 } == all.map { $0 })
    #expect(copy.map(\.localizedTitle) == all.map(\.localizedTitle))
  }

  @Test func `change details round-trip with the same indexes and result`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all)
    let before = try library.fetchAssets(in: album)
    try library.performChangesAndWait { changes in
      let request = try changes.change(album)
      try request.removeAssets(at: 2..<3)
      try request.moveAssets(at: Set([0]), to: 3)
      try changes.change(all[4]).setFavorite(true)
    }
    let details = FetchResultChangeDetails(
      from: before, to: try library.fetchAssets(in: album), changedObjects: [all[4]])
    let copy = try again(details)
    #expect(copy.removedIndexes == details.removedIndexes && copy.removedIndexes == [2])
    #expect(copy.moves == details.moves && copy.hasMoves)
    #expect(copy.changedIndexes == details.changedIndexes && copy.changedIndexes?.count == 1)
    #expect(copy.applying(to: Array(before)) == Array(details.fetchResultAfterChanges))
    let unknown = FetchResultChangeDetails(
      before: before, after: before, difference: nil, changed: [])
    #expect(try !again(unknown).hasIncrementalChanges)
    let object = ObjectChangeDetails(from: all[0], to: nil, assetContentChanged: false)
    #expect(try again(object).objectWasDeleted)
  }

  @Test func `change details with an index out of range are rejected`() throws {
    let text = #"{"before":[],"after":[],"changedIndexes":[0]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FetchResultChangeDetails<Asset>.self, from: Data(text.utf8))
    }
  }

  @Test func `adjustment data and sizes round-trip, and are checked when they are read`() throws {
    let data = try AdjustmentData(
      formatIdentifier: "com.example.a", formatVersion: "1", data: Data([0, 255]))
    #expect(try again(data) == data)
    let size = PixelSize(width: 3, height: 0)
    #expect(try again(size) == size)
    let empty = #"{"formatIdentifier":"","formatVersion":"1","data":"AA=="}"#
    #expect(throws: EditingError.self) {
      try JSONDecoder().decode(AdjustmentData.self, from: Data(empty.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        PixelSize.self, from: Data(#"{"width":-1,"height":1}"#.utf8))
    }
  }

  @Test func `collections and changes without a library show what they were given`() throws {
    let album = AssetCollection(localizedTitle: "Rome", estimatedAssetCount: 3)
    #expect(album.kind == .album && album.subtype == .albumRegular && album.startDate == nil)
    #expect(album.localizedTitle == "Rome" && album.estimatedAssetCount == 3)
    let smart = AssetCollection(
      localIdentifier: album.localIdentifier, kind: .smartAlbum, subtype: .smartAlbumFavorites)
    #expect(smart == album && smart.kind == .smartAlbum)
    let folder = CollectionList(localizedTitle: "Trips")
    #expect(folder.kind == .folder && folder.localizedTitle == "Trips")
    #expect(folder.localIdentifier != album.localIdentifier)
    try self.folder.expectRefusal { _ = try $0.change(album).removeAssets(at: 0..<1) }
    try self.folder.expectRefusal { try $0.delete([folder]) }

    let members = [PhotoCollection.assets(album), .list(folder)]
    let (before, after) = (FetchResult(members), FetchResult(members.reversed()))
    let details = FetchResultChangeDetails(from: before, to: after)
    #expect(details.hasMoves && details.applying(to: members) == members.reversed())
    let renamed = AssetCollection(
      localIdentifier: album.localIdentifier, localizedTitle: "Roma")
    let change = ObjectChangeDetails(from: album, to: renamed)
    #expect(change.objectAfterChanges?.localizedTitle == "Roma" && !change.objectWasDeleted)
    #expect(ObjectChangeDetails(from: folder, to: nil).objectWasDeleted)
  }

  @Test func `errors of other packages have the class of their code or file`() {
    let refused = LibraryError(.changeNotSupported, "no", identifiers: ["a"])
    #expect(refused.failureClass == .invalidRequest && refused.identifiers == ["a"])
    let full = EditingError(
      .notEnoughSpace, path: "a.jpg", "no space", hint: "free some",
      file: FileError(.noSpace, path: "a.jpg", reason: "full"))
    #expect(full.failureClass == .noSpace && full.description.hasSuffix("; free some"))
  }

  @Test func `an asset without a library has properties but cannot be changed`() throws {
    let asset = Asset(
      mediaSubtypes: .photoLive, pixelWidth: 4, pixelHeight: 3, originalFilename: "a.jpg")
    #expect(asset.playbackStyle == .livePhoto && asset.originalFilename == "a.jpg")
    #expect(asset != Asset())
    #expect(FetchResult([asset]).index(of: asset) == 0)
    try folder.expectRefusal(.identifierNotFound, naming: [asset.localIdentifier]) {
      try $0.change(asset).setFavorite(true)
    }
  }
}
