// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine

/// A command that restores the state before the last change.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "undo", "Undo the last change.",
    examples: [CommandExample("undo photo.jpg", "undo the last change of the edit")],
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.undo, "undone", environment)
  }
}

/// A command that restores the state that was undone last.
struct RedoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "redo", "Redo the last undone change.",
    examples: [CommandExample("redo photo.jpg", "redo the change undone last")],
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.redo, "redone", environment)
  }
}
