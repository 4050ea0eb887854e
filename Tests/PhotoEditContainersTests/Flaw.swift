// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Boxes as read by the tests, with named errors.
enum PlainBoxes: BoxDialect {
  typealias Bytes = [UInt8]
  static let isQuickTime = false
  static let maximumBoxes = 4

  static func failure(_ flaw: BoxFlaw, in name: String) -> Flaw {
    switch flaw {
    case .endsEarly: .endsEarly
    case .number: .number
    case .size: .size
    case .entries: .entries
    case .boxes: .boxes
    case .repeated: .repeated
    }
  }
}

enum Flaw: Error, Equatable { case endsEarly, number, size, entries, boxes, repeated }

/// A number as big-endian bytes.
func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A box with the given body.
func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  big(body.count + 8, 4) + Array(type.utf8) + body
}
