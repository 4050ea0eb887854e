// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

/// A number of bytes with an optional unit: "1500000", "512M", "2G".
struct ByteCount: ArgumentValue, Hashable {
  var bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  private static let units: [(letter: Character, shift: Int)] = [("K", 10), ("M", 20), ("G", 30)]

  init(argument: String) throws(ArgumentError) {
    let unit = argument.last.flatMap { last in Self.units.first { $0.letter == last } }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else {
      throw ArgumentError(
        "invalid size '\(argument)'", hint: "use a size such as 512M or 2G")
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
    guard !overflow else { throw ArgumentError("'\(argument)' is too large") }
    self.bytes = bytes
  }

  /// The shortest notation of the number.
  var argumentText: String? {
    let unit = Self.units.last { bytes % (1 << $0.shift) == 0 }
    return unit.map { "\(bytes >> $0.shift)\($0.letter)" } ?? "\(bytes)"
  }
}
