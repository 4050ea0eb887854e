// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Makes names for exported files that are safe in every folder and on every system.
package struct ExportName {
  /// Most bytes of a name without its endings; file systems allow 255 for the whole.
  private static let maximumBytes = 180

  private var stems: Set<String> = []
  private var names: Set<String> = []

  /// Begins an export.
  package init() {}

  /// The name of an original without its last ending, with nothing in it that leads elsewhere,
  /// hides it, or steers a terminal.
  static func stem(of filename: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    for scalar in FileSystem.splitName(filename).stem.unicodeScalars {
      let safe = isSafe(scalar) ? scalar : "_"
      bytes += UTF8.width(safe)
      guard bytes <= maximumBytes else { break }
      scalars.append(safe)
    }
    // Windows and some network file systems drop dots and blanks at the end.
    while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
    var stem = String(scalars)
    if let first = scalars.first, ".-~@ ".unicodeScalars.contains(first) { stem = "_" + stem }
    if isReserved(stem) { stem = "_" + stem }
    return stem.isEmpty ? "photo" : stem
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
    // Joiners shape scripts and emoji; the other format characters can turn text around.
    case .format: return scalar.value == 0x200C || scalar.value == 0x200D
    default: return true
    }
  }

  /// Names that mean devices on some systems, whatever follows the dot.
  private static func isReserved(_ stem: String) -> Bool {
    let head = stem.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(head) { return true }
    return head.count == 4 && (head.hasPrefix("COM") || head.hasPrefix("LPT"))
      && head.last.map { "0123456789".contains($0) } == true
  }

  /// A stem that no asset of this export has and none of whose names is taken, numbered if need be.
  ///
  /// An asset's names have endings such as ".edited.jpg", with which another's stem may end.
  ///
  /// Names that differ in cases or in how an accent is written count as one: there are file systems
  /// for which they are.
  package mutating func reserve(
    _ filename: String, naming names: (_ stem: String) -> [String]
  ) -> String {
    let stem = Self.stem(of: filename)
    var candidate = stem
    var number = 2
    var own = names(candidate).map { $0.lowercased() }
    while stems.contains(candidate.lowercased()) || !self.names.isDisjoint(with: own) {
      candidate = "\(stem) (\(number))"
      own = names(candidate).map { $0.lowercased() }
      number += 1
    }
    stems.insert(candidate.lowercased())
    self.names.formUnion(own)
    return candidate
  }
}
