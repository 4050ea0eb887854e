// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels

/// Slices of an image: runs of whole restart intervals that can be read independently.
///
/// A slice that is not clean is rejected; the image must then be read from the beginning, which
/// identifies the damage and the rows before it.
package final class JPEGRestartIntervals: @unchecked Sendable {
  // Safe: reading a slice changes only the caller's memory.
  /// The error for a slice that is not clean; it does not describe the damage, if any.
  package static let refusal = CodecError.damaged(
    message: "a restart interval is damaged", recoveredRows: nil, rows: nil)

  /// MCU rows in every slice but the last.
  package let rowsPerInterval: Int
  private let decoder: JPEGDecoder
  private let layout: JPEGCoefficientLayout
  private let starts: [UnsafePointer<UInt8>?]

  init?(_ decoder: JPEGDecoder, layout: JPEGCoefficientLayout, rowsPerInterval: Int) {
    // Slices begin where both a restart interval and an MCU row begin.
    let interval = decoder.frame.restartInterval
    let mcuWidth = decoder.frame.mcuSize.width
    let across = (decoder.frame.size.width + mcuWidth - 1) / mcuWidth
    guard interval > 0, across > 0 else { return nil }
    let unit = interval / Self.greatestCommonDivisor(interval, across)
    let rowsPerInterval = (max(1, rowsPerInterval) + unit - 1) / unit * unit
    let expected = (layout.mcuRows + rowsPerInterval - 1) / rowsPerInterval
    guard expected > 1 else { return nil }
    var starts = [UnsafePointer<UInt8>?](repeating: nil, count: expected)
    let found = pe_jpeg_find_intervals(
      decoder.handle.pointer, Int32(rowsPerInterval), &starts, Int32(expected))
    guard found == expected else { return nil }
    self.decoder = decoder
    self.layout = layout
    self.rowsPerInterval = rowsPerInterval
    self.starts = starts
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  /// Reads complete slices, on any thread.
  ///
  /// - Throws: `refusal`.
  package func readRows(_ rows: Range<Int>, into base: UnsafeMutableRawPointer) throws(CodecError) {
    precondition(
      rows.lowerBound % rowsPerInterval == 0, "restart intervals are read from their start")
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsPerInterval) {
      let part = first..<min(first + rowsPerInterval, rows.upperBound)
      precondition(part.count == rowsPerInterval || part.upperBound == layout.mcuRows)
      let memory: [UnsafeMutablePointer<UInt8>?] = part.map {
        (base + ($0 - rows.lowerBound) * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      }
      let code = pe_jpeg_read_interval(
        decoder.handle.pointer, starts[first / rowsPerInterval], memory, Int32(first),
        Int32(part.count))
      if code != .PE_JPEG_OK {
        throw Self.refusal
      }
    }
  }
}
