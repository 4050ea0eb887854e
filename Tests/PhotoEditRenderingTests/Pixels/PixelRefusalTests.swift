// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Rejected pixels")
struct PixelRefusalTests {
  @Test(arguments: [PixelSize(width: 0, height: 4), PixelSize(width: 65_501, height: 1)])
  func `a size not supported by JPEG is rejected`(size: PixelSize) throws {
    let pixels = PixelBuffer<UInt8>(
      size: size, channels: .gray, colorSpace: .sRGB, filledWith: 0)
    #expect {
      try Renderer.render(pixels, of: Charts.source(named: "photo-64.jpg"))
    } throws: {
      guard case RenderError.tooLarge(size) = $0 else { return false }
      return true
    }
  }

  @Test func `pixels of another color space are rejected with both names`() throws {
    let image = try Charts.source(named: "jpeg-display-p3.jpg")
    let pixels = PixelBuffer<UInt8>(
      size: image.size, channels: .rgb, colorSpace: .sRGB, filledWith: 0)
    #expect {
      try Renderer.render(pixels, of: image)
    } throws: {
      "\($0)" == "the pixels are in another color space "
        + "(expected test-images Display P3, found sRGB)"
    }
  }

  private struct Failure: Error, Equatable {}

  @Test(arguments: [1, 3])
  func `an error thrown by the closure ends the rendering and is reported`(threads: Int) throws {
    var options = RenderOptions()
    options.threads = threads
    options.stripHeight = 4
    let image = try Charts.source(named: "photo-64.jpg")
    #expect {
      try Renderer.render(image, options: options) { strip in
        if strip.rows.contains(20) { throw Failure() }
      }
    } throws: {
      guard case RenderError.pixels(let error) = $0 else { return false }
      return error is Failure
    }
    #expect {
      try Renderer.render(image, options: options) { _ in throw CancellationError() }
    } throws: {
      if case RenderError.cancelled = $0 { true } else { false }
    }
  }

  @Test func `reading and writing can be canceled`() throws {
    let image = try Charts.source(named: "photo-64.jpg")
    let pixels = try Renderer.pixels(of: image, as: UInt8.self)
    for after in [0, 1, 3] {
      for run in [
        { _ = try Renderer.pixels(of: image, as: UInt8.self, options: $0) },
        { _ = try Renderer.render(pixels, of: image, options: $0) },
        { _ = try Renderer.render(image, options: $0) { _ in } },
      ] as [(RenderOptions) throws -> Void] {
        let asked = CallCounter()
        var options = RenderOptions()
        options.stripHeight = 4
        options.isCancelled = { asked.next() > after }
        #expect {
          try run(options)
        } throws: {
          if case RenderError.cancelled = $0 { true } else { false }
        }
      }
    }
  }

  @Test func `reading and changing more than the memory limit is rejected`() throws {
    let image = try Charts.source(named: "photo-1024.jpg")
    var options = RenderOptions()
    options.limits.maximumMemoryBytes = 10_000
    let runs: [(RenderOptions) throws -> Void] = [
      { _ = try Renderer.pixels(of: image, as: Float.self, options: $0) },
      { _ = try Renderer.render(image, options: $0) { _ in } },
    ]
    for run in runs {
      #expect {
        try run(options)
      } throws: {
        guard case RenderError.codec(.limitExceeded(.memory, _, 10_000)) = $0 else { return false }
        return true
      }
    }
  }
}
