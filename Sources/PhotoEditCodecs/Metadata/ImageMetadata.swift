// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// The metadata of a picture file, as the marker segments of a JPEG.
///
/// Reading keeps every segment byte for byte and in its order. `segments(forRendering:)` patches
/// the few values that a rendering makes untrue and lists what it cannot keep.
public struct ImageMetadata: Hashable, Sendable {
  /// The segments in the order of the source; for a PNG, the counterparts of its chunks.
  public internal(set) var segments: [JPEGSegment] = []
  /// How the stored pixels are to be turned: EXIF first, then XMP; `.up` when neither is valid.
  public internal(set) var orientation: Orientation = .up
  /// The ICC profile, joined from its pieces; nil when there is none or it is damaged.
  public internal(set) var icc: [UInt8]?
  /// The data colour space of the profile: "RGB ", "GRAY", "CMYK" or "Lab ".
  public internal(set) var iccColorSpace: String?
  /// The name of the profile, such as "Display P3".
  public internal(set) var iccDescription: String?
  /// What the file says about its colours besides a profile; a PNG's chunks go before EXIF.
  package internal(set) var statedColor: StatedColor?
  /// What is odd about the metadata, in sentences; at most 64.
  public internal(set) var notices: [String] = []
  /// What the file holds and no JPEG rendering can keep; at most 64.
  public internal(set) var losses: [MetadataLoss] = []
  /// Where in the file the JPEG of an HDR gain map lies; nil when there is none.
  public internal(set) var gainMapRange: Range<Int>?
  /// Where in the file the movie of a motion photo lies; nil when there is none, or none that is
  /// whole.
  package internal(set) var motionPhotoRange: Range<Int>?
  /// Whether the segments were read from a JPEG, so that a rendering can keep them as they are.
  var isOfJPEG = false
  /// Whether nothing but zeros lies behind the picture besides the gain map.
  var hasGainMapAlone = false
  /// How many pictures a Multi-Picture index lists.
  var listedPictureCount = 0
  /// Whether EXIF shows a small copy of the picture, so that a rendering should too.
  public internal(set) var hasThumbnail = false
  /// Whether EXIF holds JPEGs, be it that small copy, be it a preview in a maker note.
  public internal(set) var hasPreviews = false
  /// Bytes of what the maker of the camera wrote for himself; 0 when there are none.
  public internal(set) var makerNoteByteCount = 0
  /// What people want to know about the picture.
  public internal(set) var summary = MetadataSummary()

  /// Takes the orientation from elsewhere: that of the picture to which this one belongs.
  package mutating func turn(_ orientation: Orientation) { self.orientation = orientation }

  /// Makes the metadata of a picture that has none.
  public init() {}

  /// Most segments that are taken from one file.
  static let maximumSegmentCount = 100_000

  /// Reads the metadata of a picture file, whose format is told by its first bytes.
  ///
  /// A file that is no picture, or none that is read, gives metadata without segments and a notice.
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
    case nil:
      var metadata = ImageMetadata()
      metadata.notices = ["The file is no picture that is read; its metadata is not read."]
      return metadata
    }
  }

  /// Reads the metadata of a JPEG file.
  public static func read(
    jpeg bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    var walk = JPEGMarkerWalk(bytes.buffer, limits: limits)
    try walk.run()
    var metadata = ImageMetadata()
    metadata.isOfJPEG = true
    // What lies behind is no reason to refuse the picture.
    let further = try? TrailingPicture.all(in: bytes.buffer, from: walk.end, limits: limits)
    if let further, let gainMap = further.first(where: \.isGainMap) {
      metadata.gainMapRange = gainMap.range
      metadata.hasGainMapAlone =
        further.count == 1 && bytes.buffer[gainMap.range.upperBound...].allSatisfy { $0 == 0 }
    }
    metadata.motionPhotoRange = MotionPhotoMovie.range(in: bytes.buffer, behind: walk.end)
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
}

extension ImageMetadata {
  /// The JPEGs inside of the EXIF data: the thumbnail, and previews in maker notes; at most 16.
  package var embeddedPreviews: [[UInt8]] {
    guard hasPreviews, let exif = segments.first(where: { $0.kind == .exif }) else { return [] }
    return EmbeddedPreview.ranges(in: exif.payload).prefix(16).map { Array(exif.payload[$0]) }
  }
}

extension ImageMetadata {
  /// The XMP packet without the signature of its segment; nil where there is none.
  package var xmpPacket: [UInt8]? {
    segments.first { $0.kind == .xmp }.map {
      Array($0.payload.dropFirst(JPEGSegment.Signature.xmp.count))
    }
  }

  /// Whether a piece of extended XMP has some bytes in it.
  package func hasExtendedXMP(with bytes: [UInt8]) -> Bool {
    segments.contains { $0.kind == .extendedXMP && $0.payload.firstOffset(of: bytes) != nil }
  }
}
