// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
package import PhotoEditStorage

extension ImageFormat {
  /// Returns the size in the header of an image, which may be of a kind that is not supported; nil
  /// if it is unknown.
  package func statedSize(of bytes: FileBytes) -> PixelSize? {
    switch self {
    case .jpeg: JPEGFrameHeader.statedSize(of: bytes.buffer)
    case .heif, .avif:
      (try? HEIFStructure(bytes.buffer)).flatMap { $0.item($0.primary)?.size }
    case .tiff: Self.tiffSize(bytes.buffer)
    case .png, .webp, .gif, .raw: nil
    }
  }

  private static func tiffSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    guard let file = TIFFFile(bytes), let page = TIFFPages(file)?.image,
      let width = file.integer(ExifTag.imageWidth, in: page),
      let height = file.integer(ExifTag.imageLength, in: page), width > 0, height > 0
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}

extension JPEGFrameHeader {
  /// Returns the size in the first frame header of any coding process.
  fileprivate static func statedSize(of bytes: UnsafeRawBufferPointer) -> PixelSize? {
    var position = 2
    while let marker = JPEGMarker.next(in: bytes, from: position).marker {
      position = marker.end
      let isFrame =
        (0xC0...0xCF).contains(marker.code) && ![0xC4, 0xC8, 0xCC].contains(marker.code)
        || marker.code == 0xF7
      guard let payload = JPEGMarker.payload(in: bytes, at: position) else { return nil }
      guard isFrame else {
        position = payload.upperBound
        continue
      }
      guard payload.count >= 5 else { return nil }
      func number(_ offset: Int) -> Int {
        let start = payload.lowerBound + offset
        return Int(bytes[start]) << 8 | Int(bytes[start + 1])
      }
      let size = PixelSize(width: number(3), height: number(1))
      return size.width > 0 && size.height > 0 ? size : nil
    }
    return nil
  }
}
