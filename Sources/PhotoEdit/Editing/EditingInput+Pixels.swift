// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditRendering

extension EditingInput {
  /// Decodes the still at full size for code that works on pixels of its own.
  ///
  /// It is upright, and in the color space of the file, or in sRGB where a rendering without filters
  /// would be.
  ///
  /// - Parameters:
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads and cancellation; the others are of no account.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a movie, `userCancelled` when the
  ///   task is cancelled.
  public func pixels<Sample>(
    as type: Sample.Type = Sample.self, arrangement: PixelArrangement = .interleaved,
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<Sample> {
    try await inBackground { cancellation throws(EditingError) in
      let picture = try self.requirePicture()
      return try self.rendering { () throws(RenderError) in
        try Renderer.pixels(
          of: picture, arrangement: arrangement, options: options.stopping(for: cancellation))
      }
    }
  }

  /// Decodes the still small, as a picture of it on a screen.
  ///
  /// It is upright, in the color space of the file, or in sRGB where a rendering without filters
  /// would be. A JPEG is decoded at a smaller scale, which takes a fraction of the time.
  ///
  /// - Parameters:
  ///   - box: What it must fit into; it is never larger than the still.
  ///   - options: Limits, leniency, threads and cancellation; the others are of no account.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a movie, `userCancelled` when the
  ///   task is cancelled.
  public func displaySizeImage(
    fitting box: PixelSize = PixelSize(width: 2048, height: 2048),
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<UInt8> {
    try await inBackground { cancellation throws(EditingError) in
      let picture = try self.requirePicture()
      return try self.rendering { () throws(RenderError) in
        try Renderer.pixels(
          of: picture, fitting: box, options: options.stopping(for: cancellation))
      }
    }
  }

  /// Runs a body whose failures are those of rendering the still.
  package func rendering<Value>(
    _ body: () throws(RenderError) -> Value
  ) throws(EditingError) -> Value {
    do throws(RenderError) { return try body() } catch {
      throw EditingError(error, path: version == .original ? assetName : path)
    }
  }
}
