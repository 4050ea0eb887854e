// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs

/// The samples of one MCU row for an encoder, converted from rows of separate channels.
///
/// The bytes are those that libjpeg computes from interleaved pixels: pixels on the right and rows
/// at the bottom are repeated to whole MCUs before chroma is averaged.
final class EncoderSamples {
  /// The pixel rows of an MCU row.
  let mcuHeight: Int
  private let width: Int
  private let sampling: ChromaSampling
  private let bytesPerRow: Int
  private let bytesPerChromaRow: Int
  private let memory: UnsafeMutablePointer<UInt8>
  private let luma: UnsafeMutablePointer<UInt8>
  private let chroma: [UnsafeMutablePointer<UInt8>]
  /// Chroma of the rows before they are averaged.
  private let pairs: [UnsafeMutablePointer<UInt8>]

  /// Prepares for rows of a width.
  init(width: Int, sampling: ChromaSampling) {
    self.width = width
    self.sampling = sampling
    mcuHeight = 8 * sampling.vertical
    let mcuWidth = 8 * sampling.horizontal
    bytesPerRow = (width + mcuWidth - 1) / mcuWidth * mcuWidth
    bytesPerChromaRow = bytesPerRow / sampling.horizontal
    let counts =
      [mcuHeight * bytesPerRow] + [Int](repeating: 8 * bytesPerChromaRow, count: 2)
      + [Int](repeating: sampling.vertical * bytesPerRow, count: 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: counts.reduce(0, +))
    let starts = counts.indices.map { memory + counts[..<$0].reduce(0, +) }
    self.memory = memory
    luma = starts[0]
    chroma = [starts[1], starts[2]]
    pairs = [starts[3], starts[4]]
  }

  deinit { memory.deallocate() }

  /// Converts up to `mcuHeight` rows, and passes them to an encoder.
  func write(_ rows: Range<Int>, of strip: Strip, to encoder: JPEGBandEncoder) throws(CodecError) {
    for y in 0..<mcuHeight where y % sampling.vertical == 0 {
      guard y < rows.count else {
        repeatRows(from: y)
        break
      }
      for row in 0..<sampling.vertical {
        let last = min(y + row, rows.count - 1)
        convert(strip.row(rows.lowerBound + last), to: y + row, row)
      }
      average(y / sampling.vertical)
    }
    try encoder.writeSamples(
      luma: luma, bytesPerRow: bytesPerRow,
      chroma: (UnsafePointer(chroma[0]), UnsafePointer(chroma[1])),
      bytesPerChromaRow: bytesPerChromaRow)
  }

  /// Converts a row of pixels, and repeats the last one on the right.
  private func convert(_ row: UnsafeMutableRawPointer, to y: Int, _ rowOfPair: Int) {
    let red = row.assumingMemoryBound(to: UInt8.self)
    let target = luma + y * bytesPerRow
    let (cb, cr) = (pairs[0] + rowOfPair * bytesPerRow, pairs[1] + rowOfPair * bytesPerRow)
    pe_rgb_to_ycc(red, red + width, red + 2 * width, width, target, cb, cr)
    extend(target)
    extend(cb)
    extend(cr)
  }

  private func extend(_ row: UnsafeMutablePointer<UInt8>) {
    (row + width).update(repeating: row[width - 1], count: bytesPerRow - width)
  }

  private func average(_ y: Int) {
    for (plane, pair) in zip(chroma, pairs) {
      let target = plane + y * bytesPerChromaRow
      if sampling.horizontal == 1 {
        target.update(from: pair, count: bytesPerChromaRow)
      } else {
        pe_average_pairs(
          pair, sampling.vertical == 1 ? nil : pair + bytesPerRow, bytesPerChromaRow, target)
      }
    }
  }

  /// Fills the MCU row with the row above.
  private func repeatRows(from y: Int) {
    for row in y..<mcuHeight {
      (luma + row * bytesPerRow).update(from: luma + (y - 1) * bytesPerRow, count: bytesPerRow)
    }
    let first = y / sampling.vertical
    for plane in chroma {
      for row in first..<8 {
        (plane + row * bytesPerChromaRow).update(
          from: plane + (first - 1) * bytesPerChromaRow, count: bytesPerChromaRow)
      }
    }
  }
}
