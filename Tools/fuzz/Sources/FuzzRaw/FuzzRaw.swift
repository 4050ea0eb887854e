// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Reads the metadata and the preview of a raw file, and develops images that pass the size checks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = FileBytes(Array(UnsafeBufferPointer(start: start, count: count)))
  let limits = ImageLimits(
    maximumPixels: 1 << 17, maximumSide: 4096, maximumMetadataBytes: 1 << 20,
    maximumMemoryBytes: 1 << 28)
  _ = try? ImageMetadata.read(bytes, limits: limits)
  do throws(CodecError) {
    let decoder = try RawDecoder(bytes, options: DecoderOptions(limits: limits))
    _ = RawPreview(bytes, of: decoder.header.size, limits: limits)
    try decoder.readToEnd(limits: limits)
  } catch {
    return 0
  }
  return 0
}
