// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import Testing

@testable import PhotoEditLibrary

@Suite("Permitted operations")
struct CanPerformTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func allowed(_ collection: PhotoCollection) -> Set<CollectionOperation> {
    Set(CollectionOperation.allCases.filter { collection.canPerform($0) })
  }

  private func allowed(_ asset: Asset) -> Set<AssetOperation> {
    Set(AssetOperation.allCases.filter { asset.canPerform($0) })
  }

  @Test func `operations have consecutive raw values, not bit masks`() {
    #expect(AssetOperation.allCases.map(\.rawValue) == [1, 2, 3])
    #expect(CollectionOperation.allCases.map(\.rawValue) == Array(1...7))
  }

  @Test(.requirement("asset-can-perform"))
  func `permitted asset operations depend on media type and source`() throws {
    let assets = try folder.addAssets(6) { i, record in
      record.mediaType = [.image, .video, .audio, .unknown, .image, .image][i]
      record.sourceType =
        [.userLibrary, .userLibrary, .userLibrary, .userLibrary, .cloudShared, .synced][i]
    }
    #expect(
      assets.map(allowed) == [
        [.delete, .content, .properties], [.delete, .content, .properties],
        [.delete, .properties], [.delete, .properties], [], [],
      ])
  }

  @Test(.requirement("asset-can-perform"), arguments: [SourceType.cloudShared, .synced])
  func `setting a property of an asset from another source is rejected`(source: SourceType) throws {
    let asset = try folder.addAsset { $0.sourceType = source }
    try folder.expectRefusal(.requestNotSupportedForAsset, naming: [asset.localIdentifier]) {
      try $0.change(asset).setFavorite(true)
    }
  }

  @Test(.requirement("collection-can-perform"))
  func `permitted collection operations depend on the type`() throws {
    let asset = try folder.addAsset { $0.creationDate = Date(timeIntervalSince1970: 0) }
    let album = try folder.addAlbum("a", [asset])
    #expect(allowed(.assets(album)) == Set(CollectionOperation.allCases))
    for subtype in [3, 4, 5, 6, 100, 101] {
      #expect(try allowed(.assets(folder.addAlbum("s", subtype: subtype))) == [.deleteContent])
    }
    for smart in try library.fetchAssetCollections(with: .smartAlbum) {
      #expect(allowed(.assets(smart)) == [.deleteContent])
    }
    for moment in try library.fetchMoments() {
      #expect(allowed(.assets(moment)) == [.deleteContent])
    }
    #expect(try library.fetchMoments().count == 1)
    let list = try folder.addFolder("f")
    #expect(allowed(.list(list)) == Set(CollectionOperation.allCases).subtracting([.deleteContent]))
    for year in try library.fetchCollectionLists(with: .momentList) {
      #expect(allowed(.list(year)).isEmpty)
    }
    #expect(allowed(.assets(.transient(title: nil, assets: [asset]))).isEmpty)
    #expect(allowed(.list(.transient(title: nil, collections: []))).isEmpty)
  }

  @Test(.requirement("asset-can-perform"))
  func `nothing is permitted if the library cannot be changed`() throws {
    var asset = try folder.addAsset()
    var album = try folder.addAlbum("a", [asset])
    var list = try folder.addFolder("f")
    #expect(!allowed(asset).isEmpty && !allowed(.assets(album)).isEmpty)
    asset.isLibraryChangeable = false
    album.isLibraryChangeable = false
    list.isLibraryChangeable = false
    #expect(
      allowed(asset).isEmpty && allowed(.assets(album)).isEmpty && allowed(.list(list)).isEmpty)
  }

  @Test(
    .requirement("asset-can-perform"),
    .enabled(if: geteuid() != 0, "root can write to any folder"))
  func `nothing is permitted in a read-only folder`() throws {
    _ = try folder.addAlbum("a", [folder.addAsset()])
    _ = try folder.addFolder("f")
    let root = library.layout.root
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: root)
    defer { chmod(root, 0o700) }
    for asset in try library.fetchAssets() { #expect(allowed(asset).isEmpty) }
    for collection in try library.fetchTopLevelUserCollections() {
      #expect(allowed(collection).isEmpty)
    }
    for smart in try library.fetchAssetCollections(with: .smartAlbum) {
      #expect(allowed(.assets(smart)).isEmpty)
    }
  }
}
