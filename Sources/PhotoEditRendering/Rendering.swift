// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels
public import PhotoEditStorage

/// A finished JPEG and how it was made.
public struct Rendering: Sendable, Hashable {
  /// The whole file.
  public let jpeg: [UInt8]
  /// Width and height, upright.
  public let size: PixelSize
  /// The work that it took.
  public let method: RenderMethod
  /// Tables, sampling, and how large it is bound to be.
  public let encoding: RenderEncoding
  /// What of the source the file does not hold.
  public package(set) var losses: [RenderLoss]
  /// What of the source the file does not hold because `RenderOptions.strip` says so.
  public let stripped: [StrippedMetadata]
  /// What was odd about the source and did not matter.
  public let notices: [String]

  /// Which way it was made.
  public var path: RenderPath { method.path }
}

/// Which way a rendering was made.
public enum RenderPath: String, Sendable, Hashable {
  /// The source's coefficients were rearranged; nothing was quantised again.
  case coefficients
  /// Pixels were decoded, filtered and encoded.
  case pixels
}

/// Something of the source that a rendering does not hold.
public struct RenderLoss: Sendable, Hashable {
  /// A stable word for scripts.
  public let kind: String
  /// One sentence.
  public let detail: String

  /// Makes a loss.
  public init(kind: String, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// How to render.
public struct RenderOptions: Sendable {
  /// How finely the result is quantised.
  public var quality = JPEGQuality.preserve
  /// What is done about bits beyond the eighth.
  public var dither = Dither.none
  /// What the decoder refuses.
  public var limits = ImageLimits()
  /// Whether damaged pictures are rendered as far as they go.
  public var isLenient = false
  /// Workers; nil means one for each core.
  public var threads: Int?
  /// The date of change that goes into the metadata; nil leaves dates as they are.
  public var modificationDate: RenderingFacts.ModificationDate?
  /// What metadata is left out, for sharing.
  public var strip: MetadataStrip = []
  /// Finds the file of an asset that a graph does not hold itself, by its digest; nil where there
  /// is none.
  public var assetFiles: @Sendable (Digest) -> [UInt8]? = { _ in nil }
  /// Asked between strips; true ends the rendering with `RenderError.cancelled`.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Rows of a strip between stages; nil lets the engine choose.
  package var stripHeight: Int?
  /// Whether the lossless path may be taken where it is exact.
  package var allowsCoefficients = true
  /// Whether several passes may run at once on narrow tiles.
  package var usesTiles = true
  /// Columns of a tile; nil lets the engine choose.
  package var tileWidth: Int?
  /// Whether steps are joined and change places; without it they run as the graph lists them.
  package var simplifiesPlans = true

  /// Makes the default options.
  public init() {}
}
