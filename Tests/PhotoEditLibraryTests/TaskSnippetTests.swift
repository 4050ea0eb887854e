// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditTestSupport
import Synchronization
import Testing

@testable import PhotoEditLibrary

/// The listings of the page on PhotoKit tasks; `DocumentationTests` compares them with the page.
@Suite("PhotoKit task snippets")
struct TaskSnippetTests {
  private let owner: TestLibrary
  private var library: PhotoLibrary { owner.library }

  init() throws { owner = try TestLibrary() }

  /// The original filenames of the assets of an album.
  private func names(in album: AssetCollection) throws -> [String] {
    try library.fetchAssets(in: album).map(\.originalFilename)
  }

  private func makeAlbum(of photos: [Asset], cover: Asset) async throws {
    let made = try await library.performChanges { changes in
      let album = try changes.createAlbum(title: "Lisbon")
      try album.addAssets(photos)
      return album.placeholder
    }
    let albums = try library.fetchAssetCollections(withLocalIdentifiers: [made.localIdentifier])
    guard let album = albums.first else { return }
    try await library.performChanges { changes in
      let request = try changes.change(album)
      try request.setTitle("Lisbon in May")
      try request.removeAssets(at: [0])
      try request.insertAssets([cover], at: [0])
      try request.moveAssets(at: [1], to: 2)
    }
    #expect(try names(in: album) == ["9.jpg", "2.jpg", "1.jpg"])
    let named = try library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])
    #expect(named.first?.localizedTitle == "Lisbon in May")
    if album.canPerform(.delete) {
      try await library.performChanges { try $0.delete([album]) }
    }
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
  }

  @Test func `an album is created, filled, changed and deleted`() async throws {
    let photos = try owner.addAssets(10) { i, record in record.originalFilename = "\(i).jpg" }
    try await makeAlbum(of: Array(photos[0...2]), cover: photos[9])
    #expect(try library.fetchAssets().count == 10)
  }

  @Test func `an album is added to a folder`() async throws {
    try await library.performChanges { changes in
      let folder = try changes.createFolder(title: "2024")
      let album = try changes.createAlbum(title: "May")
      try folder.addChildCollections([album.placeholder])
    }
    let folders = try library.fetchTopLevelUserCollections()
    #expect(folders.map(\.localizedTitle) == ["2024"])
    let folder = try #require(try library.fetchCollectionLists(with: .folder).first)
    #expect(try library.fetchCollections(in: folder).map(\.localizedTitle) == ["May"])
  }

  private func create(
    _ image: ImageBuffer, _ photo: URL, _ still: URL, _ movie: URL, date: Date,
    coordinate: LocationCoordinate
  ) async throws -> FetchResult<Asset> {
    let names = try await library.performChanges { changes in
      let drawn = try changes.createAsset(from: image, encoding: .png)
      let copied = try changes.createAsset()
      try copied.addResource(.photo, fileURL: photo)
      let live = try changes.createAsset()
      try live.addResource(.photo, fileURL: still)
      try live.addResource(.pairedVideo, fileURL: movie)
      return [drawn, copied, live].map(\.placeholder.localIdentifier)
    }
    let assets = try library.fetchAssets(withLocalIdentifiers: names)
    try await library.performChanges { changes in
      let request = try changes.change(assets[0])
      try request.setCreationDate(date)
      try request.setLocation(coordinate)
      try request.setFavorite(true)
    }
    let deletable = assets.filter { $0.canPerform(.delete) }
    try await library.performChanges { try $0.delete(deletable) }
    #expect(assets.map(\.mediaSubtypes) == [[], [], .photoLive])
    return try library.fetchTrashedAssets()
  }

  @Test func `assets are created from pixels, files and resources, changed and deleted`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(ImageFile.live("L", seed: 1), to: "still.jpg")
    try folder.write(MovieFile.live("L", seed: 1), to: "movie.mov")
    let layout = RowLayout(channels: .rgb, bytesPerSample: 1)
    let trashed = try await create(
      ImageBuffer(size: PixelSize(width: 2, height: 2), layout: layout),
      TestImages.url("photo-64.jpg"), URL(filePath: folder.path("still.jpg")),
      URL(filePath: folder.path("movie.mov")), date: Date(timeIntervalSince1970: 5),
      coordinate: try #require(LocationCoordinate(latitude: 1, longitude: 2)))
    let drawn = try #require(trashed.first { $0.creationDate == Date(timeIntervalSince1970: 5) })
    #expect(trashed.count == 3 && drawn.isFavorite && drawn.location?.longitude == 2)
  }

  @Test func `assets are fetched by their properties`() async throws {
    _ = try owner.addAssets(6) { i, record in
      record.creationDate = Date(timeIntervalSince1970: Double(i))
      record.isFavorite = i > 1
      record.mediaSubtypes = i == 0 ? .photoScreenshot : []
    }
    let albums = FetchResult([try owner.addAlbum(Array(library.fetchAssets()))])
    let start = Date(timeIntervalSince1970: 2)
    let options = FetchOptions<Asset>(
      predicate: AssetKey.creationDate > start && AssetKey.isFavorite == true,
      sortDescriptors: [FetchSort(AssetKey.creationDate, ascending: false)], fetchLimit: 100)
    let images = try library.fetchAssets(with: .image, options: options)
    let screenshots = try library.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumScreenshots)
    let covers = try albums.first.flatMap { try library.fetchKeyAssets(in: $0) }
    #expect(images.compactMap(\.creationDate?.timeIntervalSince1970) == [5, 4, 3])
    #expect(try library.fetchAssets(in: try #require(screenshots.first)).count == 1)
    #expect(covers?.count == 3)
  }

  /// Inverts an asset, at half strength the second time; returns the strength.
  private func invert(_ asset: Asset) async throws -> Float {
    var options = EditingInputRequestOptions()
    options.canHandleAdjustmentData = { data in
      data.formatIdentifier == "com.example.negative" && data.formatVersion == "1.0"
    }
    let input = try await library.contentEditingInput(for: asset, options: options)
    let stored = try input.adjustmentData.map {
      try JSONDecoder().decode(Float.self, from: $0.data)
    }
    let amount = stored.map { $0 / 2 } ?? 1

    let output = try await library.contentEditingOutput(for: input)
    var pixels = try await input.pixels(as: Float.self)
    for i in pixels.samples.indices {
      pixels.samples[i] += (1 - 2 * pixels.samples[i]) * amount
    }
    try await output.write(pixels)
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: "com.example.negative", formatVersion: "1.0",
      data: JSONEncoder().encode(amount))
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
    return amount
  }

  @Test func `content is edited, edited again from the original, and reverted`() async throws {
    let asset = try owner.addPhoto("photo-64.jpg")
    let original = try await library.contentEditingInput(for: asset).pixels(as: UInt8.self)
    #expect(try await invert(asset) == 1)
    #expect(try await invert(owner.refetched(asset)) == 0.5)
    // Inverting at half strength gives uniform gray, independent of the first edit.
    let gray = try await library.contentEditingInput(for: owner.refetched(asset)).pixels(
      as: UInt8.self)
    #expect(gray.samples.allSatisfy { abs(Int($0) - 128) <= 4 })
    try await library.performChanges { try $0.change(asset).revertAssetContentToOriginal() }
    let after = try await library.contentEditingInput(for: owner.refetched(asset))
    #expect(try await after.pixels(as: UInt8.self) == original && after.version == .original)
  }

  final class AssetList: PhotoLibraryChangeObserver {
    private let state: Mutex<(shown: FetchResult<Asset>, titles: [String?])>

    init(_ library: PhotoLibrary) throws {
      state = Mutex((FetchResult([]), []))
      try library.register(self)
      try state.withLock { state in
        let shown = try library.fetchAssets()
        state = (shown, shown.map(\.title))
      }
    }

    var titles: [String?] { state.withLock { $0.titles } }

    func photoLibraryDidChange(_ change: LibraryChange) throws {
      try state.withLock { state in
        guard let details = try change.changeDetails(for: state.shown) else { return }
        state.titles = details.applying(to: state.titles, making: \.title)
        state.shown = details.fetchResultAfterChanges
      }
    }
  }

  @Test func `a list follows its library`() async throws {
    let assets = try owner.addAssets(3) { i, record in record.title = "\(i)" }
    let list = try AssetList(library)
    try library.performChangesAndWait { changes in
      try changes.delete([assets[1]])
      try changes.change(assets[2]).setTitle("new")
    }
    while list.titles != ["0", "new"] { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func `two custom lists are compared`() throws {
    let assets = try owner.addAssets(4) { i, record in
      record.isFavorite = i % 2 == 0
      record.location = i == 0 ? nil : LocationCoordinate(latitude: 0, longitude: Double(i))
    }
    func isNearby(_ asset: Asset) -> Bool { asset.location != nil }
    let nearby = AssetCollection.transient(title: "Nearby", assets: assets.filter(isNearby))
    let shown = FetchResult(try library.fetchAssets(in: nearby))
    let favorites = FetchResult(shown.filter(\.isFavorite))
    let difference = FetchResultChangeDetails(from: shown, to: favorites)
    #expect(shown.count == 3 && difference.removedIndexes == [0, 2])
    #expect(
      difference.hasIncrementalChanges
        && difference.fetchResultAfterChanges.map(\.localIdentifier)
          == favorites.map(\.localIdentifier)
    )
  }

  @Test func `authorization is requested`() async {
    let status = await library.requestAuthorization(for: .readWrite)
    switch status {
    case .authorized: print("everything may be seen and changed")
    case .limited: print("some assets may be seen")
    case .notDetermined, .restricted, .denied: print("fetches are empty, and changes fail")
    }
    #expect(status == .authorized)
  }
}
