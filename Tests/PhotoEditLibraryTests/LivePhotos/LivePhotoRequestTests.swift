// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Live Photo requests")
struct LivePhotoRequestTests {
  private let owner: TestLibrary
  private let manager: ImageManager
  private let box = PixelSize(width: 32, height: 32)
  private let small = PixelSize(width: 32, height: 24)

  init() throws {
    owner = try TestLibrary()
    manager = ImageManager(owner.library)
  }

  private func livePhoto() throws -> Asset {
    try owner.create([
      (.photo, try ImageFile.live("L", seed: 1)), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
  }

  private func edit(_ asset: Asset, _ identifier: String, isStill: Bool = false) async throws {
    let library = owner.library
    let input = try await library.contentEditingInput(for: asset)
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try EditorB.data("one")
    try Data(ImageFile.live(identifier, seed: 2)).write(to: output.renderedContentURL)
    if !isStill {
      try Data(MovieFile.live(identifier, seed: 2)).write(to: #require(output.pairedVideoURL))
    }
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
  }

  private func deliveries(
    _ asset: Asset, _ change: (inout ImageRequestOptions) -> Void = { _ in }
  ) throws -> [ImageCalls<LivePhoto>.Call] {
    var options = ImageRequestOptions()
    change(&options)
    let calls = ImageCalls<LivePhoto>()
    manager.requestLivePhoto(
      for: asset, targetSize: box, options: options, resultHandler: calls.take)
    return try calls.wait()
  }

  // MARK: Assets

  @Test(.requirement("live-photo-requests"))
  func `a request delivers the degraded still first, then both parts`() throws {
    let all = try deliveries(try livePhoto())
    #expect(all.map(\.info.isDegraded) == [true, false])
    #expect(all.map(\.info.isLast) == [false, true])
    let (first, last) = (try #require(all.first?.payload), try #require(all.last?.payload))
    #expect(first.size == small && first.movie == nil && first.duration == nil)
    #expect(first.resources.map(\.type) == [.photo] && first.photoTime == nil)
    #expect(last.still == first.still && last.contentIdentifier == "L")
    #expect(last.duration == 1 && last.photoTime == 0.5)
    #expect(last.resources.map(\.type) == [.photo, .pairedVideo])
    let movie = try #require(last.movie)
    #expect(try SHA256Digest(of: Array(Data(contentsOf: movie.url))) == last.resources[1].digest)
  }

  @Test(.requirement("live-photo-requests"))
  func `a smaller cached image is delivered first`() throws {
    let asset = try livePhoto()
    _ = try manager.now(asset, PixelSize(width: 8, height: 8))
    let all = try deliveries(asset)
    #expect(all.compactMap { $0.payload?.size.width } == [8, 32])
    #expect(all.map { $0.payload?.movie == nil } == [true, false])
    // Another size in fast mode delivers only the cached image.
    let fast = try deliveries(try livePhoto()) { $0.deliveryMode = .fast }
    #expect(fast.map(\.info.isDegraded) == [false])
    _ = try manager.now(asset, PixelSize(width: 8, height: 8))
    let calls = ImageCalls<LivePhoto>()
    var options = ImageRequestOptions()
    options.deliveryMode = .fast
    manager.requestLivePhoto(
      for: asset, targetSize: PixelSize(width: 40, height: 40), options: options,
      resultHandler: calls.take)
    #expect(try calls.wait().map(\.info.isDegraded) == [true])
  }

  @Test(.requirement("live-photo-requests"))
  func `high-quality and synchronous requests deliver once`() throws {
    let asset = try livePhoto()
    let quality = try deliveries(asset) { $0.deliveryMode = .highQuality }
    let now = try deliveries(asset) { $0.isSynchronous = true }
    for all in [quality, now] {
      #expect(all.map(\.info.isDegraded) == [false] && all.first?.payload?.movie != nil)
    }
  }

  @Test(.requirement("live-photo-requests"))
  func `empty and maximum target sizes keep the still unscaled`() async throws {
    let asset = try livePhoto()
    let full = PixelSize(width: asset.pixelWidth, height: asset.pixelHeight)
    for size in [PixelSize(width: 0, height: 0), ImageManager.maximumSize] {
      let live = try await manager.livePhoto(for: asset, targetSize: size)
      #expect(live.size == full && live.duration == 1)
    }
  }

  @Test(.requirement("live-photo-requests"))
  func `each version has its own pair of files`() async throws {
    let asset = try livePhoto()
    try await edit(asset, "E")
    for (version, identifier, types) in [
      (.current, "E", [.fullSizePhoto, .fullSizePairedVideo]),
      (.unadjusted, "L", [.photo, .pairedVideo]), (.original, "L", [.photo, .pairedVideo]),
    ] as [(ImageVersion, String, [AssetResourceType])] {
      var options = ImageRequestOptions()
      options.version = version
      let live = try await manager.livePhoto(for: asset, targetSize: box, options: options)
      #expect(live.contentIdentifier == identifier && live.resources.map(\.type) == types)
    }
  }

  @Test(.requirement("live-photo-requests"))
  func `requesting a version without a video fails`() async throws {
    let asset = try livePhoto()
    try await edit(asset, "E", isStill: true)
    let all = try deliveries(asset)
    #expect(all.map { $0.info.error?.code } == [.requestNotSupportedForAsset])
    #expect(try deliveries(asset) { $0.version = .original }.last?.payload?.movie != nil)
    let plain = try owner.addPhoto()
    #expect(try deliveries(plain).map { $0.info.error?.code } == [.requestNotSupportedForAsset])
    let part = try deliveries(asset) {
      $0.resizeMode = .exact
      $0.normalizedCropRect = .whole
    }
    #expect(part.map { $0.info.error?.code } == [.changeNotSupported])
  }

  @Test(.requirement("live-photo-requests"))
  func `a missing video ends the request with its path`() throws {
    let asset = try livePhoto()
    let path = try #require(try owner.files(of: asset)[.pairedVideo])
    try FileManager.default.removeItem(atPath: path)
    let last = try #require(try deliveries(asset).last)
    #expect(last.payload == nil && last.info.error?.code == .missingResource)
    #expect(last.info.error?.path == path && !last.info.isCancelled)
  }

  @Test(.requirement("live-photo-requests"))
  func `each handler is called exactly once with the last result, canceled or not`() throws {
    let asset = try livePhoto()
    let calls = (0..<16).map { _ in ImageCalls<LivePhoto>() }
    let ids = calls.enumerated().map { index, calls in
      manager.requestLivePhoto(
        for: asset, targetSize: PixelSize(width: 9 + index, height: 9), resultHandler: calls.take)
    }
    for id in ids.reversed() where id.rawValue % 2 == 0 { manager.cancelImageRequest(id) }
    for (id, calls) in zip(ids, calls) {
      let all = try calls.wait()
      #expect(all.count { $0.info.isLast } == 1)
      #expect(all.last?.info.isCancelled == (all.last?.payload == nil))
      if id.rawValue % 2 != 0 { #expect(all.last?.payload?.movie != nil) }
    }
    var options = ImageRequestOptions()
    options.progressHandler = { _, stop in stop = true }
    let stopped = ImageCalls<LivePhoto>()
    manager.requestLivePhoto(
      for: asset, targetSize: box, options: options, resultHandler: stopped.take)
    #expect(try stopped.wait().map(\.info.isCancelled) == [true])
  }
}
