// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// What a command writes, and the extensions that say so.
struct OutputKind: Sendable {
  /// With its article, for messages.
  let name: String
  /// In lower case, the usual one first.
  let extensions: [String]

  static let photo = OutputKind(name: "a JPEG", extensions: ["jpg", "jpeg"])
  static let video = OutputKind(name: "a QuickTime video", extensions: ["mov"])
  static let preset = OutputKind(name: "a preset in JSON", extensions: ["json"])
  static let cube = OutputKind(name: "a color table", extensions: ["cube"])
}

extension OutputArguments {
  /// Refuses a file name that promises another kind of file than the command writes.
  ///
  /// A name without an extension promises nothing.
  func check(_ kind: OutputKind) throws(CommandFailure) {
    guard let output, output != "-", !output.hasSuffix("/"), !FileSystem.isFolder(output) else {
      return
    }
    let ending = FileSystem.splitName(FileSystem.lastName(of: output)).fileExtension
    guard ending.isEmpty || kind.extensions.contains(ending.lowercased()) else {
      throw .usage(
        "--output: \(output) ends in .\(ending), and what is written is \(kind.name)",
        hint: "give it a name that ends in .\(kind.extensions[0])")
    }
  }
}
