// SPDX-License-Identifier: Apache-2.0

/// The folder of a run: a description, looks, shards and results, each written once.
struct RunFolder: Sendable {
  let path: String

  var descriptionFile: String { path + "/" + Self.descriptionName }
  var reportFile: String { path + "/report.json" }

  fileprivate static let descriptionName = "run.json"
  static let resultsName = "results"
  private static let folders = ["looks", "shards", "results", "levels"]

  /// The name of a look beneath the folder.
  static func look(_ digest: SHA256Digest) -> String { "looks/\(digest.hex).json" }

  /// The name of a shard beneath the folder.
  static func shard(level: Int, _ number: Int) -> String { "shards/\(level)-\(number).jsonl" }

  func look(_ digest: SHA256Digest) -> String { path + "/" + Self.look(digest) }

  func shard(level: Int, _ number: Int) -> String { path + "/" + Self.shard(level: level, number) }

  /// Opens the folder, to read files beneath it.
  func opened() throws(CommandFailure) -> OpenFolder { try mapFileErrors(OpenFolder(path)) }

  /// Refuses a run whose subfolders are links, which a further level would be written through.
  func checkFolders() throws(CommandFailure) {
    let files = try opened()
    for name in Self.folders where try mapFileErrors(files.entry(name)) != nil {
      _ = try mapFileErrors(files.folder(name))
    }
  }

  /// Removes old temporary files of this user in the folder and its subfolders.
  ///
  /// - Returns: The number of removed files.
  func sweep(olderThan seconds: Int) throws(CommandFailure) -> Int {
    let files = try opened()
    return Self.folders.reduce(files.sweep(olderThan: seconds)) { count, name in
      count + ((try? files.folder(name))?.sweep(olderThan: seconds) ?? 0)
    }
  }

  /// Locks the folder and creates its subfolders; fails if it holds a run.
  ///
  /// - Returns: The lock, which is held until it is released.
  func begin() throws(CommandFailure) -> OpenFile {
    try mapFileErrors(FileSystem.createSyncedFolder(path))
    let folder = try lock()
    guard try mapFileErrors(FileSystem.entry(at: descriptionFile)) == nil else {
      throw CommandFailure(
        .cannotCreate, "\(path): already contains a run",
        hint: "use --resume to continue it, or --run with another folder", code: "exists")
    }
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      // Without a description, the files are those of a plan that was interrupted.
      for name in Self.folders {
        try FileSystem.createSyncedFolder(path + "/" + name)
        try OpenFile(folder: path + "/" + name, followsLink: false).removeFiles()
      }
    }
    return folder
  }

  /// Locks the folder against other plans.
  func lock() throws(CommandFailure) -> OpenFile {
    let folder = try mapFileErrors(OpenFile(folder: path))
    guard try mapFileErrors(folder.lock()) != .busy else {
      throw CommandFailure(
        .busy, "\(path): another process is planning this run", hint: "try again")
    }
    return folder
  }

  func write(_ looks: [Look]) throws(CommandFailure) {
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      for look in looks {
        try writeOnce(look.graph.canonicalBytes(), to: self.look(look.digest))
        for (digest, bytes) in look.attachmentFiles() {
          try writeOnce(bytes, to: "\(path)/looks/\(digest.hex)")
        }
      }
    }
  }

  /// Two looks may share an attachment.
  private func writeOnce(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard try FileSystem.entry(at: path) == nil else { return }
    try StagedFile.write(bytes, to: path)
  }

  /// Writes the file that completes a plan, after everything else is on the disk.
  func complete(_ name: String, _ fields: [String: JSONValue]) throws(CommandFailure) {
    let text = try JSONValue.object(fields).canonicalText() + "\n"
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      try FileSystem.syncFileSystem(of: path)
      try StagedFile.write(Array(text.utf8), to: "\(path)/\(name)")
      try FileSystem.syncFolder(FileSystem.folder(of: "\(path)/\(name)"))
      try FileSystem.syncFolder(FileSystem.folder(of: path))
    }
  }

  /// The highest level of which there are shards, complete or not; names that no plan gives are
  /// ignored.
  func highestLevel() throws(CommandFailure) -> Int {
    try mapFileErrors(FileSystem.names(in: path + "/shards"))
      .compactMap { Int($0.prefix { $0 != "-" }) }.filter(Self.levels.contains).max() ?? 0
  }

  /// The levels that a run can have.
  private static let levels = 0..<1_000_000
}

/// The description of a run: everything that determines its results.
struct RunDescription: Sendable {
  var looks: [SHA256Digest]
  var engine = Renderer.semanticsVersion
  var options: [String: JSONValue]
  var arguments: [String]
  var output: String
  var root: String
  var shards: Int
  var shardBytes: Int
  var shardLines: Int
  /// The digest, the size and the counts of the manifest.
  var manifest: [String: JSONValue]

  static let format = 1

  /// The number of different lines.
  var lineCount: Int { manifest["unique"]?.integerValue ?? 0 }

  /// The folder of the results.
  ///
  /// - Throws: The failure for an output that is not a local folder.
  func localOutput(_ option: String) throws(CommandFailure) -> String {
    guard !output.hasPrefix("s3://") else {
      throw .usage(
        "\(option): the output of the run, \(output), is not a local folder",
        hint: "use photoedit-cluster, or fetch the results first")
    }
    return output
  }

  var json: [String: JSONValue] {
    [
      "format": .whole(Self.format), "version": .string(Program.version),
      "engine": .whole(engine), "looks": .texts(looks.map(\.hex)), "options": .object(options),
      "workerArguments": .texts(arguments), "output": .string(output), "root": .string(root),
      "shards": .whole(shards), "shardBytes": .whole(shardBytes),
      "shardLines": .whole(shardLines), "manifest": .object(manifest),
    ]
  }
}

extension RunDescription {
  /// Reads the description in the folder of a run.
  init(_ folder: RunFolder) throws(CommandFailure) {
    let path = folder.descriptionFile
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try OpenFolder(folder.path)
        .reading(RunFolder.descriptionName, maximumBytes: 1 << 20)
    } catch {
      var failure = CommandFailure(error)
      if error.kind == .missing {
        failure.hint = "the folder contains no run; create one with 'photoedit plan'"
      }
      throw failure
    }
    func invalid(_ reason: String) -> CommandFailure {
      CommandFailure(.badData, "\(path): \(reason)", code: "run")
    }
    let json = try translating(
      { invalid("\($0 as JSONError)") }, JSONValue(parsing: bytes.array))
    guard json["format"]?.integerValue == Self.format else {
      throw invalid("unsupported run format (supported: \(Self.format))")
    }
    let looks = json["looks"]?.arrayValue?.compactMap {
      $0.stringValue.flatMap { SHA256Digest($0) }
    }
    guard let looks, !looks.isEmpty, let engine = json["engine"]?.integerValue,
      let options = json["options"]?.objectValue,
      let arguments = json["workerArguments"]?.arrayValue?.compactMap(\.stringValue),
      let output = json["output"]?.stringValue, let root = json["root"]?.stringValue,
      let shards = json["shards"]?.integerValue, shards >= 0,
      let shardBytes = json["shardBytes"]?.integerValue, shardBytes > 0,
      let shardLines = json["shardLines"]?.integerValue, shardLines > 0,
      let manifest = json["manifest"]?.objectValue
    else { throw invalid("a field is missing or has an invalid value") }
    self.init(
      looks: looks, engine: engine, options: options, arguments: arguments, output: output,
      root: root, shards: shards, shardBytes: shardBytes, shardLines: shardLines,
      manifest: manifest)
  }
}

/// The shards of one level, written as lines are added.
struct ShardWriter {
  private let folder: RunFolder
  private let level: Int
  private let maximumBytes: Int
  private let maximumLines: Int
  private var lines: [UInt8] = []
  private var lineCount = 0
  /// The size of the images of the open shard in bytes.
  private var cost = 0
  /// The number of shards written so far.
  private(set) var count = 0
  private(set) var total = 0

  /// Begins a level.
  ///
  /// - Parameters:
  ///   - maximumBytes: The maximum size of the images of a shard, unless there is only one.
  ///   - maximumLines: The maximum number of images of a shard.
  init(_ folder: RunFolder, level: Int, maximumBytes: Int, maximumLines: Int) {
    self.folder = folder
    self.level = level
    self.maximumBytes = maximumBytes
    self.maximumLines = maximumLines
  }

  /// Adds a line.
  ///
  /// - Parameter cost: The size of its image in bytes.
  mutating func add(_ line: [UInt8], cost: Int) throws(CommandFailure) {
    let (sum, overflow) = self.cost.addingReportingOverflow(cost)
    if lineCount > 0, lineCount == maximumLines || overflow || sum > maximumBytes { try finish() }
    lines += line
    lines.append(UInt8(ascii: "\n"))
    lineCount += 1
    total += 1
    self.cost += cost
  }

  /// Writes the open shard; its contents are synced with those of the others.
  mutating func finish() throws(CommandFailure) {
    guard lineCount > 0 else { return }
    let bytes = lines
    try mapFileErrors(
      StagedFile.write(bytes, to: folder.shard(level: level, count), isSynced: false))
    count += 1
    (lines, lineCount, cost) = ([], 0, 0)
  }
}
