// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine

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
