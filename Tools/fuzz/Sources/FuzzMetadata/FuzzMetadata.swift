// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Reads the metadata of a JPEG or PNG and writes the metadata of a rendering, which must survive a
/// round trip and have orientation `up`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let metadata = try? ImageMetadata.read(FileBytes(bytes)) else { return 0 }
  _ = metadata.summary
  let facts = RenderedImageProperties(
    size: PixelSize(width: 640, height: 480),
    modificationDate: .init(secondsSince1970: 1_777_629_600, utcOffset: 7200))
  let segments = metadata.segments(forRendering: facts).segments
  var jpeg: [UInt8] = [0xFF, 0xD8]
  for segment in segments {
    let length = segment.payload.count + 2
    precondition(length <= 0xFFFF, "a segment is too long")
    jpeg += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 255)] + segment.payload
  }
  guard let again = try? ImageMetadata.read(FileBytes(jpeg + [0xFF, 0xD9])) else {
    preconditionFailure("written metadata cannot be read")
  }
  precondition(again.segments == segments, "metadata changed in a round trip")
  precondition(again.orientation == .up, "metadata of a rendering does not have orientation up")
  return 0
}
