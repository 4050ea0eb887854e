// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Pairing two assets as a Live Photo")
struct PairingTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  private func pair(_ still: Asset, _ movie: Asset, force: Bool = false) throws {
    try library.library.performChangesAndWait { changes in
      try changes.pair(still, movie, pairing: force ? .force : .byContentIdentifier)
    }
  }

  private func unpair(_ asset: Asset) throws {
    try library.library.performChangesAndWait { try $0.unpair(asset) }
  }

  private func album(_ title: String, _ assets: [Asset]) throws -> AssetCollection {
    try library.library.performChangesAndWait { changes in
      try changes.createAlbum(title: title).addAssets(assets)
    }
    return try #require(
      try library.library.fetchAssetCollections(with: .album).first { $0.localizedTitle == title })
  }

  private func members(_ album: AssetCollection) throws -> [String] {
    try library.library.fetchAssets(in: album).map(\.localIdentifier)
  }

  /// The rows of an asset's files.
  private func types(_ asset: Asset) throws -> Set<AssetResourceType> {
    Set(try library.files(of: asset).keys)
  }

  @Test func `a pair gets the albums of both, and is separated again`() throws {
    let still = try library.create([(.photo, try ImageFile.live("L", seed: 1))])
    let movie = try library.create([(.video, MovieFile.live("L", seed: 1))])
    let other = try library.create([(.photo, try ImageFile().jpeg(2))])
    let ofMovie = try album("Movies", [other, movie])
    let ofBoth = try album("Both", [movie, other, still])
    let before = try (members(ofMovie), members(ofBoth))
    try pair(still, movie)
    let live = try #require(try library.asset(still.localIdentifier))
    #expect(live.mediaSubtypes.contains(.photoLive) && live.playbackStyle == .livePhoto)
    #expect(try types(live) == [.photo, .pairedVideo])
    #expect(
      try library.library.fetchTrashedAssets().map(\.localIdentifier) == [movie.localIdentifier])
    #expect(try members(ofMovie) == [other.localIdentifier, still.localIdentifier])
    #expect(try members(ofBoth) == [other.localIdentifier, still.localIdentifier])
    try unpair(live)
    let single = try #require(try library.asset(still.localIdentifier))
    #expect(!single.mediaSubtypes.contains(.photoLive) && single.playbackStyle == .image)
    #expect(try types(single) == [.photo])
    #expect(try library.library.fetchTrashedAssets().isEmpty)
    #expect(try (members(ofMovie), members(ofBoth)) == before)
    #expect(try library.check().findings == [])
  }

  @Test func `files with different identifiers are paired only on request`() throws {
    let still = try library.create([(.photo, try ImageFile().jpeg(1))])
    let movie = try library.create([(.video, MovieFile.live("L", seed: 1))])
    #expect(throws: LibraryError.self) { try pair(still, movie) }
    #expect(throws: LibraryError.self) { try pair(movie, still, force: true) }
    try pair(still, movie, force: true)
    let live = try #require(try library.asset(still.localIdentifier))
    #expect(live.mediaSubtypes.contains(.photoLive))
  }

  @Test func `the video becomes a new asset if the earlier one is gone`() throws {
    let live = try library.create([
      (.photo, try ImageFile.live("L", seed: 1)), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    try unpair(live)
    let assets = try library.assets()
    #expect(assets.map(\.mediaType).sorted { $0.rawValue < $1.rawValue } == [.image, .video])
    #expect(try library.check().findings == [])
  }

  @Test func `a Live Photo whose video is edited is not separated`() throws {
    let live = try library.editedLivePhoto()
    #expect(throws: LibraryError.self) { try unpair(live) }
    #expect(try types(live).count == 7)
  }
}
