// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("JPEG scaled decoding")
struct JPEGScaleTests {
  @Test(
    arguments: [
      "jpeg-444.jpg", "jpeg-581x387.jpg", "jpeg-progressive.jpg", "jpeg-gray.jpg", "jpeg-411.jpg",
      "jpeg-arithmetic.jpg",
    ], DecodingScale.allCases)
  func `a scaled pixel is the mean of the pixels it covers`(
    name: String, scale: DecodingScale
  ) throws {
    let bytes = FileBytes(try TestImages.bytes(name))
    // In luma, because clipped colors have other means.
    let full = try ImageDecoders.decode(bytes, options: DecoderOptions(decodesLumaOnly: true))
    let small = try ImageDecoders.decode(
      bytes, options: DecoderOptions(decodesLumaOnly: true, scale: scale))
    #expect(small.size == scale.applied(to: full.size))
    let n = scale.rawValue
    var sum = 0.0
    for y in 0..<small.size.height {
      for x in 0..<small.size.width {
        for channel in 0..<small.layout.channels.count {
          var mean = 0.0
          var count = 0.0
          for row in (n * y)..<min(n * (y + 1), full.size.height) {
            for column in (n * x)..<min(n * (x + 1), full.size.width) {
              mean += Double(full[x: column, y: row, channel: channel])
              count += 1
            }
          }
          sum += abs(mean / count - Double(small[x: x, y: y, channel: channel]))
        }
      }
    }
    let samples = small.size.pixelCount * small.layout.channels.count
    #expect(sum / Double(samples) <= (n == 1 ? 0 : 1.5))
  }

  @Test(arguments: [DecodingScale.full, .half, .eighth])
  func `damage is reported in rows of the scaled image`(scale: DecodingScale) throws {
    let bytes = try TestImages.bytes("jpeg-restart.jpg")
    let truncated = FileBytes(Array(bytes.prefix(bytes.count * 3 / 4)))
    let decoder = try JPEGDecoder(truncated, options: DecoderOptions(scale: scale))
    let full = try JPEGDecoder(truncated)
    guard case .damaged(_, let recoveredRows?, let rows)? = error(of: decoder),
      case .damaged(_, let fullRows?, _)? = error(of: full)
    else {
      Issue.record("the number of recovered rows is missing")
      return
    }
    #expect(rows == decoder.header.size.height)
    #expect(recoveredRows == fullRows / scale.rawValue && fullRows > 0)
  }

  private func error(of decoder: JPEGDecoder) -> CodecError? {
    #expect(throws: CodecError.self) { try decoder.readToEnd() }
  }
}
