// SPDX-License-Identifier: Apache-2.0

/// A pattern of file names, compared regardless of the case of ASCII letters.
///
/// `{4}` is four digits, `{1-3}` one to three, `%` is one or more letters, and `*` any text, at least
/// one byte. The text in `[…]` is optional. What is in `<…>` identifies the files that belong
/// together.
struct NamePattern: Sendable {
  private enum Part: Sendable {
    case byte(UInt8)
    case digits(ClosedRange<Int>)
    case letters
    case any
    /// The start of an optional text, with the number of its parts.
    case option(Int)
    /// The start or the end of what identifies the files.
    case border
  }

  private let parts: [Part]
  /// The bytes with which every name ends, in lower case; most other names are excluded by them.
  private let ending: [UInt8]

  init(_ text: String) {
    var parts: [Part] = []
    var option: Int?
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "{"):
        let counts = String(Substring(rest.prefix { $0 != UInt8(ascii: "}") })).split(
          separator: "-"
        ).compactMap { Int($0) }
        rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
        parts.append(.digits((counts.first ?? 1)...(counts.last ?? 1)))
      case UInt8(ascii: "["):
        option = parts.count
        parts.append(.option(0))
      case UInt8(ascii: "]"):
        if let start = option { parts[start] = .option(parts.count - start - 1) }
      case UInt8(ascii: "%"): parts.append(.letters)
      case UInt8(ascii: "*"): parts.append(.any)
      case UInt8(ascii: "<"), UInt8(ascii: ">"): parts.append(.border)
      default: parts.append(.byte(Self.lowercased(byte)))
      }
    }
    self.parts = parts
    ending = parts.reduce(into: []) { ending, part in
      if case .byte(let byte) = part { ending.append(byte) } else { ending.removeAll() }
      if option != nil { ending.removeAll() }
    }
  }

  /// Returns what identifies the files, of a name that fits as a whole; nil for any other name.
  func identity(of name: String) -> String? {
    guard
      name.utf8.suffix(ending.count).elementsEqual(ending, by: { Self.lowercased($0) == $1 })
    else { return nil }
    var borders: [String.Index] = []
    guard matches(0, name.utf8[...], &borders) else { return nil }
    return stride(from: 0, to: borders.count - 1, by: 2).map { name[borders[$0]..<borders[$0 + 1]] }
      .joined()
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private func matches(
    _ index: Int, _ rest: Substring.UTF8View, _ borders: inout [String.Index]
  ) -> Bool {
    guard index < parts.count else { return rest.isEmpty }
    let count = borders.count
    /// Continues after some bytes, the highest number first.
    func matches(_ counts: ClosedRange<Int>, _ most: Int) -> Bool {
      guard most >= counts.lowerBound else { return false }
      for taken in (counts.lowerBound...min(counts.upperBound, most)).reversed() {
        if self.matches(index + 1, rest.dropFirst(taken), &borders) { return true }
        borders.removeLast(borders.count - count)
      }
      return false
    }
    switch parts[index] {
    case .byte(let byte):
      guard let first = rest.first, Self.lowercased(first) == byte else { return false }
      return self.matches(index + 1, rest.dropFirst(), &borders)
    case .digits(let counts):
      return matches(counts, rest.prefix { (0x30...0x39).contains($0) }.count)
    case .letters:
      let letters = rest.prefix { (0x61...0x7A).contains(Self.lowercased($0)) }
      return matches(1...Int(UInt8.max), letters.count)
    case .any: return matches(1...Int(UInt8.max), rest.count)
    case .option(let length):
      if self.matches(index + 1, rest, &borders) { return true }
      borders.removeLast(borders.count - count)
      return self.matches(index + 1 + length, rest, &borders)
    case .border:
      borders.append(rest.startIndex)
      return self.matches(index + 1, rest, &borders)
    }
  }
}
