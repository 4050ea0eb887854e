// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditServeArguments

/// A command that replaces this process by the server, `photoedit-serve`.
///
/// The server is another program because it needs libraries that no other command should load.
struct ServeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "serve", ServeArguments.abstract, discussion: ServeArguments.discussion,
    examples: ServeArguments.examples, arguments: [.group(\.arguments, ServeArguments.all)])

  var arguments = ServeArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try environment.requireProcess(for: "serve")
    let program = try Self.program()
    // The arguments name files and addresses; the code of the link is created by the server.
    var words: [UnsafeMutablePointer<CChar>?] =
      (["photoedit"] + environment.arguments).map { strdup($0) }
    words.append(nil)
    execv(program, words)
    let code = errno
    let reason = code == ENOENT ? "is missing" : String(cString: strerror(code))
    throw CommandFailure(
      .unavailable, "\(program): \(reason)",
      hint: "build it with Tools/build-release, or install photoedit again")
  }

  /// Returns the path of the server, in the folder of this program.
  private static func program() throws(CommandFailure) -> String {
    let own = try mapFileErrors(FileSystem.resolved("/proc/self/exe"))
    return FileSystem.folder(of: own) + "/photoedit-serve"
  }
}
