// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine

/// A command that restores the state before the last change.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "undo", "Goes back to the state before the last change.",
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.undo, "undone", environment)
  }
}

/// A command that restores the state that was undone last.
struct RedoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "redo", "Goes forward to the state that was undone last.",
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.redo, "redone", environment)
  }
}
