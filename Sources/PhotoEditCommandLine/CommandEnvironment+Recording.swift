// SPDX-License-Identifier: Apache-2.0

/// Messages of work that is done beside other work, kept until it is their turn.
extension CommandEnvironment {
  /// The same surroundings, but what is written is kept in memory.
  package func recording() -> CommandEnvironment {
    var copy = CommandEnvironment(
      arguments: arguments, variable: variable, input: input,
      output: OutputStream(isTerminal: output.isTerminal),
      error: OutputStream(isTerminal: error.isTerminal), cancellation: cancellation)
    copy.verbosity = verbosity
    copy.wantsJSON = wantsJSON
    copy.programName = programName
    copy.colorChoice = colorChoice
    copy.command = command
    return copy
  }

  /// Writes what a recording holds, as if it were written now.
  package func replay(_ recording: CommandEnvironment) {
    let messages = recording.error.bytes
    if !messages.isEmpty {
      progress.clear()
      error.write(bytes: messages)
    }
    let results = recording.output.bytes
    if !results.isEmpty { output.write(bytes: results) }
  }
}
