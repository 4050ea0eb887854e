// SPDX-License-Identifier: Apache-2.0

/// The report on a third-party record of an edit.
struct EditFileInspection: InspectReport {
  let input: String
  private let bytes: Int
  private let digest: SHA256Digest
  private let edit: ThirdPartyEditFile

  /// Reads a file if its content is such a record; nil for any other file.
  init?(_ input: String) throws(CommandFailure) {
    guard input != "-" else { return nil }
    let head = try EditTarget.head(of: input, ThirdPartyEditFile.detectionLength)
    guard ThirdPartyEditFile.kind(of: head[...]) != nil else { return nil }
    let file = try mapFileErrors(FileBytes.reading(input, maximumBytes: AppleEdit.maximumBytes))
    self.input = input
    bytes = file.count
    digest = file.digest()
    edit = try translating(
      { CommandFailure($0 as EditImportError, input: input) }, ThirdPartyEditFile(file))
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

extension AppleEdit {
  /// Adds the contents of the record to the lines of a report.
  func add(to lines: inout LabelledLines, bytes: Int) {
    lines.add("format", "AAE, \(bytes) bytes")
    lines.add("edit", InspectLimits.shortened(formatIdentifier + " " + formatVersion))
    lines.add("editor", editor.map(InspectLimits.shortened))
    lines.add("time", timestamp.map(Clock.text))
    lines.add("base", baseVersion.map { $0 == 0 ? "the original" : "version \($0)" })
    lines.add("renderings", renderTypes.map { "bits \($0)" })
    lines.add("data", "\(data.count) bytes" + (contents == .opaque ? ", unknown format" : ""))
    if case .adjustments(let record) = contents {
      let size = record.masterSize.map { "\($0)" }
      let orientation = record.masterOrientation.map { "orientation \($0.rawValue)" }
      let facts = [size, orientation].compactMap { $0 }
      lines.add("intended for", facts.isEmpty ? nil : facts.joined(separator: ", "))
    }
    lines.add("adjustments", each: adjustmentTexts)
    lines.add(
      "rendered", "by the original editor only; photoedit does not render these adjustments")
  }

  /// A line for each adjustment, limited in number and length.
  var adjustmentTexts: [String] {
    switch contents {
    case .opaque: return []
    case .propertyList(let text): return [InspectLimits.shortened(text)]
    case .adjustments(let record):
      let shown = record.adjustments.prefix(InspectLimits.tags).map { adjustment in
        InspectLimits.shortened(
          adjustment.identifier + (adjustment.isEnabled ? " " : " (off) ") + adjustment.settingsText
        )
      }
      let hidden = record.adjustments.count - shown.count
      return hidden > 0 ? shown + ["and \(hidden) more"] : shown
    }
  }

  /// The whole record; adjustment data that is not understood is given by its length.
  var json: JSONValue {
    var json: [String: JSONValue] = [
      "formatIdentifier": .string(InspectLimits.shortened(formatIdentifier)),
      "formatVersion": .string(InspectLimits.shortened(formatVersion)),
      "editor": .text(editor.map(InspectLimits.shortened)),
      "timestamp": .text(timestamp.map(Clock.text)),
      "baseVersion": baseVersion.map { .whole($0) } ?? .null,
      "renderTypes": renderTypes.map { .whole($0) } ?? .null, "dataBytes": .whole(data.count),
      "byApple": .bool(isByApple), "rendered": false,
      "other": .object(otherKeys).bounded(to: 256 << 10),
    ]
    switch contents {
    case .opaque: json["contents"] = "opaque"
    case .propertyList(let text):
      json["contents"] = "propertyList"
      let value = try? JSONValue(parsing: Array(text.utf8))
      json["propertyList"] = (value ?? .string(text)).bounded(to: 256 << 10)
    case .adjustments(let record):
      json["contents"] = "adjustments"
      json["details"] = .object(record.details).bounded(to: 64 << 10)
      json["masterWidth"] = record.masterSize.map { .whole($0.width) } ?? .null
      json["masterHeight"] = record.masterSize.map { .whole($0.height) } ?? .null
      json["masterOrientation"] = record.masterOrientation.map { .whole($0.rawValue) } ?? .null
      json["adjustmentCount"] = .whole(record.adjustments.count)
      json["adjustments"] = .array(
        record.adjustments.prefix(InspectLimits.tags).map {
          [
            "identifier": .string(InspectLimits.shortened($0.identifier)),
            "enabled": .bool($0.isEnabled), "settings": .object($0.settings).bounded(to: 12 << 10),
            "details": .object($0.details).bounded(to: 2 << 10),
          ]
        })
    }
    return .object(json)
  }
}

extension JSONValue {
  /// Returns the value, or the beginning of its text if it is longer or deeper than the limits.
  fileprivate func bounded(to bytes: Int) -> JSONValue {
    let limits = JSONLimits(maximumBytes: bytes, maximumDepth: 16)
    if (try? canonicalBytes(limits: limits)) != nil { return self }
    let all = JSONLimits(maximumBytes: 64 << 20, maximumStringBytes: 64 << 20)
    let text = (try? canonicalBytes(limits: all)).map { String(decoding: $0, as: UTF8.self) }
    return .string(InspectLimits.shortened(text ?? "too long to show"))
  }
}
