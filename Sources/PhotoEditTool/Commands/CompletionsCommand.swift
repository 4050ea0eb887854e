// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

/// A command that prints the completion script for a shell.
struct CompletionsCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "completions", "Print the completion script for a shell.",
    discussion: """
      The script completes commands, options and their values, filters with their parameters, \
      album titles and asset prefixes. Load it in the startup file of the shell: \
      'source <(photoedit completions bash)' in .bashrc, the same with zsh in .zshrc (after \
      compinit), or 'photoedit completions fish | source' in config.fish. The Debian package \
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
