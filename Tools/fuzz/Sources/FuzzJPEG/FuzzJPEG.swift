// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Decodes strictly or leniently, then transforms the coefficients; the result must be valid.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let choice = Int(bytes.last ?? 0)
  let limits = ImageLimits(maximumPixels: 1 << 16, maximumSide: 4096, maximumScans: 20)
  let options = DecoderOptions(
    limits: limits, isLenient: choice & 1 == 1, decodesLumaOnly: choice & 2 == 2)
  let file = FileBytes(bytes)
  do throws(CodecError) {
    let decoder = try JPEGDecoder(file, options: options)
    let (frame, rotation) = (decoder.frame, Orientation.allCases[choice >> 2 & 7])
    if choice & 32 == 0 { try decoder.readToEnd() }
    let unit = frame.mcuSize
    let near = choice & 64 == 0 ? 0 : 1
    let crop = Region(
      x: 0, y: 0, width: max(1, frame.size.width / unit.width * unit.width),
      height: max(1, (frame.size.height / unit.height - near) * unit.height))
    let transform = JPEGCoefficientTransform(
      orientation: rotation, crop: crop, chroma: choice & 128 == 0 ? .keep : .zero)
    guard Region(frame.size).contains(crop), transform.isExact(for: frame) else { return 0 }
    let result = try transform.run(file, options: options).bytes
    do throws(CodecError) {
      try JPEGDecoder(FileBytes(result)).readToEnd()
    } catch {
      preconditionFailure("a transformed file cannot be decoded: \(error)")
    }
  } catch {
    return 0
  }
  return 0
}
