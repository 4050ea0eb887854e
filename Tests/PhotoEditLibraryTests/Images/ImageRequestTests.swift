// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditRendering

@Suite("Image requests")
struct ImageRequestTests {
  private let owner: TestLibrary
  private let manager: ImageManager

  init() throws {
    owner = try TestLibrary()
    manager = ImageManager(owner.library)
  }

  private func photo(_ name: String = "photo-64.jpg") throws -> Asset {
    try owner.create([(.photo, try TestImages.bytes(name))])
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  /// Target size, content mode, and result sizes of a 64×48 image for modes none, fast and exact.
  static let grid: [(PixelSize, ImageContentMode, [PixelSize])] = [
    (size(32, 32), .aspectFit, [size(64, 48), size(32, 24), size(32, 24)]),
    (size(32, 32), .aspectFill, [size(64, 48), size(43, 32), size(32, 32)]),
    (size(20, 40), .aspectFit, [size(64, 48), size(20, 15), size(20, 15)]),
    (size(20, 40), .aspectFill, [size(64, 48), size(53, 40), size(20, 40)]),
    (size(128, 128), .aspectFit, [size(64, 48), size(64, 48), size(128, 96)]),
    (size(128, 128), .aspectFill, [size(64, 48), size(64, 48), size(128, 128)]),
    (ImageManager.maximumSize, .aspectFit, [size(64, 48), size(64, 48), size(64, 48)]),
  ]

  @Test(.requirement("image-target-size"))
  func `an image is fitted into the target size or fills it`() throws {
    let asset = try photo()
    for (target, mode, sizes) in Self.grid {
      let image = try manager.now(asset, target, mode)
      #expect(image.size == sizes[1], "\(target) \(mode)")
    }
  }

  @Test(.requirement("image-resize-modes"))
  func `each resize mode gives its expected size`() throws {
    let asset = try photo()
    for (target, mode, sizes) in Self.grid {
      for resizeMode in ImageResizeMode.allCases {
        let image = try manager.now(asset, target, mode) { $0.resizeMode = resizeMode }
        #expect(image.size == sizes[resizeMode.rawValue], "\(target) \(mode) \(resizeMode)")
      }
    }
  }

  @Test(.requirement("image-resize-modes"))
  func `a crop rectangle requires exact resizing and must be inside the image`() throws {
    let asset = try photo()
    let half = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
    let image = try manager.now(asset, Self.size(16, 16), .aspectFill) { options in
      options.resizeMode = .exact
      options.normalizedCropRect = half
    }
    #expect(image.size == Self.size(16, 16))
    for change: (inout ImageRequestOptions) -> Void in [
      { $0.normalizedCropRect = half },
      {
        $0.resizeMode = .exact
        $0.normalizedCropRect = NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1)
      },
    ] {
      do {
        _ = try manager.now(asset, Self.size(16, 16), .aspectFill, change)
        Issue.record("an image was delivered")
      } catch let error as LibraryError {
        #expect(error.code == .changeNotSupported)
      }
    }
  }

  /// Adds a photo with an embedded preview in its EXIF data.
  private func photoWithCopy() throws -> Asset {
    let copy = ImageBuffer(
      size: Self.size(32, 24), layout: RowLayout(channels: .rgb),
      bytes: [UInt8](repeating: 90, count: 32 * 24 * 3))
    var file = ImageFile()
    file.exif = [.blob(0x927C, try Thumbnail(copy).jpeg())]
    return try owner.create([(.photo, try file.jpeg())])
  }

  @Test(.requirement("image-delivery-modes"))
  func `an opportunistic request delivers a degraded image first, then the final one`() throws {
    let asset = try photoWithCopy()
    let calls = ImageCalls<ImageBuffer>()
    let id = manager.requestImage(
      for: asset, targetSize: Self.size(48, 48), resultHandler: calls.take)
    let all = try calls.wait()
    #expect(all.map(\.info.isDegraded) == [true, false])
    #expect(all.map(\.info.isLast) == [false, true])
    #expect(all.allSatisfy { $0.info.requestID == id && $0.info.error == nil })
    #expect(all.first?.payload?.size == Self.size(32, 24))
    #expect(all.last?.payload?.size == Self.size(48, 36))
  }

  @Test(.requirement("image-delivery-modes"))
  func `a high-quality request delivers the final image once`() throws {
    let asset = try photoWithCopy()
    var options = ImageRequestOptions()
    options.deliveryMode = .highQuality
    let calls = ImageCalls<ImageBuffer>()
    manager.requestImage(
      for: asset, targetSize: Self.size(48, 48), options: options, resultHandler: calls.take)
    let all = try calls.wait()
    #expect(all.map(\.info.isDegraded) == [false])
    #expect(all.last?.payload?.size == Self.size(48, 36))
  }

  @Test(.requirement("image-delivery-modes"))
  func `a fast request delivers once, possibly a degraded image`() throws {
    var options = ImageRequestOptions()
    options.deliveryMode = .fast
    for (asset, isDegraded) in [(try photoWithCopy(), true), (try photo(), false)] {
      let calls = ImageCalls<ImageBuffer>()
      manager.requestImage(
        for: asset, targetSize: Self.size(48, 48), options: options, resultHandler: calls.take)
      #expect(try calls.wait().map(\.info.isDegraded) == [isDegraded])
    }
  }

  @Test(.requirement("image-versions", "image-data"))
  func `the three versions of an edited RAW+JPEG pair are three files`() async throws {
    let jpeg = try TestImages.bytes("photo-64.jpg")
    let raw = ImageFile.dng()
    let asset = try owner.create([(.photo, jpeg), (.alternatePhoto, raw)])
    try await EditorB.edit(owner.library, asset, "one")
    var found: [[UInt8]] = []
    for version in ImageVersion.allCases {
      var options = ImageRequestOptions()
      options.version = version
      options.deliveryMode = .fast
      found.append(try await manager.imageData(for: asset, options: options).bytes)
    }
    #expect(found[0] == (try EditorB.rendering("one")))
    #expect(found[1] == jpeg)
    #expect(found[2] == raw)
  }

  @Test(.requirement("image-versions"))
  func `an edit appears in the next image, and the unadjusted version stays available`()
    async throws
  {
    let asset = try photo()
    let box = Self.size(64, 64)
    #expect(try manager.now(asset, box).size == Self.size(64, 48))
    try await EditorB.edit(owner.library, asset, "one")
    #expect(try manager.now(asset, box).size == Self.size(17, 1))
    #expect(try manager.now(asset, box) { $0.version = .unadjusted }.size == Self.size(64, 48))
  }

  @Test(.requirement("image-request-cancellation"))
  func `a synchronous request calls once, on the calling thread`() throws {
    let asset = try photoWithCopy()
    var options = ImageRequestOptions()
    options.isSynchronous = true
    for mode in ImageDeliveryMode.allCases {
      options.deliveryMode = mode
      let calls = ImageCalls<ImageBuffer>()
      let id = manager.requestImage(
        for: asset, targetSize: Self.size(40, 40), options: options, resultHandler: calls.take)
      #expect(calls.all.count == 1)
      manager.cancelImageRequest(id)
      #expect(calls.all.count == 1)
    }
  }

  @Test(.requirement("image-request-cancellation"))
  func `each handler is called exactly once with the last result, canceled or not`() throws {
    let asset = try photo("photo-1024.jpg")
    let calls = (0..<24).map { _ in ImageCalls<ImageBuffer>() }
    var ids: [ImageRequestID] = []
    for (index, calls) in calls.enumerated() {
      ids.append(
        manager.requestImage(
          for: asset, targetSize: Self.size(100 + index, 100), resultHandler: calls.take))
    }
    #expect(Set(ids).count == ids.count)
    for id in ids.reversed() where id.rawValue % 3 != 0 { manager.cancelImageRequest(id) }
    for (index, calls) in calls.enumerated() {
      let all = try calls.wait()
      #expect(all.count { $0.info.isLast } == 1)
      let last = try #require(all.last)
      #expect(last.info.isCancelled == (last.payload == nil))
      if ids[index].rawValue % 3 == 0 { #expect(last.payload != nil) }
    }
    for id in ids { manager.cancelImageRequest(id) }
    #expect(calls.allSatisfy { $0.all.count { $0.info.isLast } == 1 })
  }

  @Test(.requirement("image-request-cancellation"))
  func `a progress handler that stops cancels its request`() throws {
    let asset = try photo()
    var options = ImageRequestOptions()
    options.progressHandler = { _, stop in stop = true }
    let calls = ImageCalls<ImageBuffer>()
    manager.requestImage(
      for: asset, targetSize: Self.size(9, 9), options: options, resultHandler: calls.take)
    let all = try calls.wait()
    #expect(all.map(\.info.isCancelled) == [true])
    #expect(all[0].info.error?.code == .userCancelled)
  }

  @Test(.requirement("image-request-cancellation"))
  func `canceling a task cancels its request`() async throws {
    let asset = try photo()
    let task = Task { [manager] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await manager.image(for: asset, targetSize: Self.size(10, 10))
    }
    do {
      _ = try await task.value
      // The image may have been delivered before the cancellation.
    } catch let error as LibraryError {
      #expect(error.code == .userCancelled)
    }
  }

  @Test(.requirement("image-data"))
  func `image data are the file's bytes with type and orientation`() async throws {
    var file = ImageFile()
    file.main = [.short(0x0112, 6)]
    let bytes = try file.jpeg()
    let asset = try owner.create([(.photo, bytes)])
    let data = try await manager.imageData(for: asset)
    #expect(data.bytes == bytes)
    #expect(data.uniformType == "public.jpeg")
    #expect(data.orientation == .right)
  }

  @Test(.requirement("image-data"))
  func `image data that no longer match the recorded digest are rejected`() async throws {
    let asset = try photo()
    let path = try #require(try owner.files(of: asset)[.photo])
    var bytes = try FileBytes.reading(path).array
    bytes[bytes.count / 2] ^= 1
    try FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(filePath: path))
    let error = try await libraryError { _ = try await manager.imageData(for: asset) }
    #expect(error?.code == .invalidResource)
  }

  @Test(.requirement("video-requests"))
  func `a video request returns the file and streams of the requested version`() async throws {
    var rendering = MovieFile()
    (rendering.width, rendering.height) = (32, 24)
    let movie = try owner.create([
      (.video, MovieFile().bytes), (.fullSizeVideo, rendering.bytes),
      (.adjustmentData, ImageFile.record()),
    ])
    var options = ImageRequestOptions()
    let current = try await manager.movie(for: movie, options: options)
    #expect(try Data(contentsOf: current.url) == Data(rendering.bytes))
    #expect(current.info.streams.count == 1)
    options.version = .original
    let original = try await manager.movie(for: movie, options: options)
    #expect(try Data(contentsOf: original.url) == Data(MovieFile().bytes))
    let asset = try photo()
    let error = try await libraryError { _ = try await manager.movie(for: asset) }
    #expect(error?.code == .requestNotSupportedForAsset)
  }

  @Test(.requirement("video-requests"))
  func `the video of a Live Photo matches the requested version or is rejected`() async throws {
    let movie = MovieFile.live("L", seed: 1)
    let asset = try owner.create([
      (.photo, try ImageFile.live("L", seed: 1)), (.pairedVideo, movie),
    ])
    #expect(try Data(contentsOf: try await manager.movie(for: asset).url) == Data(movie))
    // The rendering is a still without a video.
    try await EditorB.edit(owner.library, asset, "one")
    let error = try await libraryError { _ = try await manager.movie(for: asset) }
    #expect(error?.code == .requestNotSupportedForAsset)
    #expect(error?.message.contains("still image without a video") == true)
    var options = ImageRequestOptions()
    options.version = .original
    let original = try await manager.movie(for: asset, options: options)
    #expect(try Data(contentsOf: original.url) == Data(movie))
  }

  @Test func `a failed request calls its handler once with the error`() throws {
    let asset = try photo()
    let path = try #require(try owner.files(of: asset)[.photo])
    try FileManager.default.removeItem(atPath: path)
    let calls = ImageCalls<ImageBuffer>()
    manager.requestImage(for: asset, targetSize: Self.size(8, 8), resultHandler: calls.take)
    let all = try calls.wait()
    #expect(all.count == 1)
    #expect(all[0].info.error?.code == .missingResource)
    #expect(!all[0].info.isCancelled)
    let removed = try owner.addAsset { $0.mediaType = .video }
    do {
      _ = try manager.now(removed, Self.size(8, 8))
      Issue.record("an image was delivered")
    } catch let error as LibraryError {
      #expect(error.code == .requestNotSupportedForAsset)
    }
  }
}
