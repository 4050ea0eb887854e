// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditTestSupport
import Testing

/// The Swift listings of the documentation catalog; `DocumentationTests` compares them.
@Suite("Documentation snippets")
struct SnippetTests {
  /// A row that shows an asset; reports its title on creation.
  private struct Row: Sendable {
    static let titles = AsyncStream.makeStream(of: String?.self)

    let title: String?

    init(_ asset: Asset) {
      title = asset.title
      Self.titles.continuation.yield(title)
    }
  }

  private let folder: URL
  private let owner: TestLibrary

  init() throws {
    owner = try TestLibrary()
    folder = owner.library.url
  }

  private func makeFavorites() async throws {
    let library = try PhotoLibrary.shared(at: folder)
    let favorites = try library.fetchAssets(
      FetchOptions(predicate: AssetKey.isFavorite == true))
    try await library.performChanges { changes in
      let album = try changes.createAlbum(title: "Favorites")
      try album.addAssets(Array(favorites))
    }
  }

  @Test func `the catalog example for an album of favorites works`() async throws {
    _ = try owner.addAssets(4) { i, record in record.isFavorite = i % 2 == 0 }
    try await makeFavorites()
    let album = try #require(try owner.library.fetchAssetCollections(with: .album).first)
    #expect(album.localizedTitle == "Favorites")
    #expect(try owner.library.fetchAssets(in: album).map(\.isFavorite) == [true, true])
  }

  @Test func `the example for a timeline works`() throws {
    let library = owner.library
    _ = try owner.addAssets(2) { i, record in
      record.creationDate = Date(timeIntervalSince1970: Double(i) * 86_400 * 40)
    }
    let timeline = try library.fetchTimeline(by: .month)
    for period in timeline.periods { print(period.name, period.count) }
    if let days = timeline.periods.first?.days {
      let photos = try library.fetchAssets(FetchOptions(predicate: .days(days)))
      print(photos.count)
    }
    #expect(timeline.periods.map(\.name) == ["1970-01", "1970-02"])
  }

  private func follow(_ album: AssetCollection, in library: PhotoLibrary) async throws -> [Row] {
    let changes = library.changes  // before the fetch: nothing falls in between
    var shown = try library.fetchAssets(in: album)
    var rows = shown.map(Row.init)
    for try await change in changes {
      guard let details = try change.changeDetails(for: shown) else { continue }
      rows = details.applying(to: rows, making: Row.init)
      shown = details.fetchResultAfterChanges
    }
    return rows
  }

  @Test func `the catalog example for following a library works`() async throws {
    let assets = try owner.addAssets(2)
    let album = try owner.addAlbum(assets)
    let library = owner.library
    let following = Task { try await follow(album, in: library) }
    var titles = Row.titles.stream.makeAsyncIterator()
    for _ in assets { #expect(await titles.next() == .some(nil)) }
    try await library.performChanges { try $0.change(assets[1]).setTitle("new") }
    #expect(await titles.next() == "new")
    following.cancel()
    _ = try? await following.value
  }

  @Test func `the catalog example for adding a photo to an album works`() async throws {
    let url = TestImages.url("photo-64.jpg")
    let library = try PhotoLibrary.shared(at: folder)
    let album = try await library.performChanges { changes in
      let photo = try changes.createAsset()
      try photo.addResource(.photo, fileURL: url)
      let album = try changes.createAlbum(title: "Lisbon")
      try album.addAssets([photo.placeholder])
      return album.placeholder
    }
    let made = try #require(try library.fetchAssetCollections(with: .album).first)
    #expect(made.localIdentifier == album.localIdentifier)
    #expect(try library.fetchAssets(in: made).map(\.originalFilename) == ["photo-64.jpg"])
  }
}
