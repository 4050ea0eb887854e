// SPDX-License-Identifier: Apache-2.0

/// A command that reverts to the original in one step.
struct RevertCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "revert", "Revert to the original; 'undo' restores the edit.",
    examples: [CommandExample("revert photo.jpg", "remove photo.edited.jpg")],
    writesJSON: true, arguments: StateChange.arguments(\.change))

  var change = StateChange()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try change.run(.revert, "reverted", environment)
  }
}
