// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Image caches")
struct ImageCacheTests {
  private let owner: TestLibrary
  private let box = PixelSize(width: 24, height: 24)

  init() throws { owner = try TestLibrary() }

  private func photo(_ seed: Int = 0) throws -> Asset {
    try owner.create([(.photo, try ImageFile().jpeg(seed))])
  }

  private func manager(memory: Int = 1 << 20, disk: Int = 1 << 20) -> ImageManager {
    var configuration = ImageManager.Configuration()
    configuration.memoryBudget = memory
    configuration.diskBudget = disk
    return ImageManager(owner.library, configuration: configuration)
  }

  /// The files of the cache in the library's folder.
  private func files() throws -> [String] {
    let root = owner.library.layout.path(LibraryLayout.thumbnailsName)
    guard FileSystem.isFolder(root) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: root)
      .filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".new") }.map { root + "/" + $0 }.sorted()
  }

  /// Waits until a cache holds the given number of images.
  private func wait(_ count: Int, _ caching: CachingImageManager) throws {
    for _ in 0..<6000 where caching.cacheStatistics.count != count { usleep(10_000) }
    try #require(caching.cacheStatistics.count == count)
  }

  @Test(.requirement("image-caching"))
  func `cached images count as hits, other sizes and modes as misses`() throws {
    let assets = try (1...3).map(photo)
    let caching = CachingImageManager(owner.library)
    try caching.startCachingImages(for: assets, targetSize: box)
    try wait(3, caching)
    #expect(caching.cacheStatistics.hits == 0 && caching.cacheStatistics.misses == 0)
    _ = try caching.manager.now(assets[0], box)
    #expect(caching.cacheStatistics.hits == 1 && caching.cacheStatistics.misses == 0)
    _ = try caching.manager.now(assets[0], PixelSize(width: 25, height: 25))
    _ = try caching.manager.now(assets[0], box, .aspectFill) { $0.resizeMode = .exact }
    #expect(caching.cacheStatistics.hits == 1 && caching.cacheStatistics.misses == 2)
  }

  @Test(.requirement("image-caching"))
  func `stopping removes images from the cache, one or all`() throws {
    let assets = try (1...3).map(photo)
    let caching = CachingImageManager(owner.library)
    try caching.startCachingImages(for: assets, targetSize: box)
    try wait(3, caching)
    try caching.stopCachingImages(for: [assets[1]], targetSize: box)
    #expect(caching.cacheStatistics.count == 2)
    caching.stopCachingImagesForAllAssets()
    #expect(caching.cacheStatistics.count == 0 && caching.cacheStatistics.byteCount == 0)
    try caching.startCachingImages(for: assets, targetSize: box)
    try wait(3, caching)
  }

  @Test(.requirement("image-caching"))
  func `the memory cache evicts the least recently used images`() throws {
    let assets = try (1...4).map(photo)
    let bytes = 24 * 18 * 3
    let manager = manager(memory: 3 * bytes)
    for asset in assets.prefix(3) { _ = try manager.now(asset, box) }
    _ = try manager.now(assets[0], box)
    _ = try manager.now(assets[3], box)
    #expect(manager.cacheStatistics.byteCount == 3 * bytes)
    let before = manager.cacheStatistics
    _ = try manager.now(assets[0], box)
    #expect(manager.cacheStatistics.hits == before.hits + 1)
    _ = try manager.now(assets[1], box)
    #expect(manager.cacheStatistics.misses == before.misses + 1)
  }

  @Test func `a thumbnail on disk is used by the next image manager`() throws {
    let asset = try photo()
    let made = try manager().now(asset, box)
    #expect(try files().count == 1)
    let next = manager()
    let path = try #require(try owner.files(of: asset)[.photo])
    // Only the thumbnail can still be read.
    try FileManager.default.removeItem(atPath: path)
    let found = try next.now(asset, box)
    #expect(try ImageDifference(made, found).psnr > 25)
  }

  @Test(arguments: ["cut", "changed", "empty", "foreign"])
  func `a damaged thumbnail is generated again`(damage: String) throws {
    let asset = try photo()
    let made = try manager().now(asset, box)
    let path = try #require(try files().first)
    var bytes = try FileBytes.reading(path).array
    switch damage {
    case "cut": bytes.removeLast(10)
    case "changed": bytes[bytes.count / 2] ^= 0x10
    case "empty": bytes = []
    default: bytes = try TestImages.bytes("jpeg-444.jpg")
    }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try manager().now(asset, box) == made)
    let repaired = try FileBytes.reading(path)
    #expect(repaired.array != bytes)
  }

  @Test func `editing and reverting deliver the right image without invalidation`() async throws {
    let asset = try photo()
    let manager = manager()
    let first = try manager.now(asset, box)
    try await EditorB.edit(owner.library, asset, "one")
    #expect(try manager.now(asset, box).size == PixelSize(width: 17, height: 1))
    try await owner.library.performChanges { try $0.change(asset).revertAssetContentToOriginal() }
    #expect(try manager.now(asset, box) == first)
  }

  @Test func `thumbnails stay within the disk budget`() throws {
    let assets = try (1...12).map(photo)
    _ = try manager().now(assets[0], box)
    let size = try FileBytes.reading(try #require(try files().first)).count
    let manager = manager(disk: 4 * size)
    for asset in assets { _ = try manager.now(asset, box) }
    #expect(try files().count <= 5)
    #expect(try files().allSatisfy { $0.hasSuffix(".jpg") })
  }

  @Test func `no thumbnails are written without a budget or through a symbolic link`() throws {
    let asset = try photo()
    _ = try manager(disk: 0).now(asset, box)
    #expect(try files() == [])
    let otherPath = owner.folder.path("elsewhere")
    try FileSystem.createFolder(otherPath)
    try FileManager.default.createSymbolicLink(
      atPath: owner.library.layout.path("cache"), withDestinationPath: otherPath)
    #expect(try manager().now(asset, box).size == PixelSize(width: 24, height: 18))
    #expect(try FileSystem.names(in: otherPath) == [])
  }

  @Test func `concurrent requests of two managers share one cache`() async throws {
    let assets = try (1...4).map(photo)
    let managers = [manager(), manager()]
    let sizes = try await withThrowingTaskGroup(of: PixelSize.self) { group in
      for round in 0..<24 {
        group.addTask {
          try await managers[round % 2].image(for: assets[round % 4], targetSize: box).size
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.allSatisfy { $0 == PixelSize(width: 24, height: 18) })
    #expect(try files().count == 4)
  }

  @Test func `checks and backups ignore the cache, and a purge clears it`() throws {
    let asset = try photo()
    _ = try manager().now(asset, box)
    owner.library.finishChanges()
    #expect(try LibraryCheck().run(at: owner.library.url).findings.isEmpty)
    let backup = owner.folder.path("backup")
    _ = try LibraryBackup().run(of: owner.library, to: URL(filePath: backup))
    #expect(try !FileSystem.names(in: backup).contains("cache"))
    try owner.library.performChangesAndWait { try $0.delete([asset]) }
    let trashed = try #require(try owner.library.fetchTrashedAssets().first)
    #expect(try manager().now(trashed, box).size == PixelSize(width: 24, height: 18))
    _ = try owner.library.purgeExpired(before: Date(timeIntervalSince1970: 9_000_000))
    owner.library.finishChanges()
    #expect(try files() == [])
  }
}
