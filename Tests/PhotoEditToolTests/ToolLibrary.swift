// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// A library in a folder with files next to it, accessed through the program.
struct ToolLibrary {
  let folder: TemporaryFolder
  /// The library's folder, as named on the command line.
  var name = "library"

  /// Creates an empty library.
  init() throws {
    folder = try TemporaryFolder()
    let result = try Tool.run(["library", "create", name], in: folder.path)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  private init(_ folder: TemporaryFolder, _ name: String) {
    self.folder = folder
    self.name = name
  }

  /// A second library next to this one.
  func second(_ name: String = "second") throws -> ToolLibrary {
    let result = try Tool.run(["library", "create", name], in: folder.path)
    try #require(result.exitCode == 0, "\(result.errors)")
    return ToolLibrary(folder, name)
  }

  /// A library created by other code in the same folder.
  func other(_ name: String) -> ToolLibrary { ToolLibrary(folder, name) }

  // MARK: Running

  func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(arguments + ["--library", name], in: folder.path)
  }

  func run(_ arguments: String...) throws -> Tool.Result { try run(arguments) }

  /// Runs a command that must succeed, and reads its lines.
  func lines(_ arguments: String...) throws -> [JSONValue] {
    let result = try run(arguments + ["--json"])
    try #require(result.exitCode == 0, "\(arguments): \(result.errors)")
    let lines = try result.jsonLines()
    for line in lines { #expect(line["schemaVersion"]?.integerValue == 1) }
    return lines
  }

  /// Runs a command that must succeed and print a single value.
  func json(_ arguments: String...) throws -> JSONValue {
    let result = try run(arguments + ["--json"])
    try #require(result.exitCode == 0, "\(arguments): \(result.errors)")
    let lines = try result.jsonLines()
    try #require(lines.count == 1, "\(result.output)")
    #expect(lines[0]["schemaVersion"]?.integerValue == 1)
    return lines[0]
  }

  /// Runs a command that must be rejected, with a text message and a JSON object.
  func expectRefusal(
    _ exitCode: Int, _ words: String, _ arguments: String...,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(arguments + ["--json"])
    #expect(Int(result.exitCode) == exitCode, "\(result.errors)", sourceLocation: location)
    #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: location)
    let error = try result.jsonLines().compactMap { $0["error"] }.first
    #expect(error?["exit"]?.integerValue == exitCode, sourceLocation: location)
    #expect(error?["code"]?.stringValue?.isEmpty == false, sourceLocation: location)
    #expect(error?["message"]?.stringValue?.isEmpty == false, sourceLocation: location)
  }

  // MARK: Files and assets

  /// Writes a file next to the library, creating the folders it needs.
  func write(_ bytes: [UInt8], to name: String) throws {
    try FileManager.default.createDirectory(
      atPath: FileSystem.folder(of: folder.path(name)), withIntermediateDirectories: true)
    try folder.write(bytes, to: name)
  }

  /// Imports one file and returns the identifier of its asset.
  func add(_ bytes: [UInt8], as name: String) throws -> String {
    try write(bytes, to: name)
    return try #require(try lines("asset", "import", name).first?["asset"]?.stringValue)
  }

  /// Imports small photos that differ in their comments.
  func addPhotos(_ count: Int) throws -> [String] {
    for index in 0..<count {
      let digits = String(1000 + index).dropFirst()
      try write(try ImageFile().jpeg(index + 1), to: "photos/\(digits).jpg")
    }
    return try lines("asset", "import", "photos").compactMap { $0["asset"]?.stringValue }
  }

  /// The identifiers that a list shows.
  func list(_ arguments: String...) throws -> [String] {
    let result = try run(["asset", "list", "--json"] + arguments)
    try #require(result.exitCode == 0, "\(result.errors)")
    return try result.jsonLines().compactMap { $0["identifier"]?.stringValue }
  }

  /// The files of an asset by the raw values of their types.
  func files(_ asset: String) throws -> [Int: String] {
    let files = try json("asset", "show", asset)["files"]?.arrayValue ?? []
    return Dictionary(
      uniqueKeysWithValues: try files.map { file in
        (
          try #require(file["type"]?.integerValue), try #require(file["path"]?.stringValue)
        )
      })
  }

  /// Every asset file of the library with its content.
  func storedFiles() throws -> [String: SHA256Digest] {
    let root = folder.path(name) + "/assets"
    var found: [String: SHA256Digest] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: root)
    where try FileSystem.entry(at: root + "/" + file) == .file && !file.hasSuffix("asset.json") {
      found[file] = try FileBytes.digest(of: root + "/" + file)
    }
    return found
  }

  /// Expects a full check to find nothing.
  func expectOrder(location: SourceLocation = #_sourceLocation) throws {
    let report = try json("library", "check", "--deep")
    #expect(report["isSound"]?.boolValue == true, sourceLocation: location)
    #expect(report["findings"]?.arrayValue == [], sourceLocation: location)
  }
}

extension JSONValue {
  /// The names of an object's members.
  var keys: Set<String> { Set(objectValue.map { Array($0.keys) } ?? []) }
}
