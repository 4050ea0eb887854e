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
    let resolved = try naming(path, FileSystem.resolved(path))
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
    _ = try naming(path, OpenFile(reading: path).regularSize())
    return PhotoFiles(photo: path, stateFolder: stateFolder)
  }

  private static func library(_ path: String) throws(CommandFailure) -> PhotoLibrary {
    try translating(
      { CommandFailure(Problem($0).code, "\(path): \($0.message)", hint: $0.hint) }
    ) { () throws(LibraryError) in
      let library = try PhotoLibrary.shared(at: URL(filePath: path))
      if let problem = PhotoLibrary.policyProblem(at: library.url) { throw problem }
      return library
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

  /// Evaluates an expression and rethrows its error as a failure that names the input.
  static func naming<Result: ~Copyable>(
    _ path: String, _ body: @autoclosure () throws(FileError) -> Result
  ) throws(CommandFailure) -> Result {
    try translating({ CommandFailure(Problem($0).code, "\(path): \($0.reason)") }, body)
  }
}
