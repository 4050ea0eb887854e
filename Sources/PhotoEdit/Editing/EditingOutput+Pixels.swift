// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditPixels
public import PhotoEditRendering
import PhotoEditStorage

extension EditingOutput {
  /// Makes a JPEG of pixels that were made of the input's, and puts it at `renderedContentURL`.
  ///
  /// Metadata, color profile, quality, thumbnail and report are those of a rendering by a graph. A
  /// buffer of the input's size counts as showing each place where it was. What was written before is
  /// replaced in one step.
  ///
  /// - Parameters:
  ///   - pixels: Upright, of any size, in the color space of `EditingInput.pixels()`; RGB of a gray
  ///     input that has a profile is sRGB.
  ///   - quality: As of a rendering by a graph.
  ///   - options: How to render besides. The date of change is now unless they name one.
  /// - Throws: `EditingError`; `changeNotSupported` for another color space or a size that a JPEG
  ///   cannot have, `requestNotSupportedForAsset` for a movie or an asset that is made in the same
  ///   commit, `userCancelled` when the task is cancelled. What was written before stays then.
  @discardableResult
  public func write<Sample>(
    _ pixels: PixelBuffer<Sample>, quality: JPEGQuality = .preserve,
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> RenderReport {
    try await write(quality, options) { picture, options throws(RenderError) in
      try Renderer.render(pixels, of: picture, options: options)
    }
  }

  /// Makes a JPEG of the input's pixels, changed strip by strip, and puts it at `renderedContentURL`.
  ///
  /// The result is that of changing a buffer of floats, in the memory of a few strips.
  ///
  /// - Parameters:
  ///   - quality: As of a rendering by a graph.
  ///   - options: How to render besides. The date of change is now unless they name one.
  ///   - change: Is called by several threads at once, once for each row; what it throws is
  ///     `EditingError.underlying`.
  /// - Throws: `EditingError`, as for a buffer; `invalidResource` when `change` throws.
  @discardableResult
  public func write(
    quality: JPEGQuality = .preserve, options: RenderOptions = RenderOptions(),
    changing change: @escaping PixelChange
  ) async throws(EditingError) -> RenderReport {
    try await write(quality, options) { picture, options throws(RenderError) in
      try Renderer.render(picture, options: options, changing: change)
    }
  }

  private func write(
    _ quality: JPEGQuality, _ options: RenderOptions,
    _ render:
      @escaping @Sendable (Picture, RenderOptions) throws(RenderError) -> Rendering
  ) async throws(EditingError) -> RenderReport {
    guard let input else { throw .noInput(assetName) }
    var options = options
    options.quality = quality
    options.modificationDate =
      options.modificationDate
      ?? .init(secondsSince1970: Int(Date().timeIntervalSince1970), utcOffset: 0)
    return try await inBackground { [options] cancellation throws(EditingError) in
      let picture = try input.requirePicture()
      let rendering = try input.rendering { () throws(RenderError) in
        try render(picture, options.stopping(for: cancellation))
      }
      if cancellation.isCancelled { throw .cancelled }
      try self.replaceRendering(with: rendering.jpeg)
      return .still(rendering)
    }
  }

  /// Puts a JPEG in the place of the rendering, in one step.
  private func replaceRendering(with jpeg: [UInt8]) throws(EditingError) {
    let part = staging.file(UUID().uuidString)
    try filing { () throws(FileError) in
      do throws(FileError) {
        let file = try OpenFile(creating: part)
        try file.write(jpeg)
        try FileSystem.rename(part, to: renderedContentURL.path)
      } catch {
        // The file may not exist yet.
        try? FileSystem.remove(part)
        throw error
      }
    }
    // No graph makes it again.
    recipe = nil
  }
}
