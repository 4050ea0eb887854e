// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditLibrary
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
    if arguments.library != nil { return LibrarySource(try library(path)) }
    let directory = environment.variable(StateDirectory.variable)
    let stateFolder: @Sendable (String) -> String? = { photo in
      guard let directory, !directory.isEmpty,
        !FileSystem.itemExists(SidecarStore(path: photo).sidecarPath)
      else { return nil }
      return try? StateDirectory.folder(for: photo, in: directory)
    }
    if FileSystem.isFolder(path) { return PhotoFiles(folder: path, stateFolder: stateFolder) }
    _ = try translating(path) { () throws(FileError) in
      try OpenFile(reading: path).regularSize()
    }
    return PhotoFiles(photo: path, stateFolder: stateFolder)
  }

  private static func library(_ path: String) throws(CommandFailure) -> PhotoLibrary {
    do throws(LibraryError) {
      let library = try PhotoLibrary.shared(at: URL(filePath: path))
      if let problem = PhotoLibrary.policyProblem(at: library.url) { throw problem }
      return library
    } catch {
      throw CommandFailure(Problem(error).code, "\(path): \(error.message)", hint: error.hint)
    }
  }

  private static func path(_ arguments: ServeArguments) throws(CommandFailure) -> String {
    guard arguments.input == nil || arguments.library == nil else {
      throw .usage("INPUT: cannot be used with --library", hint: "omit one of them")
    }
    guard let path = arguments.library ?? arguments.input, !path.isEmpty else {
      throw .usage("missing INPUT", hint: "specify a photo, a folder, or --library DIR")
    }
    return path
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
