// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels
public import PhotoEditStorage

/// A finished JPEG with a report on its rendering.
public struct Rendering: Sendable, Hashable {
  /// The whole file.
  public let jpeg: [UInt8]
  /// The width and height, with the orientation applied.
  public let size: PixelSize
  /// The processing method.
  public let method: RenderMethod
  /// The tables, the sampling, and the expected size.
  public let encoding: RenderEncoding
  /// The properties of the source that the file does not keep.
  public package(set) var losses: [RenderLoss]
  /// The properties of the source that the file does not keep because of `RenderOptions.strip`.
  public let stripped: [StrippedMetadata]
  /// Irregularities of the source that had no effect.
  public package(set) var notices: [String]
  /// The level counts, if `RenderOptions.countsLevels` requests them and pixels were rendered.
  package internal(set) var levels: LevelCounts?

  /// The path by which it was rendered.
  public var path: RenderPath { method.path }
}

/// The path by which a rendering is created.
public enum RenderPath: String, Sendable, Hashable {
  /// The source's coefficients were rearranged; nothing was requantized.
  case coefficients
  /// Pixels were decoded, filtered and encoded.
  case pixels
}

/// A property of the source that a rendering does not keep.
public struct RenderLoss: Sendable, Hashable {
  /// A stable identifier for scripts.
  public let kind: String
  /// A one-sentence description.
  public let detail: String

  /// Creates a loss.
  public init(kind: String, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// The options of a rendering.
public struct RenderOptions: Sendable {
  /// The JPEG quality of the result.
  public var quality = JPEGQuality.preserve
  /// The handling of excess bits of sources with more than eight bits.
  public var dither = Dither.none
  /// The limits of the decoder.
  public var limits = ImageLimits()
  /// Indicates whether damaged images are rendered as far as possible.
  public var isLenient = false
  /// The policy on decoding in a confined process; nil for that of this process.
  ///
  /// Has no effect on the pixels.
  public var sandbox: SandboxPolicy?
  /// Indicates whether the image is measured and not rendered soon afterwards, so that its decoded
  /// pixels need not be kept.
  package var isOnlyMeasured = false
  /// The number of worker threads; nil means one for each core.
  public var threads: Int?
  /// The modification date to write to the metadata; nil leaves dates unchanged.
  public var modificationDate: RenderedImageProperties.ModificationDate?
  /// The metadata to remove, for sharing.
  public var strip: MetadataRemoval = []
  /// Indicates whether the copyright notice and the creator are kept even if all metadata is removed.
  public var keepsCopyright = false
  /// Indicates whether the result is converted to sRGB, whatever the color space of the source.
  public var convertsToSRGB = false
  /// Indicates whether the JPEG is progressive: it appears with increasing detail while it loads.
  public var isProgressive = false
  /// Indicates whether the graph includes the settings of another program that the metadata of the
  /// photo has, so that programs must not apply them again.
  public var includesSettings = false
  /// Returns the file of an attachment that is not stored in the graph, by its digest; nil if it is
  /// not found.
  public var assetFiles: @Sendable (SHA256Digest) -> [UInt8]? = { _ in nil }
  /// Keeps decoded attachments for the next rendering.
  package var attachments: AttachmentCache?
  /// Called between strips; true ends the rendering with `RenderError.cancelled`.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Receives the time of each run over the pixels; steps that need statistics take another run.
  public var timings: (@Sendable (RenderTimings) -> Void)?

  /// The file to which the JPEG is written while it grows; the caller completes it.
  package var staged: StagedFile?
  /// Indicates whether levels are counted while pixels are encoded.
  package var countsLevels = false
  /// The height of a strip between stages; nil lets the engine choose.
  package var stripHeight: Int?
  /// Indicates whether the lossless path may be used if it is exact.
  package var allowsCoefficients = true
  /// Indicates whether several passes may run at once on narrow tiles.
  package var usesTiles = true
  /// The columns of a tile; nil lets the engine choose.
  package var tileWidth: Int?
  /// The size in bytes up to which all coefficients or samples of a JPEG are kept to rotate them;
  /// larger images are read by columns.
  package var mostBytesKept = 24 << 20
  /// Indicates whether steps may be merged and reordered; otherwise they run as the graph lists
  /// them.
  package var simplifiesPlans = true

  /// Creates the default options.
  public init() {}
}
