// SPDX-License-Identifier: Apache-2.0

/// A command that restores the state before the last change.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "undo", "Undo the last change, or go back to an earlier state.",
    examples: [
      CommandExample("undo photo.jpg", "undo the last change of the edit"),
      CommandExample("undo --to 0 photo.jpg", "go back to the oldest state of 'history'"),
    ],
    writesJSON: true, arguments: StateChange.arguments(\.change, hasNumber: true))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.undo, "undone", environment)
  }
}

/// A command that restores the state that was undone last.
struct RedoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "redo", "Redo the last undone change, or go to a later state.",
    examples: [
      CommandExample("redo photo.jpg", "redo the change undone last"),
      CommandExample("redo --to 2 photo.jpg", "go to state 2 of 'history'"),
    ],
    writesJSON: true, arguments: StateChange.arguments(\.change, hasNumber: true))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.redo, "redone", environment)
  }
}

/// The arguments and the behavior shared by revert, undo, and redo.
struct StateChange: Sendable {
  var inputs: [String] = []
  var output = OutputArguments()
  var isDryRun = false
  /// The number of the state to go to, as listed by `history`; nil for one step.
  var number: Int?
  var library = LibraryArguments()

  /// - Parameter hasNumber: Whether the command goes to any state of the history.
  static func arguments<Root>(
    _ keyPath: any WritableKeyPath<Root, StateChange> & Sendable, hasNumber: Bool = false
  ) -> [Argument<Root>] {
    let number = Argument<StateChange>.option(
      "to", \.number, in: 0...Int.max, value: "N",
      "Number of the state to go to (see 'photoedit history').")
    return [
      .group(
        keyPath,
        (hasNumber ? [number] : []) + [
          .positional("INPUT", \.inputs, "Photos or videos."),
          .group(\.library, LibraryArguments.editing),
          .option(
            "output", short: "o", \.output.output, value: "FILE",
            "Path of the rendering, if it is in another folder."),
          .flag(
            "force", short: "f", \.output.replacesFiles,
            "Discard external changes to the rendered file."),
          .flag(
            "dry-run", short: "n", \.isDryRun, "Show what would be done without writing anything."),
        ])
    ]
  }

  func run(
    _ change: EditChange, _ result: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    try output.check(inputCount: inputs.count)
    // An input that is specified twice is changed twice, one change after the other.
    let jobs = Set(inputs).count == inputs.count ? nil : 1
    try ParallelBatch.run(inputs, jobs: jobs, environment) {
      (index, _, environment) throws(CommandFailure) in
      let save = PendingSave { () throws(CommandFailure) in
        try perform(change, on: inputs[index], result, environment)
      }
      if case .revert = change { return save }
      // An undone or redone state may have to be rendered again.
      try save.run()
      return nil
    }
  }

  /// Returns the number of changes that lead to the requested state.
  private func steps(
    _ change: EditChange, from state: EditState, _ input: String
  ) throws(CommandFailure) -> Int {
    guard let number, let step = change.step else { return 1 }
    let (current, range) = (state.undoable.count, state.journal.numbers(step))
    guard range.contains(number) else {
      throw CommandFailure(
        .badData,
        "\(input): cannot go to state \(number) in this direction (allowed: "
          + "\(range.lowerBound)–\(range.upperBound); the current one is \(current))",
        hint: "list the states with 'photoedit history'", code: "noSuchState")
    }
    return abs(number - current)
  }

  private func perform(
    _ change: EditChange, on input: String, _ result: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let store = try store(input, environment)
    let before = try editing(store.state())
    var after = before
    if !isDryRun {
      let steps = try steps(change, from: before, input)
      if steps > 0 {
        after = try editing(store.perform(change, steps: steps, expecting: before.revision))
      }
    }
    environment.tally.add(before.revision == after.revision && !isDryRun ? "unchanged" : result)
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
      environment.noteResult("\(input): dry run; nothing was written")
    } else if before.revision == after.revision {
      environment.noteResult(
        "\(input): is \(after.isEdited ? "in this state already" : "not edited"); nothing to do")
    } else {
      environment.noteResult(
        "\(input): \(result); "
          + (after.isEdited ? "the rendering is \(after.current.path)" : "this is the original"))
    }
  }

  fileprivate func store(
    _ input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> any EditingStore {
    let isAsset = library.isAsset(input, environment)
    guard !isAsset || !output.isSpecified else {
      throw .usage(
        "-o cannot be used with library assets",
        hint: "omit -o")
    }
    let isMovie = isAsset ? false : try EditTarget.isMovie(input)
    return try library.target(input, environment, isDryRun: isDryRun) {
      SidecarStore(
        path: $0,
        rendering: output.path(name: EditArguments.renderingName(of: $0, isMovie: isMovie)),
        replacesExternalFiles: output.replacesFiles, contentExtension: isMovie ? "mov" : "jpg")
    }.store
  }
}
