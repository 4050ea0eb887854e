// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering

/// A command that renders the images requested on standard input, one after another.
struct WorkerCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "worker", "Render images requested by JSON lines on standard input.",
    discussion: """
      A request has the fields id, input, output, look (the file of a filter graph) and \
      optionally sha256, the expected digest of the input. Each line is answered by one line, in \
      order; the first line of the output describes the worker. {"ping":1} is answered with the \
      same description.

      The output is complete or absent, and never replaces a file; it is not synced to disk. The \
      limits apply to each image. The process exits if an image exceeds the limit of processor \
      time or memory in a way that its header did not reveal. It also exits when its input ends, \
      when the reader of its output exits, and when the thread that started it ends.
      """,
    examples: [
      CommandExample("worker < requests.jsonl", "render the images of a list"),
      CommandExample("worker --max-memory 1G --max-seconds 30", "limit each image"),
    ],
    stopsCleanly: true,
    arguments: [
      .group(\.rendering, RenderingArguments.arguments),
      .option(
        "max-seconds", \.maximumSeconds, in: 1...86_400, value: "N",
        "Maximum processor time per image, in seconds."),
    ])

  var rendering = RenderingArguments()
  var maximumSeconds = 120

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    ProcessLimits.endWithParent()
    ProcessLimits.limitMemory(to: rendering.maximumMemory.bytes)
    var worker = try ImageWorker(rendering, environment)
    var lines = LineReader(environment, limit: LineFields.maximumBytes)
    try answer(description, environment)
    var number = 0
    while let line = try lines.next() {
      number += 1
      if line == .bytes([]) { continue }
      ProcessLimits.limitProcessorTime(toSeconds: maximumSeconds)
      var fields = ["line": JSONValue.whole(number)]
      do throws(CommandFailure) {
        fields = try reply(to: line, &fields, &worker)
      } catch {
        try environment.checkCancellation()
        fields["status"] = "failed"
        fields.merge(error.lineFields) { $1 }
      }
      try answer(fields, environment)
    }
    try environment.checkCancellation()
  }

  private func reply(
    to line: LineReader.Line, _ known: inout [String: JSONValue], _ worker: inout ImageWorker
  ) throws(CommandFailure) -> [String: JSONValue] {
    guard case .bytes(let bytes) = line else {
      throw .badLine("the line is longer than \(LineFields.maximumBytes) bytes")
    }
    var fields = try LineFields(bytes)
    if fields.all == ["ping": 1] { return description.merging(["ping": 1]) { $1 } }
    let before = ProcessLimits.usage.processorTime
    let request = try ImageWorker.Request(&fields)
    known = ["id": .string(request.id)]
    let result = try worker.render(request)
    let after = ProcessLimits.usage
    return result.json.merging([
      "id": .string(request.id), "status": "rendered",
      "cpuMs": .number(Double((after.processorTime - before) / 10) / 100),
      "peakKiB": .whole(after.peakKiB),
    ]) { $1 }
  }

  private func answer(
    _ fields: [String: JSONValue], _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    environment.output.write(try JSONValue.object(fields).canonicalText() + "\n")
    environment.output.flush()
  }

  /// The versions and options that a caller compares before it sends requests.
  private var description: [String: JSONValue] {
    [
      "worker": 1, "version": .string(Program.version),
      "engine": .whole(Renderer.semanticsVersion), "components": VersionInfo.libraries,
      "options": .object(rendering.resultOptions),
    ]
  }
}

extension CommandFailure {
  /// The failure as fields of a result line; hints name options that a worker may lack.
  var lineFields: [String: JSONValue] {
    [
      "exit": .whole(Int(exitCode.rawValue)), "code": .string(code), "message": .string(message),
    ]
  }
}
