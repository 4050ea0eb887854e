// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Marks the JPEG of a motion photo as followed by a video.
///
/// Only version 1 of the format is written: the older `MicroVideo` properties contain the same
/// information in another form, and readers of both fail where they differ.
///
/// - Source: Google Motion Photo 1.0.
package enum MotionPhotoPatch {
  /// Writes the XMP properties; the caller must append the video itself after the last byte.
  ///
  /// - Parameters:
  ///   - byteCount: Size of the video in bytes.
  ///   - mimeType: A MIME type such as "video/quicktime".
  ///   - photoTime: Seconds from the beginning of the video to the still image; nil if unknown.
  /// - Returns: Whether the file now contains the properties; if that is impossible, the file is
  ///   unchanged.
  package static func announce(
    movieOf byteCount: Int, _ mimeType: String, photoTime: Double?, in jpeg: inout [UInt8]
  ) -> Bool {
    guard var head = JPEGHeaderSegments(jpeg),
      let metadata = try? ImageMetadata.read(jpeg: FileBytes(jpeg))
    else { return false }
    let time = photoTime.flatMap { $0 >= 0 && $0 < 1e9 ? Int(($0 * 1e6).rounded()) : nil }
    let addition = XMPPacket.Addition(
      namespace: .camera,
      values: [
        ("MotionPhoto", "1"), ("MotionPhotoVersion", "1"),
        ("MotionPhotoPresentationTimestampUs", "\(time ?? -1)"),
      ])
    let directory = ContainerDirectory(
      gainMapByteCount: metadata.gainMapRange?.count, movie: (byteCount, mimeType))
    guard head.describe(addition, elements: directory.element, without: isStale) else {
      return false
    }
    jpeg = head.file
    return true
  }

  /// Returns whether a property describes the previous video or the previous items of the file.
  private static func isStale(_ property: XMPProperty) -> Bool {
    switch property.namespace {
    case .camera:
      property.name.hasPrefix("MotionPhoto") || property.name.hasPrefix("MicroVideo")
    case .container: property.name == "Directory"
    default: false
    }
  }
}

extension ImageMetadata {
  /// Seconds from the beginning of a motion photo's video to the still image; nil if XMP does not
  /// state it.
  package var motionPhotoTime: Double? {
    guard let bytes = xmpPacket else { return nil }
    let packet = XMPPacket(bytes)
    let names = ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"]
    let time = names.lazy.compactMap { packet.text(.camera, $0) }
      .compactMap { MetadataText.integer($0) }.first
    return time.flatMap { $0 >= 0 ? Double($0) / 1e6 : nil }
  }
}
