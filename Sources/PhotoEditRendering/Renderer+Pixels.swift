// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

/// Pixels that go out to code of a caller and come back as a rendering.
extension Renderer {
  /// Decodes a picture to a buffer: upright, without filters, before anything becomes a JPEG.
  ///
  /// Transparency is laid over the background of an empty graph; inks, and colors that only tables
  /// describe, become sRGB where a rendering without filters would be sRGB.
  ///
  /// - Parameters:
  ///   - box: What the picture is made small for; nil keeps its size. It is never made larger.
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads and cancellation; the others are of no account.
  /// - Throws: `RenderError`, as `render` does.
  public static func pixels<Sample>(
    of picture: Picture, fitting box: PixelSize? = nil, as type: Sample.Type = Sample.self,
    arrangement: PixelArrangement = .interleaved, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PixelBuffer<Sample> {
    var options = options
    options.dither = .none
    let graph = FilterGraph()
    let job =
      if let box { try RenderJob(picture, graph, fitting: box, options: options) } else {
        try RenderJob(picture, graph, options: options)
      }
    let made = Guarded<PixelBuffer<Sample>?>(nil)
    try job.renderRows(bytesPerSample: MemoryLayout<Sample>.stride) { size, planes in
      made.withLock { $0 = nil }
      let space = job.colorSpace(isGray: planes == 1)
      return { strip in
        made.withLock { made in
          if made == nil {
            made = PixelBuffer(
              size: size, channels: planes == 1 ? .gray : .rgb, arrangement: arrangement,
              colorSpace: space, filledWith: .zero)
          }
          for y in strip.rows {
            for channel in 0..<planes {
              made?.store(row: y, channel: channel, from: strip.row(y, plane: channel))
            }
          }
        }
      }
    }
    guard let buffer = made.withLock({ $0 }) else { preconditionFailure("a picture has rows") }
    return buffer
  }

  /// Makes a JPEG of pixels that somebody made of a picture.
  ///
  /// Metadata, profile, quality, thumbnail and report are those of a rendering of the picture by a
  /// graph. A buffer of the picture's size counts as showing each place where it was; of another one
  /// nobody knows, and what metadata says of regions is left out. A gain map is a loss. What only decoding
  /// the picture finds is not among the notices.
  ///
  /// - Parameters:
  ///   - pixels: Of any size, in the color space that `pixels(of:)` gives of the picture; RGB of a
  ///     gray picture that has a profile is sRGB.
  ///   - picture: What they were made of.
  /// - Throws: `RenderError`; `otherColorSpace`, and `tooLarge` for no pixels or beyond 65,500 in a row
  ///   or column.
  public static func render<Sample>(
    _ pixels: PixelBuffer<Sample>, of picture: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    let job = try RenderJob(
      OwnPixels(pixels, isCancelled: options.isCancelled), of: picture, options: options)
    let expected = job.colorSpace(isGray: pixels.channels == .gray)
    guard pixels.colorSpace == expected else {
      throw .otherColorSpace(expected: expected, found: pixels.colorSpace)
    }
    return try job.renderPixels()
  }

  /// Makes a JPEG of samples in the numbers that `raster` gives of a picture.
  ///
  /// - Parameter image: Gray or RGB of any size; transparency is left out.
  package static func render(
    _ image: SampleImage, of picture: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    try RenderJob(
      OwnPixels(image, isCancelled: options.isCancelled), of: picture, options: options
    ).renderPixels()
  }

  /// Makes a JPEG of a picture whose pixels somebody changes strip by strip while it is rendered.
  ///
  /// Everything else is as for a buffer of the picture's size, and memory follows the height of a strip.
  ///
  /// - Parameter change: Is called by several threads at once, once for each row.
  /// - Throws: `RenderError`; `pixels` with what `change` throws.
  public static func render(
    _ picture: Picture, options: RenderOptions = RenderOptions(),
    changing change: @escaping PixelChange
  ) throws(RenderError) -> Rendering {
    try RenderJob(.changed(change), of: picture, options: options).renderPixels()
  }
}
