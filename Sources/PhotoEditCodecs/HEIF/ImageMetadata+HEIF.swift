// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

extension ImageMetadata {
  /// Reads the metadata of a HEIC, HEIF or AVIF file.
  ///
  /// The orientation is always `.up`: the file's own rotations and mirrors are part of the image.
  public static func read(
    heif bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    let structure: HEIFStructure
    do throws(BoxError) {
      structure = try HEIFStructure(bytes.buffer)
    } catch {
      var metadata = ImageMetadata()
      metadata.notices = ["The metadata is not read: \(error.message)."]
      return metadata
    }
    var reader = HEIFMetadata(structure, limits: limits)
    try reader.read()
    // The EXIF orientation is compared with the boxes and then dropped.
    var metadata = try ImageMetadata(reader.container, limits: limits)
    metadata.reconcileOrientation(reader.orientation)
    metadata.motionPhotoRange = structure.motionMovie
    metadata.gainMapOfHEIF = structure.gainMap
    return metadata
  }

  /// Drops the EXIF orientation, and adds a notice if it contradicts the boxes.
  ///
  /// Cameras write the same orientation twice, for readers that support only one of the two.
  private mutating func reconcileOrientation(_ orientation: Orientation) {
    if self.orientation != .up, self.orientation != orientation {
      var findings = MetadataDiagnostics()
      findings.notice(
        "EXIF or XMP specifies orientation \(self.orientation.rawValue), the HEIF boxes "
          + "\(orientation.rawValue); the boxes are used.")
      notices += findings.notices
    }
    self.orientation = .up
  }
}

extension HEIFStructure {
  /// The byte range of the motion-photo video; nil if there is no complete one.
  ///
  /// The video is in a box of its own, in an entry of Samsung's trailer, which may be in a box too,
  /// or appended to the file.
  ///
  /// - Source: Google Motion Photo 1.0 (mpvd); Samsung's sefd as found in files.
  var motionMovie: Range<Int>? {
    for box in boxes where box.type == "mpvd" || box.type == "sefd" {
      let within = UnsafeRawBufferPointer(rebasing: bytes[..<box.body.upperBound])
      if let range = MotionPhotoVideo.range(in: within, after: box.body.lowerBound) {
        return range
      }
    }
    let whole = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    return follower.flatMap { MotionPhotoVideo.range(in: whole, after: $0) }
      ?? (end < bytes.count ? MotionPhotoVideo.range(in: bytes, after: end) : nil)
  }
}

/// The tracks of an image sequence, read only to count frames.
///
/// - Source: ISO/IEC 14496-12:2022, 8.3 (tracks), 8.7.3 (sample sizes).
struct HEIFTracks {
  /// Frames of the longest video track; nil if no track states a count.
  private(set) var frameCount: Int?

  private let bytes: UnsafeRawBufferPointer

  /// Further tracks are ignored.
  private static let maximumCount = 256

  init(_ bytes: UnsafeRawBufferPointer, movie: Range<Int>) {
    self.bytes = bytes
    for track in boxes(in: movie) where track.type == "trak" {
      guard let media = box("mdia", in: track.body), let handler = box("hdlr", in: media.body),
        bytes.has(Array("pict".utf8), at: handler.body.lowerBound + 8)
          || bytes.has(Array("vide".utf8), at: handler.body.lowerBound + 8),
        let information = box("minf", in: media.body),
        let table = box("stbl", in: information.body),
        let sizes = box("stsz", in: table.body) ?? box("stz2", in: table.body),
        let count = bytes[sizes.body].unsigned32(at: sizes.body.lowerBound + 8)
      else { continue }
      frameCount = max(frameCount ?? 0, count)
    }
  }

  private func boxes(in range: Range<Int>) -> [Box] {
    var reader = BoxReader(bytes, in: range)
    var found: [Box] = []
    while found.count < Self.maximumCount, let box = try? reader.nextBox() { found.append(box) }
    return found
  }

  private func box(_ type: FourCC, in range: Range<Int>) -> Box? {
    boxes(in: range).first { $0.type == type }
  }
}
