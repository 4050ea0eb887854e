// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Video posters")
struct PosterTests {
  private let owner: TestLibrary

  init() throws { owner = try TestLibrary() }

  private func movie() throws -> Asset {
    var rendering = MovieFile()
    (rendering.width, rendering.height) = (32, 24)
    return try owner.create([
      (.video, MovieFile().bytes), (.fullSizeVideo, rendering.bytes),
      (.adjustmentData, ImageFile.record()),
    ])
  }

  private static func flat(_ size: PixelSize) -> ImageBuffer {
    ImageBuffer(
      size: size, layout: RowLayout(channels: .rgb),
      bytes: [UInt8](repeating: 120, count: size.pixelCount * 3))
  }

  private func manager(_ poster: @escaping ImageManager.Poster) -> ImageManager {
    var configuration = ImageManager.Configuration()
    configuration.poster = poster
    return ImageManager(owner.library, configuration: configuration)
  }

  @Test(.requirement("video-requests"))
  func `a video's image comes from the poster function in the requested shape`() throws {
    let asset = try movie()
    let boxes = LockedValue([PixelSize?]())
    let manager = manager { _, box, _ in
      boxes.withLock { $0.append(box) }
      return Self.flat(box ?? PixelSize(width: 64, height: 48))
    }
    let box = PixelSize(width: 16, height: 12)
    #expect(try manager.now(asset, box) == Self.flat(box))
    let square = PixelSize(width: 10, height: 10)
    let filled = try manager.now(asset, square, .aspectFill) { $0.resizeMode = .exact }
    #expect(filled == Self.flat(square))
    _ = try manager.now(asset, box)
    #expect(boxes.withLock { $0 } == [box, nil])
  }

  @Test(.requirement("video-requests"))
  func `a failing poster function ends the request once with its error`() throws {
    struct Broken: Error {}
    let asset = try movie()
    let calls = ImageCalls<ImageBuffer>()
    manager { _, _, _ in throw Broken() }.requestImage(
      for: asset, targetSize: PixelSize(width: 8, height: 8), resultHandler: calls.take)
    let all = try calls.wait()
    #expect(all.count == 1)
    #expect(all[0].info.error?.code == .invalidResource)
    #expect(all[0].info.error?.message.contains("Broken") == true)
  }
}
