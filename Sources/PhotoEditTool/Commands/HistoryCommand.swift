// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that lists the states of a photo's edit.
struct HistoryCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "history", "List the states of an edit, oldest first, with what changed.",
    discussion: """
      Each line has the number of a state, its local time, and the differences from the state \
      before it; * marks the current one. 'photoedit undo --to N' and 'photoedit redo --to N' go \
      to a state. Up to 20 earlier states are kept.
      """,
    examples: [
      CommandExample("history photo.jpg", "list the states with the changed values"),
      CommandExample("undo --to 1 photo.jpg", "go back to state 1 of the list"),
    ],
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
      let history = state.history
      if environment.wantsJSON {
        return try environment.write([
          "input": .string(input), "states": .array(history.map { .object($0.fields) }),
        ])
      }
      let width = "\(history.count - 1)".count
      for state in history {
        let number = "\(state.number)"
        environment.print(
          (state.position == .current ? "* " : "  ")
            + String(repeating: " ", count: width - number.count) + number + "  " + state.line)
      }
    }
  }
}

extension EditHistoryState {
  fileprivate var line: String {
    guard let record else { return "original" }
    let text =
      changes.map { changes in
        changes.isEmpty
          ? "no change of the filters" : changes.map(\.description).joined(separator: ", ")
      } ?? record.summary
    return "\(Clock.localText(record.date))  \(text)"
  }

  fileprivate var fields: [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "number": .whole(number), "state": .string(position.rawValue), "edited": .bool(record != nil),
    ]
    guard let record else { return fields }
    fields["date"] = .string(Clock.text(record.date))
    fields["formatIdentifier"] = .string(record.adjustment.formatIdentifier)
    fields["formatVersion"] = .string(record.adjustment.formatVersion)
    fields["rendering"] = .string(record.current.description)
    fields["summary"] = .string(record.summary)
    fields["changes"] = changes.map { .array($0.map(\.json)) } ?? .null
    return fields
  }
}

extension FilterGraphChange {
  fileprivate var json: JSONValue {
    let values = JSONValue.object(values.mapValues(\.json))
    return [
      "kind": .string(kind.rawValue), "node": .text(node), "filter": .text(filter),
      "parameter": .text(parameter), "text": .string(description),
      "from": kind == .removed ? values : from?.json ?? .null,
      "to": kind == .added ? values : to?.json ?? .null,
    ]
  }
}

extension EditRecord {
  /// The filters by name, those that are off in parentheses.
  fileprivate var summary: String {
    // Only the format of a third-party record is known.
    guard let graph = storedGraph else {
      return "\(adjustment.formatIdentifier) \(adjustment.formatVersion)"
    }
    return graph.nodes.isEmpty
      ? "no filters"
      : graph.nodes.map { $0.isEnabled ? $0.filter : "(\($0.filter))" }.joined(separator: ", ")
  }
}
