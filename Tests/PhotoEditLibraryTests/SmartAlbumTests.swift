// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import Testing

@testable import PhotoEditLibrary

@Suite("Smart albums")
struct SmartAlbumTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func album(_ subtype: AssetCollection.Subtype) throws -> AssetCollection {
    try #require(try library.fetchAssetCollections(with: .smartAlbum, subtype: subtype).first)
  }

  /// The subtypes and changes that make an asset match them.
  private static let rules: [(AssetCollection.Subtype, @Sendable (inout PhotoProperties) -> Void)] =
    [
      (.smartAlbumPanoramas, { $0.mediaSubtypes = .photoPanorama }),
      (.smartAlbumVideos, { $0.mediaType = .video }),
      (.smartAlbumFavorites, { $0.isFavorite = true }),
      (.smartAlbumTimelapses, { $0.mediaSubtypes = .videoTimelapse }),
      (.smartAlbumBursts, { ($0.burstIdentifier, $0.representsBurst) = ("b", true) }),
      (.smartAlbumSlomoVideos, { $0.mediaSubtypes = .videoHighFrameRate }),
      (.smartAlbumSelfPortraits, { $0.traits = .selfPortrait }),
      (.smartAlbumScreenshots, { $0.mediaSubtypes = [.photoScreenshot, .photoHDR] }),
      (.smartAlbumDepthEffect, { $0.mediaSubtypes = .photoDepthEffect }),
      (.smartAlbumLivePhotos, { $0.mediaSubtypes = .photoLive }),
      (.smartAlbumAnimated, { $0.traits = .animated }),
      (.smartAlbumLongExposures, { $0.traits = .longExposure }),
      (.smartAlbumRAW, { $0.traits = [.raw, .selfPortrait] }),
      (.smartAlbumCinematic, { $0.mediaSubtypes = .videoCinematic }),
      (.smartAlbumSpatial, { $0.mediaSubtypes = .spatialMedia }),
      (.smartAlbumRecentlyAdded, { $0.addedDate = Date(timeIntervalSince1970: 990_000) }),
    ]

  @Test(.requirement("smart-albums"), arguments: rules.indices)
  func `each smart album contains exactly the assets that match its rule`(index: Int) throws {
    let (subtype, fill) = Self.rules[index]
    let long = Date(timeIntervalSince1970: 1_000_000 - 31 * 86_400)
    let assets = try folder.addAssets(5) { i, record in
      record.addedDate = long
      record.creationDate = Date(timeIntervalSince1970: Double(i))
      if i > 0 { fill(&record) }
      record.isHidden = i == 3
      if i == 4 { record.sourceType = .synced }
    }
    let album = try album(subtype)
    #expect(album.estimatedAssetCount == 2)
    #expect(album.startDate == assets[1].creationDate && album.endDate == assets[2].creationDate)
    #expect(try Array(library.fetchAssets(in: album)) == [assets[1], assets[2]])
    let keys = try #require(try library.fetchKeyAssets(in: album))
    #expect(Array(keys) == [assets[2], assets[1]])
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    #expect(try library.fetchAssets(in: album, options: options).count == 3)
    // Evaluation in memory matches the database.
    let smart = try #require(SmartAlbum.of(subtype))
    let rule = FetchPredicate<Asset>(smart.condition(at: 1_000_000))
    #expect(assets.filter { rule.evaluate(with: $0) } == Array(assets.dropFirst()))
  }

  @Test func `every subtype except generic has one smart album`() throws {
    let albums = try library.fetchAssetCollections(with: .smartAlbum)
    #expect(albums.map(\.subtype.rawValue) == Array(201...219))
    #expect(Set(albums.map(\.localIdentifier)).count == 19)
    #expect(Set(albums.map(\.localizedTitle)).count == 19)
    #expect(try album(.smartAlbumUnableToUpload).estimatedAssetCount == 0)
    #expect(
      try library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumGeneric).isEmpty)
    let other = try TestLibrary()
    let names = albums.map(\.localIdentifier)
    #expect(
      try other.library.fetchAssetCollections(withLocalIdentifiers: names)
        .map(\.localIdentifier) == names)
    #expect(names.allSatisfy { LocalIdentifier($0)?.objectClass == .assetCollection })
  }

  @Test(.requirement("smart-albums"))
  func `the user library album always exists and contains all assets`() throws {
    #expect(try album(.smartAlbumUserLibrary).estimatedAssetCount == 0)
    let assets = try folder.addAssets(3)
    try folder.setState(1, of: assets[0])
    let recents = try album(.smartAlbumUserLibrary)
    #expect(recents.estimatedAssetCount == 2 && recents.startDate == nil)
    #expect(try Array(library.fetchAssets(in: recents)) == [assets[1], assets[2]])
  }

  @Test(.requirement("side-effects-in-same-change"))
  func `an asset that is no longer a favorite leaves the Favorites album`() throws {
    let asset = try folder.addAsset { $0.isFavorite = true }
    let favorites = try album(.smartAlbumFavorites)
    #expect(try library.fetchAssets(in: favorites).count == 1)
    try library.performChangesAndWait { try $0.change(asset).setFavorite(false) }
    #expect(try library.fetchAssets(in: favorites).isEmpty)
  }

  @Test(.requirement("smart-albums"))
  func `smart albums are filtered and sorted by key`() throws {
    _ = try folder.addAssets(3) { $1.isFavorite = $0 > 0 }
    let options = FetchOptions(
      predicate: AssetCollectionKey.estimatedAssetCount > 0,
      sortDescriptors: [FetchSort(AssetCollectionKey.estimatedAssetCount, ascending: false)],
      fetchLimit: 3)
    let found = try library.fetchAssetCollections(with: .smartAlbum, options: options)
    #expect(found.map(\.estimatedAssetCount) == [3, 3, 2])
    #expect(found.last?.subtype == .smartAlbumFavorites)
  }
}
