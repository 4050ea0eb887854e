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

  /// Runs a body whose failures are those of rendering the still.
  package func rendering<Value>(
    _ body: () throws(RenderError) -> Value
  ) throws(EditingError) -> Value {
    do throws(RenderError) { return try body() } catch {
      throw EditingError(error, path: version == .original ? assetName : path)
    }
  }
}
