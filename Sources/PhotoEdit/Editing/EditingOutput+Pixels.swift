// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditPixels
public import PhotoEditRendering
import PhotoEditStorage

extension EditingOutput {
  /// Writes pixels derived from the input's to `renderedContentURL` as a JPEG.
  ///
  /// Metadata, color profile, quality, thumbnail, and report are the same as for a rendering by a
  /// graph. A buffer of the input's size is assumed to show every point at its original position.
  /// An existing rendering is replaced atomically.
  ///
  /// - Parameters:
  ///   - pixels: Pixels with the orientation applied, of any size, in the color space of
  ///     `EditingInput.pixels()`; RGB pixels for a gray input that has a profile are sRGB.
  ///   - quality: The quality, as for a rendering by a graph.
  ///   - options: The other render options. The modification date is now unless the options specify
  ///     one.
  /// - Throws: `EditingError`; `changeNotSupported` for another color space or a size that a JPEG
  ///   cannot have, `requestNotSupportedForAsset` for a video or an asset that is created in the
  ///   same commit, `userCancelled` if the task is canceled. An existing rendering is then kept.
  @discardableResult
  public func write<Sample>(
    _ pixels: PixelBuffer<Sample>, quality: JPEGQuality = .preserve,
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> RenderReport {
    try await write(quality, options) { image, options throws(RenderError) in
      try Renderer.render(pixels, of: image, options: options)
    }
  }

  /// Writes the input's pixels, changed strip by strip, to `renderedContentURL` as a JPEG.
  ///
  /// The result is the same as for a changed buffer of floats, but only a few strips are in memory.
  ///
  /// - Parameters:
  ///   - quality: The quality, as for a rendering by a graph.
  ///   - options: The other render options. The modification date is now unless the options specify
  ///     one.
  ///   - change: Called concurrently by several threads, once for each row; an error that it throws
  ///     becomes `EditingError.underlying`.
  /// - Throws: `EditingError`, as for a buffer; `invalidResource` if `change` throws.
  @discardableResult
  public func write(
    quality: JPEGQuality = .preserve, options: RenderOptions = RenderOptions(),
    changing change: @escaping PixelChange
  ) async throws(EditingError) -> RenderReport {
    try await write(quality, options) { image, options throws(RenderError) in
      try Renderer.render(image, options: options, changing: change)
    }
  }

  private func write(
    _ quality: JPEGQuality, _ options: RenderOptions,
    _ render:
      @escaping @Sendable (ImageSource, RenderOptions) throws(RenderError) -> Rendering
  ) async throws(EditingError) -> RenderReport {
    guard let input else { throw .noInput(assetName) }
    var options = options
    options.quality = quality
    options.modificationDate =
      options.modificationDate
      ?? .init(secondsSince1970: Int(Date().timeIntervalSince1970), utcOffset: 0)
    return try await inBackground { [options] cancellation throws(EditingError) in
      let image = try input.requireImage()
      let rendering = try input.rendering(render(image, options.stopping(for: cancellation)))
      if cancellation.isCancelled { throw .cancelled }
      try self.replaceRendering(with: rendering.jpeg)
      return .still(rendering)
    }
  }

  /// Replaces the rendering with a JPEG atomically.
  private func replaceRendering(with jpeg: [UInt8]) throws(EditingError) {
    let part = staging.file(UUID().uuidString)
    do throws(FileError) {
      let file = try OpenFile(creating: part)
      try file.write(jpeg)
      try FileSystem.rename(part, to: renderedContentURL.path)
    } catch {
      // The file may not exist yet.
      try? FileSystem.remove(part)
      throw EditingError(error)
    }
    // No graph can reproduce this rendering.
    renderSettings = nil
  }
}
