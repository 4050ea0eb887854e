// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
package import PhotoEditPixels
import PhotoEditStorage

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
  private var imagePath: String { "\(folder)/golden.candidate.png" }

  /// Writes the candidate and returns the path of its image.
  package func write() throws -> String {
    try Self.write(PNGEncoder.encode(image), to: imagePath)
    try Self.write(record.bytes(), to: recordPath)
    return imagePath
  }

  /// Removes the files of an earlier candidate.
  package func discard() throws {
    for path in [recordPath, imagePath] where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
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
    try Self.write(PNGEncoder.encode(image), to: "\(folder)/golden.png")
    try Self.write(record.bytes(), to: "\(folder)/golden.json")
    try discard()
  }

  /// The reason this rendering differs from a golden of the same version; nil if it matches.
  private func error(to before: Golden) throws -> String? {
    if record.engine > before.record.engine { return nil }
    guard image.size == before.image.size, image.layout == before.image.layout else {
      return "\(image.size) instead of \(before.image.size)"
    }
    guard let tolerance = ToleranceClass(rawValue: before.record.tolerance) else {
      return "'\(before.record.tolerance)' is no tolerance class"
    }
    return tolerance.failure(of: try ImageDifference(before.image, image))
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
