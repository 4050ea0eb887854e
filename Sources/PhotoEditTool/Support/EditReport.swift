// SPDX-License-Identifier: Apache-2.0
import Codecs
import CommandLineKit
import Filters
import PhotoEdit
import Pixels
import Rendering
import Storage

/// What is told of an edit, to people and to scripts.
struct EditReport {
  var input: String
  var output: String
  var sidecar: String?
  var base: String
  var isResumed: Bool
  var formatIdentifier: String?
  var graph: FilterGraph
  var rendering: Rendering
  var obstacles: [String]
  var milliseconds: Double
  var isDryRun = false
  /// What is told besides what the rendering itself says.
  var notices: [String] = []
  /// What became of the edit; nil where none is remembered.
  var outcome: EditOutcome?
  /// What became of another program's edit.
  var from: ForeignTranslation?

  /// Where the picture came from, in the word of the JSON schema.
  static func base(_ version: EditingInput.Version) -> String {
    switch version {
    case .original: "original"
    case .base: "previous"
    case .current: "current"
    }
  }

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    for obstacle in obstacles {
      environment.warn(
        "\(input): the stored edit cannot be resumed because \(obstacle); "
          + "the edit goes on from the rendering as it is")
    }
    from?.write(for: input, to: environment)
    for loss in rendering.losses { environment.warn("\(input): lost \(loss.kind): \(loss.detail)") }
    for entry in rendering.stripped {
      environment.note("\(input): stripped \(entry.kind): \(entry.detail)")
    }
    for notice in notices + rendering.notices { environment.note("\(input): \(notice)") }
    if environment.wantsJSON { return try environment.write(json) }
    let how =
      rendering.path == .coefficients
      ? "without loss" : isResumed ? "rendered anew" : "rendered"
    environment.note(
      "\(isDryRun ? "would write" : "wrote") \(output) (\(rendering.size), \(rendering.jpeg.count) bytes, \(how) from the \(base)\(quality))"
    )
    if sidecar != nil && !isDryRun {
      let input = Shell.quoted(input)
      environment.note(
        "change the edit with 'photoedit adjust \(input) --set …', "
          + "go back with 'photoedit revert \(input)'")
    }
  }

  /// Which tables the encoder used, for people; nothing where there was no encoder.
  private var quality: String {
    if rendering.path == .coefficients { return "" }
    return switch rendering.encoding.tables {
    case .source: ", with its tables"
    case .floor: ", with its tables raised to quality \(JPEGQuality.floor)"
    case .standard: ", at quality \(rendering.encoding.estimatedQuality)"
    }
  }

  private var encoding: JSONValue {
    let encoding = rendering.encoding
    return [
      "tables": .string(encoding.tables.rawValue),
      "estimatedQuality": .whole(encoding.estimatedQuality),
      "sampling": .text(encoding.sampling?.description),
      "sizeClass": .text(encoding.sizeClass?.rawValue),
    ]
  }

  private var json: [String: JSONValue] {
    var json = facts
    if let from { json["from"] = from.json }
    if let outcome { json["outcome"] = .string(outcome.rawValue) }
    return json
  }

  private var facts: [String: JSONValue] {
    [
      "input": .string(input), "output": .string(output), "sidecar": .text(sidecar),
      "base": .string(base), "resumed": .bool(isResumed),
      "formatIdentifier": .text(formatIdentifier),
      "formatVersion": .string(FilterGraph.formatVersion),
      "graph": .string(graph.digest.description),
      "width": .whole(rendering.size.width), "height": .whole(rendering.size.height),
      "path": .string(rendering.path.rawValue),
      "method": .string(rendering.method.rawValue), "encoding": encoding,
      "bytes": .whole(rendering.jpeg.count),
      "losses": .array(
        rendering.losses.map {
          .object(["kind": .string($0.kind), "detail": .string($0.detail)])
        }),
      "stripped": .array(
        rendering.stripped.map {
          .object(["kind": .string($0.kind), "detail": .string($0.detail)])
        }),
      "notices": .texts(notices + rendering.notices), "obstacles": .texts(obstacles),
      "milliseconds": .number(milliseconds),
    ]
  }
}

/// Measures how long something takes.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// Milliseconds so far, to a thousandth.
  var milliseconds: Double {
    let duration = ContinuousClock.now - start
    let microseconds =
      duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    return Double(microseconds) / 1000
  }
}
