// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditRendering
import PhotoEditStorage

extension EditingInput {
  /// Decodes the still at full size for code that processes pixels itself.
  ///
  /// The orientation is applied. The color space is that of the file, or sRGB if a rendering
  /// without filters would be in sRGB.
  ///
  /// - Parameters:
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads, and cancellation; other options are ignored.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a video, `userCancelled` if the
  ///   task is canceled.
  public func pixels<Sample>(
    as type: Sample.Type = Sample.self, arrangement: PixelArrangement = .interleaved,
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<Sample> {
    try await inBackground { cancellation throws(EditingError) in
      let image = try self.requireImage()
      return try self.rendering(
        Renderer.pixels(
          of: image, arrangement: arrangement, options: options.stopping(for: cancellation)))
    }
  }

  /// Decodes the still at a reduced size for display on a screen.
  ///
  /// The orientation is applied. The color space is that of the file, or sRGB if a rendering
  /// without filters would be in sRGB. A JPEG is decoded at a reduced scale, which takes a fraction
  /// of the time.
  ///
  /// - Parameters:
  ///   - box: The size that the result must fit into; the result is never larger than the still.
  ///   - options: Limits, leniency, threads, and cancellation; other options are ignored.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a video, `userCancelled` if the
  ///   task is canceled.
  public func displaySizeImage(
    fitting box: PixelSize = PixelSize(width: 2048, height: 2048),
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<UInt8> {
    try await inBackground { cancellation throws(EditingError) in
      let image = try self.requireImage()
      return try self.rendering(
        Renderer.pixels(
          of: image, fitting: box, options: options.stopping(for: cancellation)))
    }
  }

  /// Evaluates an expression and rethrows its render error as an editing error for the still.
  package func rendering<Value>(
    _ body: @autoclosure () throws(RenderError) -> Value
  ) throws(EditingError) -> Value {
    try translating({ EditingError($0, path: version == .original ? assetName : path) }, body)
  }
}
