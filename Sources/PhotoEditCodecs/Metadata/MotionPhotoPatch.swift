// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Makes the JPEG of a motion photo say that a movie follows it.
///
/// Written is version 1 of the format alone: the older `MicroVideo` properties say the same in
/// another way, and readers of both go wrong where they differ.
///
/// - Source: Google Motion Photo 1.0.
package enum MotionPhotoPatch {
  /// Writes the properties of XMP; the movie itself is to be put behind the last byte.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes of the movie.
  ///   - mimeType: Such as "video/quicktime".
  ///   - photoTime: Seconds from the beginning of the movie to the moment that the picture shows;
  ///     nil when nobody knows it.
  /// - Returns: Whether the file says so now; it is as it was where that is impossible.
  package static func announce(
    movieOf byteCount: Int, _ mimeType: String, photoTime: Double?, in jpeg: inout [UInt8]
  ) -> Bool {
    guard var head = JPEGHead(jpeg), let metadata = try? ImageMetadata.read(jpeg: FileBytes(jpeg))
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

  /// Whether a property speaks of a movie, or of the parts of a file, as they were.
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
  /// Seconds from the beginning of a motion photo's movie to the moment that the picture shows; nil
  /// where XMP does not say it.
  package var motionPhotoTime: Double? {
    guard let bytes = xmpPacket else { return nil }
    let packet = XMPPacket(bytes)
    let names = ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"]
    let time = names.lazy.compactMap { packet.text(.camera, $0) }
      .compactMap { MetadataText.integer($0) }.first
    return time.flatMap { $0 >= 0 ? Double($0) / 1e6 : nil }
  }
}
