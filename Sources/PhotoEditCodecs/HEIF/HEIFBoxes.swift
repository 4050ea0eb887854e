// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Damage in the boxes of a file, as one clause.
struct BoxError: Error, Hashable {
  let message: String

  /// A value extends past the end of its box.
  static let truncated = BoxError(message: "a box is truncated")
}

/// Boxes of images in memory, which must outlive their readers.
enum HEIFBoxes: BoxDialect {
  typealias Bytes = UnsafeRawBufferPointer

  static let isQuickTime = false
  static let maximumBoxes = 65_536

  static func failure(_ flaw: BoxFlaw, in name: String) -> BoxError {
    switch flaw {
    case .endsEarly, .entries: .truncated
    case .number(let number):
      BoxError(message: "value \(number) exceeds the maximum file size")
    case .size(let type, let claimed, let available) where claimed > available:
      BoxError(
        message: "box '\(type.characters)' has \(claimed) bytes, but \(available) are available")
    case .size(let type, let claimed, _):
      BoxError(message: "box '\(type.characters)' has the invalid length \(claimed)")
    case .boxes(let limit): BoxError(message: "more than \(limit) boxes")
    case .repeated(let type): BoxError(message: "duplicate box '\(type.characters)'")
    }
  }
}

typealias BoxReader = PhotoEditContainers.BoxReader<HEIFBoxes>
