// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// A command that lists the states of a photo's edit.
struct HistoryCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "history", "List the states of an edit, oldest first.",
    examples: [CommandExample("history photo.jpg", "list the states; * marks the current one")],
    writesJSON: true,
    arguments: [
      .positional("INPUT", \.input, "Photo or video."), .group(\.library, LibraryArguments.editing),
    ])

  var input = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try Batch.run([input], environment) { input throws(CommandFailure) in
      let target = try library.target(input, environment) { SidecarStore(path: $0) }
      let state = try editing(target.store.state())
      let original = target.sidecar == nil ? state.original.path : input
      _ = try mapFileErrors(OpenFile(reading: original).regularSize())
      let all =
        state.undoable.map { ("undo", $0) } + [("current", state.record)]
        + state.redoable.reversed().map { ("redo", $0) }
      if environment.wantsJSON {
        return try environment.write([
          "input": .string(input),
          "states": .array(all.map { .object(Self.fields($0.0, $0.1)) }),
        ])
      }
      for (stateName, record) in all {
        environment.print((stateName == "current" ? "* " : "  ") + Self.line(record))
      }
    }
  }

  private static func line(_ record: EditRecord?) -> String {
    guard let record else { return "original" }
    return "\(Clock.text(record.date))  \(summary(record))"
  }

  private static func summary(_ record: EditRecord) -> String {
    guard let graph = try? FilterGraph(json: Array(record.adjustment.data)) else {
      // Only the format of a third-party record is known.
      return "\(record.adjustment.formatIdentifier) \(record.adjustment.formatVersion)"
    }
    return graph.nodes.isEmpty
      ? "no filters"
      : graph.nodes.map { $0.isEnabled ? $0.filter : "(\($0.filter))" }.joined(separator: ", ")
  }

  private static func fields(_ stateName: String, _ record: EditRecord?) -> [String: JSONValue] {
    guard let record else { return ["state": .string(stateName), "edited": false] }
    return [
      "state": .string(stateName), "edited": true, "date": .string(Clock.text(record.date)),
      "formatIdentifier": .string(record.adjustment.formatIdentifier),
      "formatVersion": .string(record.adjustment.formatVersion),
      "rendering": .string(record.current.description), "summary": .string(summary(record)),
    ]
  }
}
