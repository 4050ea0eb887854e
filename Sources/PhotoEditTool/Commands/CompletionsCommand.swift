// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

/// A command that prints the completion script for a shell.
struct CompletionsCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "completions", "Print the completion script for a shell.",
    discussion: """
      The script completes commands, options and their values, filters with their parameters, \
      album titles and asset prefixes. Load it from the startup file of the shell: in .bashrc or \
      .zshrc (after compinit) with 'source <(photoedit completions bash)' and the name of the \
      shell, in config.fish with 'photoedit completions fish | source'. The Debian package \
      installs the scripts for all users.
      """,
    examples: [
      CommandExample("completions bash", "print the script for bash")
    ],
    arguments: [.positional("SHELL", \.shell, "Shell.")])

  var shell = CompletionShell.bash

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    environment.output.write(Program.description.completionScript(for: shell))
  }
}
