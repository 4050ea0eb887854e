// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditRendering

/// A renderer of one medium for editing sessions: stills, videos, or Live Photos.
///
/// A session chooses the version, finds the attachments of the graph, rejects losses, commits, and
/// reports; a renderer only renders.
public protocol MediaRenderer: Sendable {
  /// Indicates whether the renderer always writes to files, so that a dry run needs an output too.
  var needsFiles: Bool { get }

  /// Renders a graph on the input of a session; blocks the calling thread.
  ///
  /// - Parameters:
  ///   - options: The session's options. They find the attachments stored with the edit, and their
  ///     modification date is the date of the edit.
  ///   - output: The output for the rendering; nil for a dry run of a renderer that needs no files.
  /// - Throws: `EditingError`.
  func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport
}

/// A renderer that writes stills as JPEGs.
public struct StillRenderer: MediaRenderer {
  /// Creates a renderer of stills.
  public init() {}

  /// Always false: a still is rendered in memory.
  public var needsFiles: Bool { false }

  /// Renders a graph on a still.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    let image = try input.requireImage()
    guard let output else {
      return .still(try input.rendering(Renderer.render(image, graph, options: options)))
    }
    // Undo renders from the recorded settings alone; they contain every option that affects bytes.
    let rendering = try output.write(options, RenderSettings(options)) {
      options throws(EditingError) in
      try input.rendering(Renderer.render(image, graph, options: options))
    }
    return .still(rendering)
  }
}

/// The result of rendering any medium.
public enum RenderReport: Sendable, Hashable {
  /// A JPEG; for a Live Photo, its still.
  case still(Rendering)
  /// A video file.
  case movie(RenderedMovie)

  /// The rendering method, as named in JSON reports.
  public var method: String {
    switch self {
    case .still(let rendering): rendering.method.rawValue
    case .movie(let movie): movie.method
    }
  }

  /// The rendering path, as named in JSON reports.
  public var path: String {
    if case .still(let rendering) = self { rendering.path.rawValue } else { method }
  }

  /// The size with the orientation applied; empty for a video without frames.
  public var size: PixelSize {
    switch self {
    case .still(let rendering): rendering.size
    case .movie(let movie): movie.size
    }
  }

  /// The size of the rendering in bytes.
  public var byteCount: Int {
    switch self {
    case .still(let rendering): rendering.jpeg.count
    case .movie(let movie): movie.byteCount
    }
  }

  /// The source data that the rendering does not contain.
  public var losses: [RenderLoss] {
    switch self {
    case .still(let rendering): rendering.losses
    case .movie(let movie): movie.losses.map { RenderLoss(kind: "movie", detail: $0) }
    }
  }

  /// The source metadata that the rendering does not contain because of `RenderOptions.strip`.
  public var stripped: [StrippedMetadata] {
    if case .still(let rendering) = self { rendering.stripped } else { [] }
  }

  /// Notices about irregularities of the source that had no effect.
  public var notices: [String] {
    if case .still(let rendering) = self { rendering.notices } else { [] }
  }
}

/// A finished video and the method by which it was made.
public struct RenderedMovie: Sendable, Hashable {
  /// Frames that were re-encoded.
  public struct Frames: Sendable, Hashable {
    /// The number of frames, the same as in the source.
    public var count: Int
    /// The coded size.
    public var size: PixelSize
    /// The codec, such as "h264".
    public var codec: String
    /// Bits per sample.
    public var bitsPerSample: Int
    /// Indicates whether the orientation is applied to the pixels; otherwise players rotate the
    /// frames.
    public var isOriented: Bool

    package init(count: Int, size: PixelSize, codec: String, bitsPerSample: Int, isOriented: Bool) {
      self.count = count
      self.size = size
      self.codec = codec
      self.bitsPerSample = bitsPerSample
      self.isOriented = isOriented
    }
  }

  /// The method by which the video was made, such as "rewritten".
  public var method: String
  /// The engine that made the video, such as "boxes".
  public var engine: String
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The SHA-256 of the file.
  public var digest: SHA256Digest
  /// The size with the orientation applied; empty for a video without frames.
  public var size: PixelSize
  /// The range of the source, in seconds, that a trim actually kept; nil if nothing was trimmed.
  public var kept: ClosedRange<Double>?
  /// The re-encoded frames; nil if the source's frames were copied.
  public var frames: Frames?
  /// The source data that the file does not contain, one sentence each.
  public var losses: [String]

  package init(
    method: String, engine: String, byteCount: Int, digest: SHA256Digest, size: PixelSize,
    kept: ClosedRange<Double>?, frames: Frames?, losses: [String]
  ) {
    self.method = method
    self.engine = engine
    self.byteCount = byteCount
    self.digest = digest
    self.size = size
    self.kept = kept
    self.frames = frames
    self.losses = losses
  }
}
