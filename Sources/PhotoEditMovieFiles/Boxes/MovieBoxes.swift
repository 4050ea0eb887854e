// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Movie boxes, whose bytes are held by the readers.
enum MovieBoxes: BoxDialect {
  typealias Bytes = [UInt8]

  static let isQuickTime = true
  static let maximumBoxes = MovieLimits.maximumBoxes

  static func failure(_ flaw: BoxFlaw, in name: String) -> MovieError {
    switch flaw {
    case .endsEarly: .damaged("\(name) is truncated")
    case .number(let number): .damaged("\(name) has the invalid number \(number)")
    case .size(let type, let claimed, let available):
      .damaged("\(name)/\(type) has size \(claimed), but only \(available) bytes are available")
    case .entries(let count, let capacity):
      .damaged("\(name) has \(count) entries, but space for \(capacity)")
    case .boxes(let limit): .tooLarge(what: "boxes in \(name)", value: limit + 1, limit: limit)
    case .repeated(let type): .damaged("\(name) has two \(type) boxes")
    }
  }
}

typealias BoxReader = PhotoEditContainers.BoxReader<MovieBoxes>
