// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A decoder that converts the rows of an HDR image to Display P3 with the sRGB curve.
final class ToneMappingDecoder: WholeImageDecoder {
  let header: ImageHeader
  private let decoder: any ImageDecoder
  private let mapper: ToneMapper

  init(_ decoder: any ImageDecoder, _ range: HighDynamicRange) {
    (self.decoder, mapper) = (decoder, ToneMapper(range))
    header = decoder.header.toneMapped(range.toneMapping)
  }

  var notices: [DecoderWarning] { decoder.notices }
  var workingBytes: Int { decoder.workingBytes + ToneMapper.byteCount + bytesPerRow }
  var heldBytes: Int { decoder.heldBytes + ToneMapper.byteCount + bytesPerRow }

  func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let rows = try decoder.readRows(count, into: base, bytesPerRow: bytesPerRow)
    for row in 0..<rows {
      mapper.convert(header.size.width, header.layout, at: base + row * bytesPerRow)
    }
    return rows
  }

  func startOver() -> Bool { (decoder as? any WholeImageDecoder)?.startOver() == true }
}

extension ImageDecoder {
  /// Returns a decoder of standard dynamic range.
  func toneMapped(_ range: HighDynamicRange?) -> any ImageDecoder {
    guard let range else { return self }
    return ToneMappingDecoder(self, range)
  }
}
