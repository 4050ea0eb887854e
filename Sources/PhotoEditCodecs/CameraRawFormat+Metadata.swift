// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPixels
import PhotoEditStorage

/// The metadata of camera raw files that are not TIFF files.
extension CameraRawFormat {
  /// Returns the size and the metadata of such a file; nil for all other files.
  static func separateMetadata(
    _ fileExtension: String, _ file: UnsafeRawBufferPointer, limits: ImageLimits
  ) -> (size: PixelSize?, metadata: ImageMetadata)? {
    switch fileExtension {
    case "cr3":
      guard let canon = CanonRawMetadata(file) else { return nil }
      let metadata = try? ImageMetadata(ContainerMetadata(exif: canon.exif), limits: limits)
      return (canon.size, metadata ?? ImageMetadata())
    case "raf", "rw2":
      let preview = fileExtension == "raf" ? rafPreview(file) : panasonicPreview(file)
      guard let preview, preview.lowerBound >= 0, preview.upperBound <= file.count,
        let metadata = try? ImageMetadata.read(
          jpeg: FileBytes(Array(file[preview])), limits: limits)
      else { return nil }
      let size = fileExtension == "raf" ? rafSize(file) : panasonicSize(file)
      return (size, metadata)
    default: return nil
    }
  }

  // MARK: Fujifilm

  /// - Source: exiftool:lib/Image/ExifTool/FujiFilm.pm, ProcessRAF.
  private static func rafPreview(_ file: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let start = file.unsigned32(at: 84, .big), let count = file.unsigned32(at: 88, .big),
      count > 0
    else { return nil }
    return start..<(start + count)
  }

  private static func rafSize(_ file: UnsafeRawBufferPointer) -> PixelSize? {
    guard var position = file.unsigned32(at: 92, .big),
      let count = file.unsigned32(at: position, .big)
    else { return nil }
    position += 4
    var size: PixelSize?
    for _ in 0..<min(count, 255) {
      guard let tag = file.unsigned16(at: position, .big),
        let length = file.unsigned16(at: position + 2, .big)
      else { break }
      // The size of the whole sensor, or of the image on it.
      if tag == 0x100 || tag == 0x111, let height = file.unsigned16(at: position + 4, .big),
        let width = file.unsigned16(at: position + 6, .big), width > 0, height > 0
      {
        size = PixelSize(width: width, height: height)
      }
      position += 4 + length
    }
    return size
  }

  // MARK: Panasonic

  /// Returns the entries of the main directory: count and offset or value, by tag.
  ///
  /// - Source: exiftool:lib/Image/ExifTool/PanasonicRaw.pm.
  private static func panasonicEntries(
    _ file: UnsafeRawBufferPointer
  ) -> [Int: (count: Int, value: Int)] {
    guard let start = file.unsigned32(at: 4, .little),
      let count = file.unsigned16(at: start, .little)
    else { return [:] }
    var entries: [Int: (count: Int, value: Int)] = [:]
    for index in 0..<min(count, 1000) {
      let position = start + 2 + 12 * index
      guard let tag = file.unsigned16(at: position, .little),
        let type = file.unsigned16(at: position + 2, .little),
        let count = file.unsigned32(at: position + 4, .little),
        let value = type == 3
          ? file.unsigned16(at: position + 8, .little)
          : file.unsigned32(at: position + 8, .little)
      else { break }
      entries[tag] = (count, value)
    }
    return entries
  }

  private static func panasonicPreview(_ file: UnsafeRawBufferPointer) -> Range<Int>? {
    panasonicEntries(file)[0x2E].map { $0.value..<($0.value + $0.count) }
  }

  private static func panasonicSize(_ file: UnsafeRawBufferPointer) -> PixelSize? {
    let entries = panasonicEntries(file)
    guard let top = entries[4]?.value, let left = entries[5]?.value,
      let bottom = entries[6]?.value, let right = entries[7]?.value, top < bottom, left < right
    else { return nil }
    return PixelSize(width: right - left, height: bottom - top)
  }
}
