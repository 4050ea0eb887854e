// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditCodecs
public import PhotoEditPixels
import PhotoEditStorage

extension PixelBuffer {
  /// Decodes an image file, with its orientation applied.
  ///
  /// The color space is that of the file, or sRGB if a rendering without filters would be in sRGB.
  /// Transparent pixels are composited over white.
  ///
  /// - Parameters:
  ///   - file: A file of any format that the build reads.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads and cancellation; the others are ignored.
  /// - Throws: `ImageFileError` if the file cannot be read or decoded, or exceeds the limits.
  public init(
    contentsOf file: URL, arrangement: PixelArrangement = .interleaved,
    options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) {
    let path = file.path
    let bytes = try translating(
      { ImageFileError($0 as FileError, path: path) }, FileBytes.reading(path))
    self = try translating({ ImageFileError($0 as RenderError, path: path) }) {
      () throws(RenderError) in
      try Renderer.pixels(
        of: ImageSource(bytes, limits: options.limits), arrangement: arrangement, options: options)
    }
  }
}
