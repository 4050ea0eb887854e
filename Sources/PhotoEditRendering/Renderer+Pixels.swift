// SPDX-License-Identifier: Apache-2.0
package import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

/// Decoding to pixels for a caller, and rendering of the caller's pixels.
extension Renderer {
  /// Decodes an image to a buffer: orientation applied, without filters, before encoding to JPEG.
  ///
  /// Transparency is composited over the background of an empty graph; CMYK components, and colors
  /// that only tables describe, become sRGB where a rendering without filters would be sRGB.
  ///
  /// - Parameters:
  ///   - box: The size that the image is reduced to fit into; nil keeps its size. The image is
  ///     never enlarged.
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads and cancellation; the others are ignored.
  /// - Throws: `RenderError`, as `render` does.
  public static func pixels<Sample>(
    of image: ImageSource, fitting box: PixelSize? = nil, as type: Sample.Type = Sample.self,
    arrangement: PixelArrangement = .interleaved, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PixelBuffer<Sample> {
    try pixels(
      of: image, FilterGraph(), fitting: box, arrangement: arrangement, options: options)
  }

  /// Renders a graph to a buffer, as `pixels(of:fitting:)` does without filters.
  package static func pixels<Sample>(
    of image: ImageSource, _ graph: FilterGraph, fitting box: PixelSize? = nil,
    arrangement: PixelArrangement = .interleaved, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PixelBuffer<Sample> {
    var options = options
    options.dither = .none
    let job =
      if let box { try RenderJob(image, graph, fitting: box, options: options) } else {
        try RenderJob(image, graph, options: options).adapted()
      }
    let result = LockedValue<PixelBuffer<Sample>?>(nil)
    try job.renderRows(bytesPerSample: MemoryLayout<Sample>.stride) { size, planes in
      result.withLock { $0 = nil }
      let space = job.colorSpace(isGray: planes == 1)
      return { strip in
        result.withLock { result in
          if result == nil {
            result = PixelBuffer(
              size: size, channels: planes == 1 ? .gray : .rgb, arrangement: arrangement,
              colorSpace: space, filledWith: .zero)
          }
          for y in strip.rows {
            for channel in 0..<planes {
              result?.store(row: y, channel: channel, from: strip.row(y, plane: channel))
            }
          }
        }
      }
    }
    guard let buffer = result.withLock({ $0 }) else { preconditionFailure("image height is 0") }
    return buffer
  }

  /// Returns the color space of the pixels of an image, gray or not.
  package static func colorSpace(
    of image: ImageSource, isGray: Bool, options: RenderOptions
  ) throws(RenderError) -> PixelColorSpace {
    try RenderJob(image, FilterGraph(), options: options).colorSpace(isGray: isGray)
  }

  /// Creates a JPEG from pixels that the caller derived from an image.
  ///
  /// Metadata, profile, quality, thumbnail and report are those of a rendering of the image by a
  /// graph. In a buffer of the image's size, every point is assumed to be at its original position;
  /// for other sizes the geometry is unknown, and metadata about regions is dropped. A gain map is
  /// reported as a loss. Notices that only decoding the image would find are not included.
  ///
  /// - Parameters:
  ///   - pixels: Pixels of any size, in the color space that `pixels(of:)` returns for the image;
  ///     RGB pixels of a gray image with a profile are sRGB.
  ///   - image: The image that they were derived from.
  /// - Throws: `RenderError`; `otherColorSpace`, and `tooLarge` for no pixels or more than 65,500
  ///   in a row or column.
  public static func render<Sample>(
    _ pixels: PixelBuffer<Sample>, of image: ImageSource, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    let job = try RenderJob(
      OwnPixels(pixels, isCancelled: options.isCancelled), of: image, options: options)
    let expected = job.colorSpace(isGray: pixels.channels == .gray)
    guard pixels.colorSpace == expected else {
      throw .otherColorSpace(expected: expected, found: pixels.colorSpace)
    }
    return try job.renderPixels()
  }

  /// Creates a JPEG from samples in the color space that `raster` returns for an image.
  ///
  /// - Parameter image: Gray or RGB of any size; transparency is ignored.
  package static func render(
    _ image: ImageBuffer, of source: ImageSource, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    try RenderJob(
      OwnPixels(image, isCancelled: options.isCancelled), of: source, options: options
    ).renderPixels()
  }

  /// Creates a JPEG from an image while the caller changes its pixels strip by strip.
  ///
  /// Everything else is as for a buffer of the image's size, and memory depends on the height of a
  /// strip.
  ///
  /// - Parameter change: Called by several threads at once, once for each row.
  /// - Throws: `RenderError`; `pixels` with the error that `change` throws.
  public static func render(
    _ image: ImageSource, options: RenderOptions = RenderOptions(),
    changing change: @escaping PixelChange
  ) throws(RenderError) -> Rendering {
    try RenderJob(.changed(change), of: image, options: options).renderPixels()
  }
}
