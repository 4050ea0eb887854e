// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditPlatform
import PhotoEditServeArguments
import PhotoEditStorage

/// The photo, folder or library that the arguments name.
enum ServedInput {
  /// Returns a digest of the user and the input, from which address and control socket are derived.
  static func key(
    _ arguments: ServeArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> SHA256Digest {
    let path = try path(arguments)
    let resolved = try translating(path) { () throws(FileError) in try FileSystem.resolved(path) }
    return SHA256Digest(of: Array("photoedit\0\(geteuid())\0\(resolved)".utf8))
  }

  /// Returns the photos to show.
  static func source(
    _ arguments: ServeArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> any PhotoSource {
    let path = try path(arguments)
    guard !FileSystem.isFolder(path) else {
      throw .usage("\(path): is a folder", hint: "name a photo")
    }
    _ = try translating(path) { () throws(FileError) in
      try OpenFile(reading: path).regularSize()
    }
    let store = SidecarStore(path: path)
    return SinglePhoto(
      store.stored(in: try stateFolder(path, store, environment.variable(StateDirectory.variable))))
  }

  private static func path(_ arguments: ServeArguments) throws(CommandFailure) -> String {
    guard let input = arguments.input else {
      throw .usage("INPUT: missing argument", hint: "name a photo")
    }
    return input
  }

  /// Returns the folder of a photo's edit in a state directory, as the other commands do.
  private static func stateFolder(
    _ path: String, _ store: SidecarStore, _ directory: String?
  ) throws(CommandFailure) -> String? {
    guard let directory, !directory.isEmpty, !FileSystem.itemExists(store.sidecarPath) else {
      return nil
    }
    do throws(EditingError) {
      return try StateDirectory.folder(for: path, in: directory)
    } catch {
      throw CommandFailure(Problem(error).code, error.description)
    }
  }

  /// Runs a body and rethrows its error as a failure that names the input.
  static func translating<Result: ~Copyable>(
    _ path: String, _ body: () throws(FileError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw CommandFailure(Problem(error).code, "\(path): \(error.reason)")
    }
  }
}
