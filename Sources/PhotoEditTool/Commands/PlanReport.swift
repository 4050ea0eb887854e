// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering

/// The plan of a rendering, for display and for scripts.
struct PlanReport {
  var input: String
  var outline: RenderPlanSummary

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    if environment.wantsJSON { return try environment.write(json) }
    lines.print(in: environment)
  }

  private var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("input", "\(input), \(outline.sourceSize) stored")
    lines.add("output", "\(outline.outputSize)")
    lines.add("method", "\(outline.method.rawValue): \(outline.reason)")
    guard outline.method != .coefficients else { return lines }
    lines.add(
      "decoding",
      "\(counted(outline.decodedChannels, "channel")), "
        + counted(outline.decodingThreads, "thread"))
    for (index, pass) in outline.passes.enumerated() {
      lines.add("pass \(index + 1)", Self.text(pass))
      lines.add("  steps", pass.steps.isEmpty ? "none" : pass.steps.joined(separator: ", "))
      lines.add(
        "  strips",
        "\(counted(pass.stripHeight, "row")) and a halo of \(pass.haloRows), "
          + "\(pass.bytesPerStrip) bytes")
    }
    lines.add("threads", "\(outline.threads)")
    lines.add(
      "memory",
      "at most \(outline.memory.total) bytes: \(outline.memory.decoder) for decoding, "
        + "\(outline.memory.strips) for strips, \(outline.memory.result) for the result")
    return lines
  }

  private static func text(_ pass: RenderPlanSummary.Pass) -> String {
    let sizes =
      pass.inputSize == pass.outputSize
      ? "\(pass.outputSize)" : "\(pass.inputSize) to \(pass.outputSize)"
    return sizes + ", " + (pass.floatReason.map { "floats: \($0)" } ?? "bytes")
  }

  private var json: [String: JSONValue] {
    [
      "input": .string(input), "path": .string(outline.method.path.rawValue),
      "method": .string(outline.method.rawValue), "reason": .string(outline.reason),
      "storedWidth": .whole(outline.sourceSize.width),
      "storedHeight": .whole(outline.sourceSize.height),
      "width": .whole(outline.outputSize.width), "height": .whole(outline.outputSize.height),
      "decoding": [
        "channels": .whole(outline.decodedChannels), "threads": .whole(outline.decodingThreads),
        "parallel": .bool(outline.decodingThreads > 1),
      ],
      "passes": .array(outline.passes.map(Self.json)), "threads": .whole(outline.threads),
      "peakStripBytes": .whole(outline.peakStripBytes),
      "memory": [
        "decoder": .whole(outline.memory.decoder), "strips": .whole(outline.memory.strips),
        "result": .whole(outline.memory.result), "assets": .whole(outline.memory.assets),
        "total": .whole(outline.memory.total),
      ],
    ]
  }

  private static func json(_ pass: RenderPlanSummary.Pass) -> JSONValue {
    [
      "steps": .texts(pass.steps), "floatReason": .text(pass.floatReason),
      "inputWidth": .whole(pass.inputSize.width), "inputHeight": .whole(pass.inputSize.height),
      "width": .whole(pass.outputSize.width), "height": .whole(pass.outputSize.height),
      "haloRows": .whole(pass.haloRows), "stripHeight": .whole(pass.stripHeight),
      "bytesPerStrip": .whole(pass.bytesPerStrip),
    ]
  }
}
