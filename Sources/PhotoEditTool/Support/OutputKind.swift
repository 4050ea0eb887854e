// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// A kind of output file with its file extensions.
struct OutputKind: Sendable {
  /// The name with its article, for messages.
  let name: String
  /// The extensions in lower case, the usual one first.
  let extensions: [String]

  static let photo = OutputKind(name: "a JPEG", extensions: ["jpg", "jpeg"])
  static let png = OutputKind(name: "a PNG", extensions: ["png"])
  static let video = OutputKind(name: "a QuickTime video", extensions: ["mov"])
  static let preset = OutputKind(name: "a preset in JSON", extensions: ["json"])
  static let cube = OutputKind(name: "a color table", extensions: ["cube"])
}

extension OutputArguments {
  /// Rejects a file name with the extension of another kind of file.
  ///
  /// A name without an extension is accepted.
  func check(_ kind: OutputKind) throws(CommandFailure) {
    guard let output, output != "-", !output.hasSuffix("/"), !FileSystem.isFolder(output) else {
      return
    }
    let ending = FileSystem.splitName(FileSystem.lastName(of: output)).fileExtension
    guard ending.isEmpty || kind.extensions.contains(ending.lowercased()) else {
      throw .usage(
        "--output: \(output) ends in .\(ending), but the output is \(kind.name)",
        hint: "use a name that ends in .\(kind.extensions[0])")
    }
  }
}
