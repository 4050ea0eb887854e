// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Checks that a Matroska or AVI file has all the bytes that its outermost element declares.
enum ContainerCompleteness {
  static func requireComplete(
    _ file: borrowing OpenFile, container: MovieContainer
  ) throws(MovieError) {
    let size = try file.movieSize()
    let head = try file.bytes(at: 0, atMost: 256)
    let announced = container == .avi ? aviSize(head) : matroskaSize(head)
    guard let announced else { throw .damaged("the video has no \(container) header") }
    guard announced <= size else {
      throw .damaged("the file has \(size) of \(announced) bytes")
    }
  }

  private static func aviSize(_ head: [UInt8]) -> Int? {
    guard head.count >= 12 else { return nil }
    let payload = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    return payload + 8
  }

  /// Returns the end of the segment; RFC 8794 for the numbers, RFC 9559 for the elements.
  private static func matroskaSize(_ head: [UInt8]) -> Int? {
    var position = 4
    guard let header = number(head, &position) else { return nil }
    let (segment, overflows) = position.addingReportingOverflow(header)
    guard !overflows, segment <= head.count - 12,
      Array(head[segment..<(segment + 4)]) == [0x18, 0x53, 0x80, 0x67]
    else { return nil }
    position = segment + 4
    // A streamed recording has no stored size.
    guard let body = number(head, &position) else { return 0 }
    return position.addingReportingOverflow(body).partialValue
  }

  /// Reads a size of one to eight bytes; nil if it is unknown or truncated.
  private static func number(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    guard position < bytes.count, bytes[position] != 0 else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard position + length <= bytes.count else { return nil }
    var value = Int(bytes[position]) & ((1 << (8 - length)) - 1)
    for byte in bytes[(position + 1)..<(position + length)] { value = value << 8 | Int(byte) }
    position += length
    return value == 1 << (7 * length) - 1 ? nil : value
  }
}
