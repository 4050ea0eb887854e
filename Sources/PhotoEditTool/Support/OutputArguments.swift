// SPDX-License-Identifier: Apache-2.0

/// The options for the destination of results and for replacing files.
struct OutputArguments: Sendable {
  var output: String?
  var replacesFiles = false

  static let arguments: [Argument<Self>] = [
    .option(
      "output", short: "o", \.output, value: "FILE",
      "Output file, DIR/, which is created, or - for standard output."),
    .flag("force", short: "f", \.replacesFiles, "Overwrite existing files."),
  ]

  /// The same for commands that replace renderings of their own without `--force`.
  static let editing: [Argument<Self>] = [
    arguments[0],
    .flag("force", short: "f", \.replacesFiles, "Overwrite files that photoedit did not create."),
  ]

  var isSpecified: Bool { output != nil }

  var isStandardOutput: Bool { output == "-" }

  /// Returns the path for the rendering of an input; nil means next to the input, or the previous
  /// path.
  ///
  /// - Parameter name: The file name to use if `output` is a folder.
  func path(name: String) -> String? {
    guard let output else { return nil }
    if output.hasSuffix("/") { return output + name }
    return FileSystem.isFolder(output) ? output + "/" + name : output
  }

  /// Creates the folder of an output that ends in a slash, and those above it.
  func createFolder() throws(CommandFailure) {
    if let output, output.hasSuffix("/") { try CopyNames.createFolders(output) }
  }

  /// Rejects a single file name for several inputs.
  func check(inputCount: Int) throws(CommandFailure) {
    guard let output, inputCount > 1 else { return }
    guard output != "-", output.hasSuffix("/") || FileSystem.isFolder(output) else {
      throw .usage(
        "--output: \(inputCount) inputs cannot be written to one file",
        hint: "specify a folder with -o DIR/")
    }
  }

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

/// Atomic writing of files; a partial file is never visible.
enum Publishing {
  /// Writes bytes to a path atomically.
  ///
  /// - Parameters:
  ///   - input: The file that the bytes are based on, which is never replaced.
  ///   - originals: Other files that they are based on; the permissions do not exceed theirs.
  static func write(
    _ bytes: [UInt8], to path: String, replacesFiles: Bool, notOver input: String? = nil,
    like originals: [String] = []
  ) throws(CommandFailure) {
    try write(to: path, replacesFiles: replacesFiles, notOver: input) {
      staged throws(CommandFailure) in
      for original in originals { staged.note(original: original) }
      try complete(staged, bytes)
    }
  }

  /// Publishes a JPEG that is written while it is rendered.
  static func write(
    to path: String, replacesFiles: Bool, notOver input: String, _ options: RenderOptions,
    rendering render: (RenderOptions) throws(CommandFailure) -> Rendering
  ) throws(CommandFailure) -> Rendering {
    try write(to: path, replacesFiles: replacesFiles, notOver: input) {
      staged throws(CommandFailure) in
      var options = options
      options.staged = staged
      let rendering = try render(options)
      try complete(staged, rendering.jpeg)
      return rendering
    }
  }

  private static func complete(
    _ staged: StagedFile, _ bytes: [UInt8]
  ) throws(CommandFailure) {
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      try staged.complete(with: bytes)
      try staged.file.sync()
    }
  }

  /// Publishes a file that a body writes and syncs; returns the result of the body.
  static func write<Result>(
    to path: String, replacesFiles: Bool, notOver input: String? = nil,
    _ body: (_ staged: StagedFile) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    try check(path, replacesFiles: replacesFiles, notOver: input)
    let staged = try mapFileErrors(StagedFile(for: path))
    let result = try body(staged)
    // The body may take long, and the path may lead to the original by now.
    try check(path, replacesFiles: replacesFiles, notOver: input)
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      try staged.publish(replacing: replacesFiles, like: input == "-" ? nil : input)
      try FileSystem.syncFolder(FileSystem.folder(of: path))
    }
    return result
  }

  /// Rejects a path before any work is done for it.
  static func check(
    _ path: String, replacesFiles: Bool, notOver input: String? = nil
  ) throws(CommandFailure) {
    if let input, isSame(path, input) {
      throw CommandFailure(
        .cannotCreate, "\(path): the output would overwrite the original",
        hint: "originals are never modified; choose another path with -o", code: "isOriginal")
    }
    let entry = try mapFileErrors(FileSystem.entry(at: path))
    switch entry {
    case nil: break
    case .file where replacesFiles: break
    case .file:
      throw CommandFailure(
        .cannotCreate, "\(path): already exists",
        hint: "use --force to overwrite it, or -o for another path",
        code: "exists")
    case .folder, .other:
      throw CommandFailure(
        .cannotCreate, "\(path): is a folder or special file",
        hint: "choose another path with -o", code: "exists")
    }
  }

  /// Returns whether two paths lead to the same file, which exists.
  static func isSame(_ a: String, _ b: String) -> Bool {
    guard let resolved = try? FileSystem.resolved(a) else { return false }
    return resolved == (try? FileSystem.resolved(b))
  }
}

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
  static let page = OutputKind(name: "an HTML page", extensions: ["html", "htm"])
}
