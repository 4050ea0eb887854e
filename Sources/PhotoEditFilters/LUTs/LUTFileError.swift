// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error in the data of a lookup table or a color correction.
public enum LUTFileError: PhotoEditError, Hashable {
  /// The file is empty.
  case empty
  /// A line has invalid contents.
  case line(Int, found: String, allowed: String)
  /// The file ends before its table is complete.
  case incomplete(line: Int, rows: Int, needed: Int)
  /// The numbers do not form a table.
  case values(found: String, allowed: String)
  /// The image is not a Hald CLUT.
  case hald(width: Int, height: Int)
  /// The file is not well-formed XML.
  case notXML(line: Int, reason: String)
  /// The file contains no correction.
  case noCorrection
  /// The file contains no correction with that identifier.
  case unknownCorrection(String, known: [String])
  /// The file contains several corrections and none was selected.
  case severalCorrections([String])
  /// Memory has run out.
  case outOfMemory

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.invalidEdit, "asset") }

  /// The line, if any.
  public var position: Int? {
    switch self {
    case .line(let line, _, _), .incomplete(let line, _, _), .notXML(let line, _): line
    default: nil
    }
  }

  /// One sentence: the position, the text found and the text allowed.
  public var description: String {
    switch self {
    case .empty: "file is empty"
    case .line(let number, let found, let allowed):
      "line \(number): found \(found) (allowed: \(allowed))"
    case .incomplete(let line, let rows, let needed):
      "line \(line): file ends after \(rows) table rows (expected \(needed))"
    case .values(let found, let allowed): "found \(found) (allowed: \(allowed))"
    case .hald(let width, let height):
      "an image of \(width) × \(height) pixels is not a Hald CLUT (allowed: squares of n³ × n³ "
        + "pixels for a level n of 2–16, such as 8×8, 27×27, 64×64 … 512×512 … 4096×4096)"
    case .notXML(let line, let reason):
      "line \(line): invalid color correction XML: \(reason)"
    case .noCorrection: "file contains no ColorCorrection"
    case .unknownCorrection(let id, let known):
      "unknown correction '\(id)' (found: \(Self.list(known)))"
    case .severalCorrections(let known):
      "file contains \(known.count) corrections; select one with correction=ID "
        + "(found: \(Self.list(known)))"
    case .outOfMemory: "out of memory"
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return shown + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }

  /// Returns an excerpt of a file for messages: short, on one line, without control characters.
  static func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let limit = 40
    let text = String(decoding: bytes.prefix(limit), as: UTF8.self).unicodeScalars.map {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : String($0)
    }
    return "'" + text.joined() + (bytes.count > limit ? "…'" : "'")
  }
}
