// SPDX-License-Identifier: Apache-2.0

/// Finds boxes of a file by path, such as "moov/trak:1/edts/elst" for the second track.
struct BoxFinder {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The content of a box; nil if absent.
  func content(_ path: String) -> [UInt8]? {
    var range = 0..<bytes.count
    for part in path.split(separator: "/") {
      let words = part.split(separator: ":")
      let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
      let found = boxes(in: range).filter { $0.type == String(words[0]) }
      guard number < found.count else { return nil }
      range = found[number].body
    }
    return Array(bytes[range])
  }

  /// The 32-bit numbers in a box, starting at an offset.
  func numbers(_ path: String, from offset: Int = 0) -> [Int] {
    guard let content = content(path) else { return [] }
    return stride(from: offset, to: content.count - 3, by: 4).map { position in
      let value = content[position..<(position + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Int(Int32(bitPattern: value))
    }
  }

  /// The duration, start and rate of the entries of a track's edit list.
  func edits(ofTrack track: Int) -> [[Int]] {
    let numbers = numbers("moov/trak:\(track)/edts/elst", from: 8)
    return stride(from: 0, to: numbers.count, by: 3).map { Array(numbers[$0..<($0 + 3)]) }
  }

  /// The types of the outermost boxes.
  var order: [String] { boxes(in: 0..<bytes.count).map(\.type) }

  private func boxes(in range: Range<Int>) -> [(type: String, body: Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8 else { break }
      let type = String(
        String.UnicodeScalarView(bytes[(position + 4)..<(position + 8)].map { Unicode.Scalar($0) }))
      found.append((type, (position + 8)..<(position + size)))
      position += size
    }
    return found
  }
}
