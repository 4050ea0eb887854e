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

/// The directory of the items stored one after another in a file: image, gain map, video.
///
/// - Source: Google Ultra HDR 1.1 and Motion Photo 1.0, container elements.
struct ContainerDirectory {
  /// Size of the gain map in bytes; nil if absent.
  var gainMapByteCount: Int?
  /// The video of a motion photo, which comes last: its size in bytes and its type.
  var movie: (byteCount: Int, mimeType: String)?

  /// The XMP property, with the namespaces that it needs.
  var element: String {
    let container = XMPNamespace.container.rawValue
    func item(_ attributes: String, _ type: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item \(attributes) "
        + "Item:Mime=\"\(type)\"/></rdf:li>"
    }
    var items = item("Item:Semantic=\"Primary\"", "image/jpeg")
    if let gainMapByteCount {
      items += item("Item:Semantic=\"GainMap\" Item:Length=\"\(gainMapByteCount)\"", "image/jpeg")
    }
    if let movie {
      items += item(
        "Item:Semantic=\"MotionPhoto\" Item:Length=\"\(movie.byteCount)\"", movie.mimeType)
    }
    return "<Container:Directory xmlns:Container=\"\(container)\" xmlns:Item=\"\(container)item/\" "
      + "xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\"><rdf:Seq>\(items)</rdf:Seq></Container:Directory>"
  }
}

/// The video that a motion photo contains after its image.
///
/// Vendors mark it in different ways: Google by `MicroVideoOffset` and later by a container
/// directory, Samsung by a trailer. All of these are wrong in some files, so the boxes of the video
/// are authoritative for its position.
enum MotionPhotoVideo {
  /// The maximum number of offsets examined as the possible beginning of a video.
  private static let candidates = 16

  /// Finds the video.
  ///
  /// - Parameters:
  ///   - file: All bytes.
  ///   - end: The end of the image.
  /// - Returns: The range from the first to the last box; nil if there is no complete video.
  static func range(in file: UnsafeRawBufferPointer, after end: Int) -> Range<Int>? {
    var start = end
    for _ in 0..<candidates {
      guard start < file.count,
        let found = UnsafeRawBufferPointer(rebasing: file[start...])
          .firstOffset(of: Array("ftyp".utf8))
      else { return nil }
      let type = start + found
      if type - 4 >= end, let range = boxes(file, from: type - 4) { return range }
      start = type + 4
    }
    return nil
  }

  /// Returns the range of consecutive boxes; nil if they are not a video.
  private static func boxes(_ file: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    var position = start
    var seen: Set<String> = []
    while file.count - position >= 8 {
      var size = file.unsigned32(at: position) ?? 0
      let type = String(decoding: file[(position + 4)..<(position + 8)], as: UTF8.self)
      guard boxTypes.contains(type) else { break }
      if size == 1, let high = file.unsigned32(at: position + 8),
        let low = file.unsigned32(at: position + 12)
      {
        guard high < 1 << 30 else { break }
        size = high << 32 | low
      }
      guard size >= 8, size <= file.count - position else { break }
      seen.insert(type)
      position += size
    }
    return seen.isSuperset(of: ["ftyp", "moov", "mdat"]) ? start..<position : nil
  }

  private static let boxTypes: Set<String> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "moof", "mfra", "sidx",
    "styp", "udta",
  ]
}
