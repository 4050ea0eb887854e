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
  var report: MovieReport
  /// What became of the frames; nil where they are the source's.
  var video: VideoReport?
  var milliseconds: Double

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    let losses = video.map { $0.losses } ?? report.losses
    for loss in losses { environment.warn("\(input): lost \(loss)") }
    if let kept = report.kept {
      environment.note(
        "\(input): kept \(figure(kept.lowerBound)) s to \(figure(kept.upperBound)) s")
    }
    guard environment.wantsJSON else {
      environment.note("wrote \(output) (\(report.bytes) bytes, \(report.method.rawValue))")
      return
    }
    try environment.write([
      "input": .string(input), "output": .string(output), "sidecar": .text(sidecar),
      "base": .string(base), "resumed": .bool(isResumed),
      "formatIdentifier": .string(formatIdentifier),
      "formatVersion": .string(FilterGraph.formatVersion),
      "graph": .string(graph.digest.description), "path": .string(report.method.rawValue),
      "method": .string(report.method.rawValue), "kept": kept, "bytes": .whole(report.bytes),
      "digest": .string(report.digest.description),
      "frames": frames,
      "losses": .array(losses.map { .object(["kind": "movie", "detail": .string($0)]) }),
      "milliseconds": .number(milliseconds),
    ])
  }

  private var frames: JSONValue {
    guard let video else { return .null }
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
