// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEditMovies
import PhotoEditVideo
import Pixels
import Storage

/// What is told of an edited movie, to people and to scripts.
struct MovieOutcome {
  var input: String
  var output: String
  var sidecar: String?
  var base: String
  var isResumed: Bool
  var formatIdentifier: String
  var graph: FilterGraph
  var made: MovieRendering.Made
  var obstacles: [String] = []
  var milliseconds: Double
  var isDryRun = false
  /// What became of the edit; nil where none is remembered.
  var outcome: EditOutcome?

  private var report: MovieReport { made.report }

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    for obstacle in obstacles {
      environment.warn(
        "\(input): the stored edit cannot be resumed because \(obstacle); "
          + "the edit goes on from the rendering as it is")
    }
    for loss in made.losses { environment.warn("\(input): lost \(loss)") }
    if let kept = report.kept {
      environment.note(
        "\(input): kept \(figure(kept.lowerBound)) s to \(figure(kept.upperBound)) s")
    }
    guard environment.wantsJSON else {
      environment.note(
        "\(isDryRun ? "would write" : "wrote") \(output) (\(report.bytes) bytes, \(how))")
      return
    }
    var json: [String: JSONValue] = [
      "input": .string(input), "output": .string(output), "sidecar": .text(sidecar),
      "base": .string(base), "resumed": .bool(isResumed),
      "formatIdentifier": .string(formatIdentifier),
      "formatVersion": .string(FilterGraph.formatVersion),
      "graph": .string(graph.digest.description), "path": .string(report.method.rawValue),
      "method": .string(report.method.rawValue), "engine": .string(report.engine.rawValue),
      "kept": kept, "bytes": .whole(report.bytes), "digest": .string(report.digest.description),
      "width": size.map { .whole($0.width) } ?? .null,
      "height": size.map { .whole($0.height) } ?? .null, "frames": frames,
      "losses": .array(made.losses.map { .object(["kind": "movie", "detail": .string($0)]) }),
      "stripped": [], "notices": [], "obstacles": .texts(obstacles),
      "milliseconds": .number(milliseconds),
    ]
    if let outcome { json["outcome"] = .string(outcome.rawValue) }
    try environment.write(json)
  }

  /// What was done, and by what.
  private var how: String {
    report.engine == .copied
      ? report.method.rawValue : "\(report.method.rawValue) by \(report.engine.rawValue)"
  }

  /// As players show the video; nil without one.
  private var size: PixelSize? {
    guard let stream = report.streams.first(where: { $0.kind == .video }) else { return nil }
    let isTurned = stream.rotation == 90 || stream.rotation == 270
    return PixelSize(
      width: isTurned ? stream.height : stream.width,
      height: isTurned ? stream.width : stream.height)
  }

  private var frames: JSONValue {
    guard let video = made.video else { return .null }
    return [
      "count": .whole(video.frames), "width": .whole(video.size.width),
      "height": .whole(video.size.height), "codec": .string(video.codec.rawValue),
      "bitsPerSample": .whole(video.bitsPerSample), "upright": .bool(video.isUpright),
    ]
  }

  private var kept: JSONValue {
    guard let kept = report.kept else { return .null }
    return ["start": .real(kept.lowerBound), "end": .real(kept.upperBound)]
  }
}
