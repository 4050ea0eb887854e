// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels
public import PhotoEditRendering
public import PhotoEditStorage

/// What a rendering of any medium gave.
public enum RenderReport: Sendable, Hashable {
  /// A JPEG; of a Live Photo, its still.
  case still(Rendering)
  /// A movie in a file.
  case movie(RenderedMovie)

  /// The work that it took, in the word of the JSON reports.
  public var method: String {
    switch self {
    case .still(let rendering): rendering.method.rawValue
    case .movie(let movie): movie.method
    }
  }

  /// Which way it was made, in the word of the JSON reports.
  public var path: String {
    if case .still(let rendering) = self { rendering.path.rawValue } else { method }
  }

  /// As people see it; empty for a movie without pictures.
  public var size: PixelSize {
    switch self {
    case .still(let rendering): rendering.size
    case .movie(let movie): movie.size
    }
  }

  /// Bytes of the rendering.
  public var byteCount: Int {
    switch self {
    case .still(let rendering): rendering.jpeg.count
    case .movie(let movie): movie.byteCount
    }
  }

  /// What of the source the rendering does not hold.
  public var losses: [RenderLoss] {
    switch self {
    case .still(let rendering): rendering.losses
    case .movie(let movie): movie.losses.map { RenderLoss(kind: "movie", detail: $0) }
    }
  }

  /// What of the source it does not hold because `RenderOptions.strip` says so.
  public var stripped: [StrippedMetadata] {
    if case .still(let rendering) = self { rendering.stripped } else { [] }
  }

  /// What was odd about the source and did not matter.
  public var notices: [String] {
    if case .still(let rendering) = self { rendering.notices } else { [] }
  }
}

/// A finished movie and how it was made.
public struct RenderedMovie: Sendable, Hashable {
  /// Frames that were encoded anew.
  public struct Frames: Sendable, Hashable {
    /// As many as the source has.
    public var count: Int
    /// Coded size.
    public var size: PixelSize
    /// What they are encoded with, such as "h264".
    public var codec: String
    /// Bits of a sample.
    public var bitsPerSample: Int
    /// Whether they stand upright themselves; otherwise players turn them.
    public var isUpright: Bool

    package init(count: Int, size: PixelSize, codec: String, bitsPerSample: Int, isUpright: Bool) {
      self.count = count
      self.size = size
      self.codec = codec
      self.bitsPerSample = bitsPerSample
      self.isUpright = isUpright
    }
  }

  /// How the bytes came over, such as "rewritten".
  public var method: String
  /// What brought them over, such as "boxes".
  public var engine: String
  /// Bytes of the file.
  public var byteCount: Int
  /// SHA-256 of the file.
  public var digest: Digest
  /// As people see it; empty without pictures.
  public var size: PixelSize
  /// Which seconds of the source a trim really kept; nil when nothing was trimmed.
  public var kept: ClosedRange<Double>?
  /// The new frames; nil where they are the source's.
  public var frames: Frames?
  /// What of the source the file does not hold, one sentence each.
  public var losses: [String]

  package init(
    method: String, engine: String, byteCount: Int, digest: Digest, size: PixelSize,
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
