// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Reads the metadata of an image of any format and decodes it, strictly or leniently.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = FileBytes(Array(UnsafeBufferPointer(start: start, count: count)))
  let limits = ImageLimits(
    maximumPixels: 1 << 16, maximumSide: 4096, maximumMetadataBytes: 1 << 20)
  if let metadata = try? ImageMetadata.read(bytes, limits: limits) {
    let facts = RenderedImageProperties(size: PixelSize(width: 64, height: 48))
    for segment in metadata.segments(forRendering: facts).segments {
      precondition(
        segment.payload.count <= JPEGSegment.maximumPayloadCount, "a segment is too long")
    }
  }
  let options = DecoderOptions(limits: limits, isLenient: count % 2 == 0)
  do throws(CodecError) {
    try ImageDecoders.open(bytes, options: options).readToEnd()
  } catch {
    return 0
  }
  return 0
}
