// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The report on a third-party record of an edit.
struct EditFileInspection: InspectReport {
  let input: String
  private let bytes: Int
  private let digest: SHA256Digest
  private let edit: ThirdPartyEditFile

  /// Reads a file if its content is such a record; nil for any other file.
  init?(_ input: String) throws(CommandFailure) {
    guard input != "-", try Self.hasSignature(input) else { return nil }
    let file = try mapFileErrors(FileBytes.reading(input, maximumBytes: AppleEdit.maximumBytes))
    self.input = input
    bytes = file.count
    digest = file.digest()
    edit = try translating(
      { CommandFailure($0 as EditImportError, input: input) }, ThirdPartyEditFile(file))
  }

  private static func hasSignature(_ input: String) throws(CommandFailure) -> Bool {
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      let file = try OpenFile(reading: input)
      _ = try file.regularSize()
      var head = [UInt8](repeating: 0, count: ThirdPartyEditFile.detectionLength)
      let count = try head.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return ThirdPartyEditFile.kind(of: head.prefix(count)) != nil
    }
  }

  var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("input", input)
    switch edit {
    case .apple(let edit): edit.add(to: &lines, bytes: bytes)
    case .lightroom(let edit):
      lines.add("format", "Lightroom or Camera Raw settings, \(bytes) bytes")
      lines.add("process", edit.processVersion.map(InspectLimits.shortened))
      let translation = sample
      let texts = [
        ("mapped", translation.mapped), ("approximate", translation.approximated),
        ("not used", translation.unmapped),
      ]
      for (label, settings) in texts {
        lines.add(label, each: settings.map { InspectLimits.shortened($0.description) })
      }
    }
    lines.add("digest", digest.description)
    return lines
  }

  var json: [String: JSONValue] {
    var json: [String: JSONValue] = [
      "input": .string(input), "kind": "edit", "bytes": .whole(bytes),
      "digest": .string(digest.description),
    ]
    switch edit {
    case .apple(let edit): json["apple"] = edit.json
    case .lightroom(let edit):
      json["lightroom"] = [
        "processVersion": .text(edit.processVersion.map(InspectLimits.shortened)),
        "alreadyApplied": .bool(edit.isAlreadyApplied),
        "from": sample.json,
      ]
    }
    return json
  }

  /// The translation to report; the image size affects only the values of a rotated crop.
  private var sample: EditConversion {
    edit.translation(for: .init(size: .init(width: 6000, height: 4000)))
  }
}
