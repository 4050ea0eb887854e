// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditServeArguments

/// The photo, folder or library that the arguments name.
enum ServedInput {
  /// Returns a digest of the user and the input, from which the control socket is named.
  static func key(
    _ arguments: ServeArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> SHA256Digest {
    let path = try path(arguments)
    // The error of a missing library says how to create one.
    if arguments.library != nil, !FileSystem.isFolder(path) { _ = try library(path) }
    let resolved = try naming(path, FileSystem.resolved(path))
    return SHA256Digest(of: Array("photoedit\0\(geteuid())\0\(resolved)".utf8))
  }

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
    if FileSystem.isFolder(path) {
      let photos = try naming(
        path, PhotoFiles(folder: path, stateFolder: stateFolder) { environment.warn($0) })
      photos.noteLinks()
      return photos
    }
    _ = try naming(path, OpenFile(reading: path).regularSize())
    return try naming(path, PhotoFiles(photo: path, stateFolder: stateFolder))
  }

  private static func library(_ path: String) throws(CommandFailure) -> PhotoLibrary {
    try translating(
      { CommandFailure(ExitCode($0.failureClass), "\(path): \($0.message)", hint: $0.hint) }
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
    try translating({ CommandFailure(ExitCode($0.failureClass), "\(path): \($0.reason)") }, body)
  }
}

/// The folders of the command line that a client can import from and export to, by their names.
struct Roots: Sendable {
  /// A folder with its name; the path is resolved when the server starts.
  struct Root: Sendable {
    let name: String
    let path: String
  }

  let imports: [Root]
  let exports: [Root]

  static let none = Roots(imports: [], exports: [])

  private init(imports: [Root], exports: [Root]) {
    (self.imports, self.exports) = (imports, exports)
  }

  init(_ arguments: ServeArguments) throws(CommandFailure) {
    let isWriting = !arguments.imports.isEmpty || !arguments.exports.isEmpty
    guard arguments.library != nil || !isWriting else {
      throw .usage(
        "--import-from and --export-to: need a library", hint: "use --library DIR")
    }
    guard !arguments.isReadOnly || !isWriting else {
      throw .usage(
        "--import-from and --export-to: cannot be used with --read-only", hint: "omit one of them")
    }
    imports = try Self.named(arguments.imports, "--import-from", .inputMissing)
    exports = try Self.named(arguments.exports, "--export-to", .cannotCreate)
  }

  /// Resolves folders and gives each a name: the last part of its path, numbered if necessary.
  private static func named(
    _ paths: [String], _ option: String, _ code: ExitCode
  ) throws(CommandFailure) -> [Root] {
    var roots: [Root] = []
    for path in paths {
      guard FileSystem.isFolder(path) else {
        throw CommandFailure(code, "\(option): \(path): not a folder", hint: "create it first")
      }
      let resolved = try ServedInput.naming(path, FileSystem.resolved(path))
      let stem = FileSystem.lastName(of: resolved)
      var (name, number) = (stem, 2)
      while roots.contains(where: { $0.name == name }) {
        name = "\(stem) (\(number))"
        number += 1
      }
      roots.append(Root(name: name, path: resolved))
    }
    return roots
  }

  /// Returns the path of a named folder.
  static func path(_ name: String, in roots: [Root]) throws(Problem) -> String {
    guard let root = roots.first(where: { $0.name == name }) else {
      throw Problem(.notFound, "there is no folder of this name")
    }
    return root.path
  }
}
