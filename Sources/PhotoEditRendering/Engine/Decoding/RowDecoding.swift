// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// A decoder of any format that delivers pixels in order from the top; of JPEG, the files without
/// split decoding.
struct RowDecoding: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  let decoder: any ImageDecoder
  let pool: StripPool
  let transparency: TransparencyFinding

  var name: String { "decoding" }
  var height: Int { decoder.header.size.height }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let header = decoder.header
    let strip = Strip(
      rows: rows, bytesPerRow: header.layout.bytesPerRow(width: header.size.width), pool: pool)
    var done = 0
    try codec { () throws(CodecError) in
      while done < rows.count {
        let count = try decoder.readRows(
          rows.count - done, into: strip.memory + done * strip.bytesPerRow,
          bytesPerRow: strip.bytesPerRow)
        guard count > 0 else {
          throw .damaged(
            message: "unexpected end of image", recoveredRows: rows.lowerBound + done, rows: height)
        }
        done += count
      }
    }
    transparency.inspect(strip, header.layout)
    return strip
  }
}

/// A search for decoded pixels that are not opaque; without one, an alpha channel has no effect.
final class TransparencyFinding: Sendable {
  private let isFound = LockedValue(false)

  /// Indicates whether a pixel that is not opaque was decoded.
  var hasTransparentPixels: Bool { isFound.withLock { $0 } }

  /// Inspects the alpha channel of rows, until a pixel is found.
  func inspect(_ strip: Strip, _ layout: RowLayout) {
    guard layout.channels.hasAlpha, !hasTransparentPixels else { return }
    let bytes = UnsafeRawBufferPointer(
      start: strip.memory, count: strip.rows.count * strip.bytesPerRow)
    let isOpaque =
      layout.bytesPerSample == 1
      ? Self.isOpaque(bytes.bindMemory(to: UInt8.self), channels: layout.channels.count)
      : Self.isOpaque(bytes.bindMemory(to: UInt16.self), channels: layout.channels.count)
    if !isOpaque { isFound.withLock { $0 = true } }
  }

  private static func isOpaque<Sample: FixedWidthInteger>(
    _ samples: UnsafeBufferPointer<Sample>, channels: Int
  ) -> Bool {
    var common = Sample.max
    for index in stride(from: channels - 1, to: samples.count, by: channels) {
      common &= samples[index]
    }
    return common == Sample.max
  }
}
