// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Creates names for exported files that are safe in every folder and on every system.
package struct ExportName {
  /// The maximum length of a name without extensions, in bytes; file systems allow 255 in all.
  private static let maximumBytes = 180

  private var stems: Set<String> = []
  private var names: Set<String> = []

  /// Starts an export.
  package init() {}

  /// Returns the name of an original without its last extension and without characters that form a
  /// path, hide the file or control a terminal.
  static func stem(of filename: String) -> String { safe(FileSystem.splitName(filename).stem) }

  /// Returns a file name without characters that form a path, hide the file or control a terminal.
  static func safe(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    for character in name {
      let safe = character.unicodeScalars.map { isSafe($0) ? $0 : "_" }
      bytes += safe.reduce(0) { $0 + UTF8.width($1) }
      guard bytes <= maximumBytes else { break }
      scalars.append(contentsOf: safe)
    }
    // Windows and some network file systems remove trailing dots and spaces.
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
    // Joiners are part of scripts and emoji; other format characters can reverse text.
    case .format: return scalar.value == 0x200C || scalar.value == 0x200D
    default: return true
    }
  }

  /// Returns whether a name denotes a device on some systems, regardless of the part after the dot.
  private static func isReserved(_ stem: String) -> Bool {
    let head = stem.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(head) { return true }
    return head.count == 4 && (head.hasPrefix("COM") || head.hasPrefix("LPT"))
      && head.last.map { "0123456789".contains($0) } == true
  }

  /// Returns a stem whose file names are all unused in this export, numbered if necessary.
  ///
  /// The names of an asset have suffixes such as ".edited.jpg", with which another stem may end.
  ///
  /// Names that differ only in case or in the Unicode form of accents count as equal, since some
  /// file systems treat them as such.
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
