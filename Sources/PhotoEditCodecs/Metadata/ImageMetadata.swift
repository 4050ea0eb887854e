// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// The metadata of an image file, as the marker segments of a JPEG.
///
/// Reading keeps every segment byte for byte and in order. `segments(forRendering:)` patches the
/// few values that a rendering invalidates and lists what it cannot keep.
public struct ImageMetadata: Hashable, Sendable {
  /// The segments in the order of the source; for a PNG, the equivalents of its chunks.
  public internal(set) var segments: [JPEGSegment] = []
  /// The orientation of the stored pixels, from EXIF or else XMP; `.up` if neither is valid.
  public internal(set) var orientation: Orientation = .up
  /// The ICC profile, joined from its parts; nil if absent or damaged.
  public internal(set) var icc: [UInt8]?
  /// The data color space of the profile: "RGB ", "GRAY", "CMYK" or "Lab ".
  public internal(set) var iccColorSpace: String?
  /// The name of the profile, such as "Display P3".
  public internal(set) var iccDescription: String?
  /// The color space that the file declares besides a profile; the chunks of a PNG take precedence
  /// over EXIF.
  package internal(set) var statedColor: DeclaredColorSpace?
  /// Irregularities in the metadata, one sentence each; at most 64.
  public internal(set) var notices: [String] = []
  /// The contents that no JPEG rendering can keep; at most 64.
  public internal(set) var losses: [MetadataLoss] = []
  /// The range of an HDR gain map's JPEG in the file; nil if absent.
  public internal(set) var gainMapRange: Range<Int>?
  /// The gain map in an HEIF file; nil if absent.
  package internal(set) var gainMapOfHEIF: HEIFGainMap?
  /// The range of a motion photo's video in the file; nil if absent or incomplete.
  package internal(set) var motionPhotoRange: Range<Int>?
  /// Indicates whether the segments were read from a JPEG, so that a rendering can keep them as is.
  var isOfJPEG = false
  /// Indicates whether nothing but zeros follows the image, apart from the gain map.
  var hasGainMapAlone = false
  /// The number of images that a Multi-Picture index lists.
  var listedImageCount = 0
  /// Indicates whether EXIF contains a thumbnail, so that a rendering should too.
  public internal(set) var hasThumbnail = false
  /// Indicates whether EXIF contains JPEGs: the thumbnail or a preview in a maker note.
  public internal(set) var hasPreviews = false
  /// Size in bytes of the camera maker's private data; 0 if absent.
  public internal(set) var makerNoteByteCount = 0
  /// The metadata of general interest.
  public internal(set) var summary = MetadataSummary()

  /// Sets the orientation from another source: the image to which this one belongs.
  package mutating func setOrientation(_ orientation: Orientation) {
    self.orientation = orientation
  }

  /// Creates the metadata of an image that has none.
  public init() {}

  /// The maximum number of segments read from one file.
  static let maximumSegmentCount = 100_000

  /// Reads the metadata of an image file, detecting the format from its first bytes.
  ///
  /// A file that is not a supported image yields metadata without segments and with a notice.
  public static func read(
    _ bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    switch try? ImageFormat.detect(bytes.buffer) {
    case .jpeg: return try read(jpeg: bytes, limits: limits)
    case .png: return try read(png: bytes, limits: limits)
    case .heif, .avif: return try read(heif: bytes, limits: limits)
    case .webp:
      return try ImageMetadata(
        ContainerMetadata(webP: bytes.buffer, limits: limits), limits: limits)
    case .tiff:
      return try ImageMetadata(
        ContainerMetadata(tiff: bytes.buffer, limits: limits), limits: limits)
    case .gif:
      return try ImageMetadata(
        ContainerMetadata(gif: bytes.buffer, limits: limits), limits: limits)
    case .raw: return read(raw: bytes, limits: limits)
    case nil:
      var metadata = ImageMetadata()
      metadata.notices = ["The file is not a supported image; its metadata is not read."]
      return metadata
    }
  }

  /// Reads the metadata of a JPEG file.
  public static func read(
    jpeg bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    var walk = JPEGMarkerParser(bytes.buffer, limits: limits)
    try walk.run()
    var metadata = ImageMetadata()
    metadata.isOfJPEG = true
    // Damaged data after the image is no reason to reject it.
    let further = try? TrailingImage.all(in: bytes.buffer, from: walk.end, limits: limits)
    if let further, let gainMap = further.first(where: \.isGainMap) {
      metadata.gainMapRange = gainMap.range
      metadata.hasGainMapAlone =
        further.count == 1 && bytes.buffer[gainMap.range.upperBound...].allSatisfy { $0 == 0 }
    }
    metadata.motionPhotoRange = MotionPhotoVideo.range(in: bytes.buffer, after: walk.end)
    metadata.interpret(
      walk.segments, trailer: UnsafeRawBufferPointer(rebasing: bytes.buffer[walk.end...]),
      findings: walk.findings)
    return metadata
  }

  /// Reads the metadata of a PNG file.
  public static func read(
    png bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    var chunks = PNGChunks(bytes.buffer, limits: limits)
    try chunks.run()
    var metadata = ImageMetadata()
    metadata.interpret(
      chunks.segments, trailer: UnsafeRawBufferPointer(rebasing: bytes.buffer[chunks.end...]),
      findings: chunks.findings)
    metadata.statedColor = chunks.color.stated ?? metadata.statedColor
    return metadata
  }

  /// The JPEGs inside the EXIF data: the thumbnail, and previews in maker notes; at most 16.
  package var embeddedPreviews: [[UInt8]] {
    guard hasPreviews, let exif = segments.first(where: { $0.kind == .exif }) else { return [] }
    return EmbeddedPreview.ranges(in: exif.payload).prefix(16).map { Array(exif.payload[$0]) }
  }

  /// The XMP packet without the signature of its segment; nil if absent.
  package var xmpPacket: [UInt8]? {
    segments.first { $0.kind == .xmp }.map {
      Array($0.payload.dropFirst(JPEGSegment.Signature.xmp.count))
    }
  }

  /// Returns whether a part of extended XMP contains the given bytes.
  package func hasExtendedXMP(with bytes: [UInt8]) -> Bool {
    segments.contains { $0.kind == .extendedXMP && $0.payload.firstOffset(of: bytes) != nil }
  }

  /// Creates the segments of a JPEG rendered from this image and lists everything that is left out.
  ///
  /// The order of the source is kept. If the segments include a JFIF segment, it is the first one,
  /// and the encoder must not write its own; there is never an Adobe segment among them.
  public func rendered(_ facts: RenderedImageProperties) -> RenderedMetadata {
    var rendering = MetadataRendering(source: self, facts: facts)
    return rendering.run()
  }

  /// Returns the segments and the losses of `rendered(_:)`.
  public func segments(
    forRendering facts: RenderedImageProperties
  ) -> (segments: [JPEGSegment], losses: [MetadataLoss]) {
    let result = rendered(facts)
    return (result.segments, result.losses)
  }

  /// Indicates whether an XMP packet contains instance identifiers, so that a rendering needs its
  /// own.
  public var hasInstanceIdentifier: Bool {
    segments.contains { segment in
      segment.kind == .xmp
        && segment.payload.firstOffset(
          of: Array(XMPNamespace.mediaManagement.rawValue.utf8)) != nil
    }
  }
}

/// The metadata that a rendering receives from its source, and what is left out.
public struct RenderedMetadata: Hashable, Sendable {
  /// The segments in the order in which they are written.
  public var segments: [JPEGSegment]
  /// Metadata left out because a rendering cannot hold it; begins with `ImageMetadata.losses`.
  public var losses: [MetadataLoss]
  /// Metadata left out on request.
  public var stripped: [StrippedMetadata]
  /// Differences from the source that are not losses; at most 64.
  public var notices: [String] = []
}
