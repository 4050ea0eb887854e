// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The date in the header of an AVI file, a clock time without an offset from UTC.
///
/// The chunk "IDIT" has no specified notation. Cameras write that of C's `ctime`, that of EXIF, and
/// others, of which libavformat reads the first.
enum AVIDate {
  /// Returns the date as ISO 8601 without an offset; nil if the header has none.
  static func reading(_ file: borrowing OpenFile) throws(MovieError) -> String? {
    let head = try file.bytes(at: 0, atMost: MovieLimits.maximumTagBytes)
    return head.withUnsafeBytes { bytes in
      var lists = ChunkReader(riff: bytes, in: min(riffHead, bytes.count)..<bytes.count)
      while let list = lists.next() {
        guard list.type == "LIST", list.body.count >= 4 else { continue }
        var chunks = ChunkReader(
          riff: bytes, in: (list.body.lowerBound + 4)..<list.body.upperBound)
        while let chunk = chunks.next() {
          guard chunk.type == "IDIT" else { continue }
          return iso(String(decoding: bytes[chunk.body], as: UTF8.self))
        }
      }
      return nil
    }
  }

  /// The size of the outermost header: "RIFF", a size and "AVI ".
  private static let riffHead = 12

  /// Returns a date in any notation as "2006-05-13T10:21:04"; nil if it is not a date.
  static func iso(_ text: String) -> String? {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.flatMap(separated)
    let numbers = words.compactMap { Int($0) }
    let names = words.filter { Int($0) == nil }.map { $0.lowercased() }
    let month = names.lazy.compactMap { months.firstIndex(of: String($0.prefix(3))) }.first
    guard numbers.count >= 5 else { return nil }
    var parts = numbers
    if let month {
      // "SAT MAY 13 10:21:04 2006"
      parts = [numbers[4], month + 1] + numbers[..<4]
    } else if let half = names.first(where: { ["am", "pm", "a", "p"].contains($0) }) {
      // "2001/ 1/27  1:42PM"
      let isLate = half.hasPrefix("p")
      if isLate, parts[3] < 12 { parts[3] += 12 } else if !isLate, parts[3] == 12 { parts[3] = 0 }
    }
    // Some devices count the first hour of a day as 24.
    if parts[3] == 24 { parts[3] = 0 }
    let second = parts.count > 5 ? parts[5] : 0
    // The format is of 1992; an earlier year is that of a clock that was not set.
    guard parts[0] >= 1990, CivilDate(year: parts[0], month: parts[1], day: parts[2]) != nil,
      (0..<24).contains(parts[3]), (0..<60).contains(parts[4]), (0...60).contains(second)
    else { return nil }
    return "\(zeroPadded(parts[0], 4))-\(zeroPadded(parts[1]))-\(zeroPadded(parts[2]))"
      + "T\(zeroPadded(parts[3])):\(zeroPadded(parts[4])):\(zeroPadded(second))"
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Separates digits from the letters after them, as in "42PM".
  private static func separated(_ word: Substring) -> [Substring] {
    let digits = word.prefix { $0.isNumber }
    return [digits, word.dropFirst(digits.count)].filter { !$0.isEmpty }
  }
}
