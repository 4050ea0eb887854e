// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// Writes the coefficients of a JPEG with other Huffman tables and any restart interval.
///
/// The engine writes a restart marker after each MCU row; most cameras write none.
package struct JPEGRecoding {
  private var bytes: [UInt8]
  private var pending = 0
  private var pendingCount = 0

  /// Returns a file with the same image and no metadata.
  ///
  /// - Parameter restartInterval: The number of MCUs between two markers; 0 for no markers.
  package static func recode(
    _ jpeg: [UInt8], restartInterval: Int
  ) throws(CodecError) -> [UInt8] {
    let frame = try JPEGDecoder(FileBytes(jpeg)).frame
    let planes = try jpegCoefficients(jpeg)
    let start = JPEGRecoding(bytes: header(frame, restartInterval))
    return start.finished(frame, planes, restartInterval)
  }

  /// Codes of AC symbols of 8 bits or, from a size of 5 bits on, of 14 bits.
  private static let ac: (short: [UInt8], long: [UInt8]) = {
    let all = (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }
    return ([0, 0xF0] + all.filter { $0 & 15 < 5 }, all.filter { $0 & 15 >= 5 })
  }()

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  private static func header(_ frame: JPEGFrame, _ interval: Int) -> [UInt8] {
    let count = UInt8(frame.components.count)
    var bytes: [UInt8] = [0xFF, 0xD8]
    for (index, table) in frame.tables.enumerated() {
      let values = zigzag.map { UInt8(table.values[$0]) }
      bytes += segment(0xDB, [UInt8(index)] + values)
    }
    let (width, height) = (frame.size.width, frame.size.height)
    var parts = frame.components.enumerated().flatMap { index, component in
      [
        UInt8(index + 1),
        UInt8(component.horizontalSampling << 4 | component.verticalSampling), UInt8(index),
      ]
    }
    if count == 1 { parts[1] = 0x11 }
    bytes += segment(
      0xC0,
      [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), count]
        + parts)
    var lengths = [UInt8](repeating: 0, count: 16)
    lengths[3] = 12
    bytes += segment(0xC4, [0] + lengths + (0..<12).map { UInt8($0) })
    lengths[3] = 0
    (lengths[7], lengths[13]) = (UInt8(ac.short.count), UInt8(ac.long.count))
    bytes += segment(0xC4, [0x10] + lengths + ac.short + ac.long)
    if interval > 0 {
      bytes += segment(0xDD, [UInt8(interval >> 8), UInt8(interval & 255)])
    }
    bytes += segment(0xDA, [count] + (1...count).flatMap { [$0, 0] } + [0, 63, 0])
    return bytes
  }

  private consuming func finished(
    _ frame: JPEGFrame, _ planes: [[Int16]], _ interval: Int
  ) -> [UInt8] {
    let isSingle = planes.count == 1
    let down = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    var last = [Int](repeating: 0, count: planes.count)
    let largest = frame.largestSampling
    for mcu in 0..<down * frame.mcuColumns {
      if interval > 0, mcu > 0, mcu % interval == 0 {
        end()
        bytes += [0xFF, UInt8(0xD0 + (mcu / interval - 1) % 8)]
        last = last.map { _ in 0 }
      }
      for (index, component) in frame.components.enumerated() {
        let h = isSingle ? 1 : component.horizontalSampling
        let v = isSingle ? 1 : component.verticalSampling
        let (outerX, outerY) = isSingle ? (8, 8) : (8 * largest.h, 8 * largest.v)
        let across = (frame.size.width * h + outerX - 1) / outerX
        let rows = (frame.size.height * v + outerY - 1) / outerY
        for y in mcu / frame.mcuColumns * v..<(mcu / frame.mcuColumns + 1) * v {
          for x in mcu % frame.mcuColumns * h..<(mcu % frame.mcuColumns + 1) * h {
            // Blocks that only pad the image repeat the mean.
            guard x < across, y < rows else {
              put(0, 4)
              put(0, 8)
              continue
            }
            let start = (y * across + x) * 64
            add(planes[index][start..<start + 64], &last[index])
          }
        }
      }
    }
    end()
    return bytes + [0xFF, 0xD9]
  }

  private mutating func add(_ block: ArraySlice<Int16>, _ last: inout Int) {
    let values = Self.zigzag.map { Int(block[block.startIndex + $0]) }
    let difference = values[0] - last
    last = values[0]
    put(Self.size(difference), 4)
    putValue(difference)
    var run = 0
    let end = values.lastIndex { $0 != 0 } ?? 0
    for value in values[1...].prefix(end) {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        putSymbol(0xF0)
        run -= 16
      }
      putSymbol(UInt8(run << 4 | Self.size(value)))
      putValue(value)
      run = 0
    }
    if end < 63 { putSymbol(0) }
  }

  private static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }

  private mutating func putValue(_ value: Int) {
    let size = Self.size(value)
    put(value < 0 ? value + (1 << size) - 1 : value, size)
  }

  private mutating func putSymbol(_ symbol: UInt8) {
    if let index = Self.ac.short.firstIndex(of: symbol) { return put(index, 8) }
    guard let index = Self.ac.long.firstIndex(of: symbol) else {
      preconditionFailure("a coefficient of more than ten bits")
    }
    put(Self.ac.short.count << 6 + index, 14)
  }

  private mutating func put(_ value: Int, _ count: Int) {
    pending = pending << count | value
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      let byte = UInt8(pending >> pendingCount & 255)
      bytes += byte == 0xFF ? [byte, 0] : [byte]
    }
    pending &= (1 << pendingCount) - 1
  }

  /// Fills the last byte of an interval with ones.
  private mutating func end() {
    if pendingCount > 0 { put((1 << (8 - pendingCount)) - 1, 8 - pendingCount) }
  }

  private static let zigzag: [Int] = {
    var order = [0]
    for diagonal in 1..<15 {
      let steps = (max(0, diagonal - 7)...min(diagonal, 7)).map { $0 }
      // Odd diagonals go down to the left.
      for row in diagonal.isMultiple(of: 2) ? steps.reversed() : steps {
        order.append(row * 8 + diagonal - row)
      }
    }
    return order
  }()
}
