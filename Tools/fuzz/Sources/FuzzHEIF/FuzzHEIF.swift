// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Reads boxes and metadata, and decodes images that pass the size checks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = FileBytes(Array(UnsafeBufferPointer(start: start, count: count)))
  let limits = ImageLimits(
    maximumPixels: 1 << 16, maximumSide: 4096, maximumMetadataBytes: 1 << 20)
  _ = try? ImageMetadata.read(heif: bytes, limits: limits)
  do throws(CodecError) {
    try HEIFDecoder(bytes, options: DecoderOptions(limits: limits)).readToEnd()
  } catch {
    return 0
  }
  return 0
}
