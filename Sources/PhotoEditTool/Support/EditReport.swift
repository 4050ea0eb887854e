// SPDX-License-Identifier: Apache-2.0

/// The report on an edit, for display and for scripts.
struct EditReport {
  var input: String
  var output: String
  var sidecar: String?
  var base: String
  var isResumed: Bool
  var formatIdentifier: String?
  var graph: FilterGraph
  var rendering: RenderReport
  var blockingReasons: [String] = []
  var milliseconds: Double
  var isDryRun = false
  /// Notices in addition to those of the rendering.
  var notices: [String] = []
  /// The outcome of the edit; nil if it is not recorded.
  var outcome: EditOutcome?
  /// The translation of a third-party edit.
  var from: EditConversion?
  /// The filters that were derived from the pixels.
  var adjustment: AutomaticAdjustment?

  /// Returns the version that was rendered, as named in the JSON schema.
  static func base(_ version: EditingInput.Version) -> String {
    switch version {
    case .original: "original"
    case .base: "previous"
    case .current: "current"
    }
  }

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    for reason in blockingReasons {
      environment.warn(
        "\(input): the stored edit cannot be resumed because \(reason); "
          + "editing continues from the current rendering")
    }
    from?.write(for: input, to: environment)
    for loss in rendering.losses { environment.warn("\(input): lost \(text(of: loss))") }
    for entry in rendering.stripped {
      environment.note("\(input): removed \(entry.kind): \(entry.detail)")
    }
    for notice in notices + rendering.notices { environment.note("\(input): \(notice)") }
    let rounded = (milliseconds * 10).rounded() / 10
    environment.debug("\(input): \(rounded) ms from opening to saving")
    if case .movie(let movie) = rendering, let kept = movie.kept {
      environment.note(
        "\(input): kept \(figure(kept.lowerBound)) s to \(figure(kept.upperBound)) s")
    }
    environment.tally.add("rendered")
    if try environment.deliver(json) { return }
    if let adjustment { environment.noteResult("\(input): auto: \(adjustment.text)") }
    environment.noteResult("\(isDryRun ? "would write" : "wrote") \(output) (\(how))")
    if case .still = rendering, sidecar != nil, !isDryRun, !environment.isPartOfBatch {
      environment.note(Self.advice(for: Shell.quoted(input)))
    }
  }

  /// The next commands for an edited photo.
  static func advice(for input: String) -> String {
    "change the edit with 'photoedit adjust \(input) --set …', "
      + "revert it with 'photoedit revert \(input)'"
  }

  private func text(of loss: RenderLoss) -> String {
    if case .movie = rendering { loss.detail } else { "\(loss.kind): \(loss.detail)" }
  }

  /// A description of the work and its method, for display.
  private var how: String {
    switch rendering {
    case .still(let still):
      let operation =
        still.path == .coefficients
        ? "losslessly transformed" : isResumed ? "re-rendered" : "rendered"
      return "\(still.size), \(still.jpeg.count) bytes, \(operation) from the \(base)"
        + quality(of: still)
    case .movie(let movie):
      let engine = movie.engine == "copied" ? "" : " by \(movie.engine)"
      return "\(movie.byteCount) bytes, \(movie.method)\(engine)"
    }
  }

  /// Returns a description of the encoder's tables, for display; empty if nothing was encoded.
  private func quality(of rendering: Rendering) -> String {
    if rendering.path == .coefficients { return "" }
    return switch rendering.encoding.tables {
    case .source: ", with its quantization tables"
    case .floor: ", with its quantization tables raised to quality \(JPEGQuality.floor)"
    case .standard: ", at quality \(rendering.encoding.estimatedQuality)"
    }
  }

  /// The report for scripts.
  var json: [String: JSONValue] {
    var json = facts
    if let from { json["from"] = from.json }
    if let adjustment { json["auto"] = adjustment.json }
    if let outcome { json["outcome"] = .string(outcome.rawValue) }
    return json
  }

  private var facts: [String: JSONValue] {
    let size = rendering.size
    return mediumFacts.merging(
      [
        "input": .string(input), "output": .string(output), "sidecar": .text(sidecar),
        "base": .string(base), "resumed": .bool(isResumed),
        "formatIdentifier": .text(formatIdentifier),
        "formatVersion": .string(FilterGraph.formatVersion),
        "graph": .string(graph.digest.description),
        "look": .string(graph.look.digest.description),
        "width": size.isEmpty ? .null : .whole(size.width),
        "height": size.isEmpty ? .null : .whole(size.height),
        "path": .string(rendering.path), "method": .string(rendering.method),
        "bytes": .whole(rendering.byteCount),
        "losses": .array(
          rendering.losses.map {
            .object(["kind": .string($0.kind), "detail": .string($0.detail)])
          }),
        "stripped": .array(
          rendering.stripped.map {
            .object(["kind": .string($0.kind), "detail": .string($0.detail)])
          }),
        "notices": .texts(notices + rendering.notices), "obstacles": .texts(blockingReasons),
        "milliseconds": .number(milliseconds),
      ]) { $1 }
  }

  /// The facts that apply to only one medium.
  private var mediumFacts: [String: JSONValue] {
    switch rendering {
    case .still(let still):
      let encoding = still.encoding
      return [
        "encoding": [
          "tables": .string(encoding.tables.rawValue),
          "estimatedQuality": .whole(encoding.estimatedQuality),
          "sampling": .text(encoding.sampling?.description),
          "sizeClass": .text(encoding.sizeClass?.rawValue),
        ]
      ]
    case .movie(let movie):
      return [
        "engine": .string(movie.engine), "digest": .string(movie.digest.description),
        "kept": movie.kept.map { ["start": .real($0.lowerBound), "end": .real($0.upperBound)] }
          ?? .null,
        "frames": movie.frames.map {
          [
            "count": .whole($0.count), "width": .whole($0.size.width),
            "height": .whole($0.size.height), "codec": .string($0.codec),
            "bitsPerSample": .whole($0.bitsPerSample), "upright": .bool($0.isOriented),
          ]
        } ?? .null,
      ]
    }
  }
}

/// A stopwatch for the duration of an operation.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// The elapsed milliseconds, to a thousandth.
  var milliseconds: Double {
    let duration = ContinuousClock.now - start
    let microseconds =
      duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    return Double(microseconds) / 1000
  }
}
