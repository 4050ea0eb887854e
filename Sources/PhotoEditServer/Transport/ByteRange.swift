// SPDX-License-Identifier: Apache-2.0

/// The part of a file that a Range field asks for.
enum ByteRange: Sendable, Hashable {
  /// The whole file: no range, several ranges, another unit, or a range that cannot be parsed.
  case whole
  /// A part of the file.
  case part(Range<Int>)
  /// A range after the end of the file.
  case unsatisfiable

  /// Parses a Range field for a file of a known size.
  init(_ field: String?, size: Int) {
    self = .whole
    guard let field, field.hasPrefix("bytes=") else { return }
    let text = field.dropFirst("bytes=".count)
    let sides = text.split(separator: "-", omittingEmptySubsequences: false)
    guard !text.contains(","), sides.count == 2 else { return }
    let (first, last) = (Self.number(sides[0]), Self.number(sides[1]))
    if sides[0].isEmpty {
      guard let last else { return }
      self = last == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - last)..<size)
    } else if let first, sides[1].isEmpty || last != nil {
      guard first < size else {
        self = .unsatisfiable
        return
      }
      if let last, last < first { return }
      self = .part(first..<min(size, (last ?? size - 1) + 1))
    }
  }

  /// Returns the value of decimal digits; nil for anything else, and a huge number for many digits.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.count > 15 ? 1 << 52 : Int(text)
  }
}
