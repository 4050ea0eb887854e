// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditRendering
import PhotoEditStorage

/// The output of an editing session: a rendering and the adjustment data to reopen the edit.
///
/// Staged files are deleted with the output, or when the process ends, unless they are committed.
public final class EditingOutput: Sendable {
  private struct Contents {
    var adjustmentData: AdjustmentData?
    var editor: String?
    var assets: [SHA256Digest: Data] = [:]
    var ownRendering: OwnRendering?
    var isCommitted = false
  }

  /// The file that photoedit rendered, as it was written.
  package struct OwnRendering: Sendable {
    let digest: SHA256Digest
    /// The settings by which it can be made again; nil if no graph describes it.
    package let renderSettings: RenderSettings?
    /// The file, to notice that another one took its place.
    let version: FileVersion
  }

  /// The medium of the rendering.
  public let media: EditingMediaType

  /// The URL at which to write the rendering before the commit: a JPEG with the orientation `up`,
  /// or a QuickTime movie for a video.
  public let renderedContentURL: URL
  /// The path of the file, which is not made absolute: the current folder may have a name that no
  /// text can hold.
  package var contentPath: String { renderedContentURL.relativePath }

  /// The URL at which to write the video paired with the rendering of a Live Photo; nil for other
  /// media.
  ///
  /// Still and video must have the same content identifier. Without a video, the asset is a plain
  /// still until it is reverted.
  public let pairedVideoURL: URL?

  /// The name of the photo that the output belongs to.
  package let assetName: String
  /// The session's input; nil for a photo that is created together with its edit.
  let input: EditingInput?
  /// Indicates whether only photoedit knows the output, so that no other code changes its files.
  let isPrivate: Bool
  package let staging: StagingFolder

  /// Indicates whether the photo is created in the same commit.
  package var isForNewAsset: Bool { input == nil }
  private let contents = LockedValue(Contents())

  init(input: EditingInput, staging: StagingFolder, isPrivate: Bool) {
    assetName = input.assetName
    self.input = input
    self.isPrivate = isPrivate
    media = input.media
    self.staging = staging
    (renderedContentURL, pairedVideoURL) = Self.contentURLs(input.media, staging)
  }

  /// Creates the output for an asset that is created in the same commit.
  package init(newAsset name: String, _ media: EditingMediaType, staging: StagingFolder) {
    assetName = name
    input = nil
    isPrivate = false
    self.media = media
    self.staging = staging
    (renderedContentURL, pairedVideoURL) = Self.contentURLs(media, staging)
  }

  private static func contentURLs(_ media: EditingMediaType, _ staging: StagingFolder) -> (
    URL, URL?
  ) {
    func url(_ name: String) -> URL { URL(filePath: staging.file(name)) }
    return switch media {
    case .photo: (url("rendered.jpg"), nil)
    case .movie: (url("rendered.mov"), nil)
    case .livePhoto: (url("rendered.jpg"), url("paired.mov"))
    }
  }

  /// The data from which the edit can be reopened; must be set before the commit.
  public var adjustmentData: AdjustmentData? {
    get { contents.withLock { $0.adjustmentData } }
    set { contents.withLock { $0.adjustmentData = newValue } }
  }

  /// The identifier of the program that edits, in reverse-DNS notation, 1–1024 bytes of UTF-8.
  ///
  /// The record of the edit has it, and other programs read it as `adjustmentEditorBundleID`. If it
  /// is nil, the client of the store or library is recorded; if that is photoedit and the data is
  /// not, its format.
  public var editor: String? {
    get { contents.withLock { $0.editor } }
    set { contents.withLock { $0.editor = newValue } }
  }

  /// Attachments that the adjustment data refers to by digest only.
  package var assets: [SHA256Digest: Data] {
    get { contents.withLock { $0.assets } }
    set { contents.withLock { $0.assets = newValue } }
  }

  /// The rendering made by photoedit, which needs no check.
  package var ownRendering: OwnRendering? { contents.withLock { $0.ownRendering } }

  /// Records a video that photoedit rendered.
  package func noteMovie(_ digest: SHA256Digest) {
    guard let version = FileVersion(contentPath) else { return }
    contents.withLock {
      $0.ownRendering = OwnRendering(digest: digest, renderSettings: nil, version: version)
    }
  }

  /// Claims the output's only commit; returns false if it was already claimed.
  package func claim() -> Bool {
    contents.withLock { contents in
      defer { contents.isCommitted = true }
      return !contents.isCommitted
    }
  }

  /// Releases the claim after a failed commit.
  package func release() { contents.withLock { $0.isCommitted = false } }

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
      // No graph can reproduce this rendering.
      let rendering = try self.write(options.stopping(for: cancellation), nil, replacing: true) {
        options throws(EditingError) in
        let rendering = try input.rendering(render(image, options))
        if cancellation.isCancelled { throw .cancelled }
        return rendering
      }
      return .still(rendering)
    }
  }

  /// Writes a rendering while it is made; it gets its name when it is complete.
  ///
  /// - Parameter replacing: Whether an existing rendering is replaced.
  func write(
    _ options: RenderOptions, _ renderSettings: RenderSettings?, replacing: Bool = false,
    _ render: (RenderOptions) throws(EditingError) -> Rendering
  ) throws(EditingError) -> Rendering {
    let staged = try mapFileErrors(
      StagedFile(for: contentPath, of: staging, keepsDigest: true))
    var options = options
    options.staged = staged
    let rendering = try render(options)
    let own = try translating(EditingError.init) { () throws(FileError) in
      let digest = try staged.complete(with: rendering.jpeg)
      try staged.publish(replacing: replacing)
      // The version of the file itself: another one may have its name by now.
      let version = try FileVersion(of: staged.file)
      return digest.map {
        OwnRendering(digest: $0, renderSettings: renderSettings, version: version)
      }
    }
    contents.withLock { $0.ownRendering = own }
    return rendering
  }
}
