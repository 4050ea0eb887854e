// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
package import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTesting

/// A rendering recorded next to a golden, which it replaces only when accepted.
///
/// The files are `golden.candidate.png` and `golden.candidate.json`, which git ignores.
package struct GoldenCandidate {
  /// The error for a rejected candidate, as one sentence.
  package struct Refusal: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  private let name: String
  private let folder: String
  /// The new content of `golden.json`.
  package let record: Golden.Record
  /// The new content of `golden.png`.
  package let image: ImageBuffer

  /// Creates a candidate from the current result of an edit.
  package init(
    _ name: String, record: Golden.Record, image: ImageBuffer, in root: String = Golden.root
  ) {
    self.name = name
    folder = "\(root)/\(name)"
    self.record = record
    self.image = image
  }

  private var recordPath: String { "\(folder)/golden.candidate.json" }
  private var golden: GoldenImage {
    get throws { try GoldenImage(named: "golden", in: folder) }
  }

  /// Writes the candidate and returns the path of its image.
  package func write() throws -> String {
    try golden.writeCandidate(image, difference: nil)
    try Self.write(record.bytes(), to: recordPath)
    return try golden.candidatePath
  }

  /// Removes the files of an earlier candidate.
  package func discard() throws {
    try golden.removeCandidate()
    if FileManager.default.fileExists(atPath: recordPath) {
      try FileManager.default.removeItem(atPath: recordPath)
    }
  }

  /// Replaces the golden by the candidate, or throws a rejection.
  ///
  /// A rendering may change within the golden's tolerance class, or with a new version of a filter,
  /// named in `graph.json`, or of the engine. Otherwise stored edits would render differently.
  ///
  /// - Parameter isGraphNew: True if `graph.json` differs from that of the golden.
  package func accept(isGraphNew: Bool) throws {
    guard let stored = try? Data(contentsOf: URL(filePath: recordPath)),
      try JSONDecoder().decode(Golden.Record.self, from: stored) == record
    else {
      throw Refusal(
        "there is no candidate of '\(name)' that is what the edit gives now; "
          + "run golden-recorder \(name), and look at the picture")
    }
    if !isGraphNew, let before = try? Golden(name, in: root), let reason = try error(to: before) {
      throw Refusal(
        "'\(name)' changed beyond its class (\(reason)) and no version was raised; raise that of "
          + "the filter, and 'v' and 'requires' in \(folder)/graph.json, or "
          + "Renderer.semanticsVersion")
    }
    try golden.record(image)
    try Self.write(record.bytes(), to: "\(folder)/golden.json")
    try discard()
  }

  /// The reason this rendering differs from a golden of the same version; nil if it matches.
  private func error(to before: Golden) throws -> String? {
    if record.engine > before.record.engine { return nil }
    guard let tolerance = ToleranceClass(rawValue: before.record.tolerance) else {
      return "'\(before.record.tolerance)' is no tolerance class"
    }
    return try golden.mismatch(of: image, from: before.image, .toleranceClass(tolerance))?.reason
  }

  private var root: String { String(folder.dropLast(name.count + 1)) }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }
}

extension Golden.Record {
  /// The encoded bytes of the file.
  package func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try [UInt8](encoder.encode(self)) + [0x0A]
  }
}
