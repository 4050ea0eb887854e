// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditServeArguments
import PhotoEditStorage

/// The folders of the command line that a client can import from and export to, by their names.
struct Roots: Sendable {
  /// A folder with its name; the path is resolved when the server starts.
  struct Root: Sendable {
    let name: String
    let path: String
  }

  let imports: [Root]
  let exports: [Root]

  /// No folders.
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
