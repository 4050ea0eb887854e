// SPDX-License-Identifier: Apache-2.0

/// Iterates over the datasets of the IPTC information interchange model.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapter 1.
struct IPTCDatasets: Sequence, IteratorProtocol {
  /// One dataset.
  struct Dataset {
    /// The record number times 256 plus the number in the record.
    let number: Int
    /// Marker, number, length and value.
    let whole: Range<Int>
    /// The value.
    let data: Range<Int>
  }

  /// Indicates whether iteration ended at something that is not a dataset.
  private(set) var isDamaged = false
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func next() -> Dataset? {
    guard position < bytes.endIndex, !isDamaged else { return nil }
    guard bytes[position] == 0x1C else {
      // The end may be padded with zeros.
      isDamaged = !bytes[position...].allSatisfy { $0 == 0 }
      position = bytes.endIndex
      return nil
    }
    guard let number = bytes.unsigned16(at: position + 1), let data = data() else {
      isDamaged = true
      return nil
    }
    let whole = position..<data.upperBound
    position = data.upperBound
    return Dataset(number: number, whole: whole, data: data)
  }

  /// The range of the value of the dataset at the current position; nil if it is out of bounds.
  private func data() -> Range<Int>? {
    guard var count = bytes.unsigned16(at: position + 3) else { return nil }
    var start = position + 5
    if count & 0x8000 != 0 {
      let digits = count & 0x7FFF
      guard (1...4).contains(digits), digits <= bytes.endIndex - start else { return nil }
      count = bytes[start..<(start + digits)].reduce(0) { $0 << 8 | Int($1) }
      start += digits
    }
    return count <= bytes.endIndex - start ? start..<(start + count) : nil
  }
}
