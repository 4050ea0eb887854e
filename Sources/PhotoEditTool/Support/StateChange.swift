// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditStorage

/// The arguments and the behavior shared by revert, undo, and redo.
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
          .positional("INPUT", \.inputs, "Photos or videos."),
          .group(\.library, LibraryArguments.editing),
          .option(
            "output", short: "o", \.output.output, value: "FILE",
            "Path of a rendering in another folder, to update it as well."),
          .flag(
            "force", short: "f", \.output.replacesFiles,
            "Discard external changes to the rendered file."),
          .flag(
            "dry-run", short: "n", \.isDryRun, "Show what would be done without writing anything."),
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
        environment.note("dry run: nothing was written")
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
        "-o cannot be used with library assets",
        hint: "omit -o")
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
