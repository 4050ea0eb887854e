// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// Where results go and what may be replaced there.
struct OutputArguments: Sendable {
  var output: String?
  var replacesFiles = false

  static let arguments: [Argument<Self>] = [
    .option(
      "output", short: "o", \.output, value: "FILE", "Writes to FILE, or into DIR/; '-' is stdout."),
    .flag("force", short: "f", \.replacesFiles, "Replaces a file that is not ours."),
  ]

  /// Whether a place is given at all.
  var isGiven: Bool { output != nil }

  var isStandardOutput: Bool { output == "-" }

  /// Where the rendering of an input goes; nil means beside it, or where it was before.
  ///
  /// - Parameter name: The file's name when `output` is a folder.
  func path(name: String) -> String? {
    guard let output else { return nil }
    if output.hasSuffix("/") { return output + name }
    return FileSystem.isFolder(output) ? output + "/" + name : output
  }

  /// Refuses one file name for several inputs.
  func check(inputCount: Int) throws(CommandFailure) {
    guard let output, inputCount > 1 else { return }
    guard output != "-", output.hasSuffix("/") || FileSystem.isFolder(output) else {
      throw .usage(
        "--output: one file cannot take \(inputCount) inputs", hint: "name a folder: -o DIR/")
    }
  }
}

/// Publishes whole files; nobody ever sees a part of one.
enum Publishing {
  /// Writes bytes under a name in one step.
  ///
  /// - Parameter input: What the bytes were made of; it must not be replaced, whatever is allowed.
  static func write(
    _ bytes: [UInt8], to path: String, replacesFiles: Bool, notOver input: String? = nil
  ) throws(CommandFailure) {
    try write(to: path, replacesFiles: replacesFiles, notOver: input) {
      staged throws(CommandFailure) in
      try filing { () throws(FileError) in
        let file = try OpenFile(creating: staged)
        try file.write(bytes)
        try file.sync()
      }
    }
  }

  /// Publishes a file that a body makes under another name.
  static func write(
    to path: String, replacesFiles: Bool, notOver input: String? = nil,
    _ make: (_ staged: String) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    try check(path, replacesFiles: replacesFiles, notOver: input)
    let staging = try filing(StagingFolder(in: FileSystem.folder(of: path)))
    defer { staging.discard() }
    let staged = staging.file("file")
    try make(staged)
    try filing { () throws(FileError) in
      try FileSystem.publish(
        staged, as: path, replacing: replacesFiles, like: input == "-" ? nil : input)
      try FileSystem.syncFolder(FileSystem.folder(of: path))
    }
  }

  /// Refuses a place before work is done for it.
  static func check(
    _ path: String, replacesFiles: Bool, notOver input: String? = nil
  ) throws(CommandFailure) {
    if let input, isSame(path, input) {
      throw CommandFailure(
        .cannotCreate, "\(path): the result would replace the original",
        hint: "originals are never written; choose another name with -o", code: "isOriginal")
    }
    let entry = try filing(FileSystem.entry(at: path))
    switch entry {
    case nil: break
    case .file where replacesFiles: break
    case .file:
      throw CommandFailure(
        .cannotCreate, "\(path): exists",
        hint: "use --force to replace it, or -o to write elsewhere",
        code: "exists")
    case .folder, .other:
      throw CommandFailure(
        .cannotCreate, "\(path): a folder or special file is in the way",
        hint: "choose another name with -o", code: "exists")
    }
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    do throws(FileError) {
      return try FileSystem.resolved(a) == FileSystem.resolved(b)
    } catch {
      return false
    }
  }
}
