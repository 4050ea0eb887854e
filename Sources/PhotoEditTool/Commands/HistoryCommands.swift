// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// Goes back to the original in one step.
struct RevertCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "revert", "Goes back to the original in one step; 'undo' takes that back.",
    examples: [CommandExample("revert photo.jpg", "removes photo.edited.jpg")],
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.revert, "reverted", environment)
  }
}

/// Goes back to the state before the last change.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "undo", "Goes back to the state before the last change.",
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.undo, "undone", environment)
  }
}

/// Goes forward to the state that was undone last.
struct RedoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "redo", "Goes forward to the state that was undone last.",
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.redo, "redone", environment)
  }
}

/// What revert, undo and redo have in common.
struct StateChange: Sendable {
  var inputs: [String] = []
  var output = OutputArguments()
  var isDryRun = false
  var library = LibraryArguments()

  static func arguments<Root>(
    _ keyPath: any WritableKeyPath<Root, StateChange> & Sendable
  ) -> [Argument<Root>] {
    [
      .group(
        keyPath,
        [
          .positional("INPUT", \.inputs, "Photos."),
          .group(\.library, LibraryArguments.editing),
          .option(
            "output", short: "o", \.output.output, value: "FILE",
            "Names a rendering in another folder, which otherwise stays as it is."),
          .flag(
            "force", short: "f", \.output.replacesFiles,
            "Gives up changes made to the rendering."),
          .flag("dry-run", short: "n", \.isDryRun, "Says what would be done and writes nothing."),
        ])
    ]
  }

  func run(
    _ change: EditChange, _ word: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    try output.check(inputCount: inputs.count)
    try Batch.run(inputs, environment) { input throws(CommandFailure) in
      let store = try store(input, environment)
      let (before, after) = try editing { () throws(EditingError) in
        let before = try store.state()
        return (before, isDryRun ? before : try store.perform(change, expecting: before.revision))
      }
      if environment.wantsJSON {
        return try environment.write([
          "input": .string(input), "changed": .bool(before.revision != after.revision),
          "edited": .bool(after.isEdited),
          "output": .text(after.isEdited ? after.current.path : nil),
          "undoable": .whole(after.undoable.count), "redoable": .whole(after.redoable.count),
          "notices": .texts(after.notices), "dryRun": .bool(isDryRun),
        ])
      }
      for notice in after.notices { environment.note("\(input): \(notice)") }
      if isDryRun {
        environment.note("dry run: nothing is written")
      } else if before.revision == after.revision {
        environment.note("\(input): is not edited; nothing to do")
      } else {
        environment.note(
          "\(input): \(word); "
            + (after.isEdited ? "the rendering is \(after.current.path)" : "this is the original"))
      }
    }
  }
}

extension StateChange {
  fileprivate func store(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> any EditingStore {
    let isAsset = library.isAsset(input, environment)
    guard !isAsset || !output.isGiven else {
      throw .usage(
        "-o is for files, and the input is an asset of a library",
        hint: "leave it out; a library has its own places")
    }
    let isMovie = isAsset ? false : try EditTarget.isMovie(input)
    return try library.target(input, environment) {
      SidecarStore(
        path: $0,
        rendering: output.path(name: EditArguments.renderingName(of: $0, isMovie: isMovie)),
        replacesForeignFiles: output.replacesFiles, contentExtension: isMovie ? "mov" : "jpg")
    }.store
  }
}

/// Lists the states of a photo's edit.
struct HistoryCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "history", "Lists the states of an edit, the earliest first.",
    writesJSON: true,
    arguments: [
      .positional("INPUT", \.input, "The photo."), .group(\.library, LibraryArguments.editing),
    ])

  var input = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try Batch.run([input], environment) { input throws(CommandFailure) in
      let target = try library.target(input, environment) { SidecarStore(path: $0) }
      let state = try editing(target.store.state())
      let original = target.sidecar == nil ? state.original.path : input
      _ = try filing(OpenFile(reading: original).regularSize())
      let all =
        state.undoable.map { ("undo", $0) } + [("current", state.record)]
        + state.redoable.reversed().map { ("redo", $0) }
      if environment.wantsJSON {
        return try environment.write([
          "input": .string(input),
          "states": .array(all.map { .object(Self.fields($0.0, $0.1)) }),
        ])
      }
      for (place, record) in all {
        environment.print((place == "current" ? "* " : "  ") + Self.line(record))
      }
    }
  }

  private static func line(_ record: EditRecord?) -> String {
    guard let record else { return "the original" }
    return "\(Clock.text(record.date))  \(summary(record))"
  }

  private static func summary(_ record: EditRecord) -> String {
    guard let graph = try? FilterGraph(json: Array(record.adjustment.data)) else {
      // Another program's record: its name is all that is known.
      return "\(record.adjustment.formatIdentifier) \(record.adjustment.formatVersion)"
    }
    return graph.nodes.isEmpty
      ? "no filters"
      : graph.nodes.map { $0.isEnabled ? $0.filter : "(\($0.filter))" }.joined(separator: ", ")
  }

  private static func fields(_ place: String, _ record: EditRecord?) -> [String: JSONValue] {
    guard let record else { return ["state": .string(place), "edited": false] }
    return [
      "state": .string(place), "edited": true, "date": .string(Clock.text(record.date)),
      "formatIdentifier": .string(record.adjustment.formatIdentifier),
      "formatVersion": .string(record.adjustment.formatVersion),
      "rendering": .string(record.current.description), "summary": .string(summary(record)),
    ]
  }
}
