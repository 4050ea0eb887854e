// SPDX-License-Identifier: Apache-2.0

/// The first half of a digest, which identifies a text among millions.
struct TextHash: Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  init(_ text: String) {
    let bytes = SHA256Digest(of: Array(text.utf8)).bytes
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (number(0..<8), number(8..<16))
  }

  static func < (left: TextHash, right: TextHash) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The checked lines of a manifest in the order of the hashes of their identifiers.
///
/// In this order, a folder of large images is spread over all shards. The lines themselves stay in
/// the file.
struct ManifestIndex {
  struct Entry {
    let id: TextHash
    let offset: Int
    let length: Int32
    let number: Int32
    /// The size of the image in bytes, or an assumption.
    let cost: Int
  }

  /// The size of an image whose size is not known.
  static let assumedBytes = 4 << 20

  let path: String
  private(set) var entries: [Entry] = []
  private(set) var repeatedCount = 0
  let digest: SHA256Digest
  let byteCount: Int
  let lineCount: Int

  /// Reads and checks a manifest.
  ///
  /// - Parameter looks: The looks that lines may name.
  init(
    _ path: String, looks: [SHA256Digest], _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    self.path = path
    var lines = try FileLines(path)
    var entries: [Entry] = []
    var outputs: [(hash: TextHash, index: Int)] = []
    while let line = try lines.next() {
      if line.number.isMultiple(of: 10_000) { try environment.checkCancellation() }
      do throws(CommandFailure) {
        let parsed = try ManifestLine(line.bytes)
        try Self.check(parsed, looks)
        if let output = parsed.output { outputs.append((TextHash(output), entries.count)) }
        entries.append(
          Entry(
            id: TextHash(parsed.id), offset: line.offset, length: Int32(line.bytes.count),
            number: Int32(clamping: line.number), cost: parsed.byteCount ?? Self.assumedBytes))
      } catch {
        throw error.at(path, line.number)
      }
    }
    (digest, byteCount) = try lines.finish()
    lineCount = entries.count
    guard !entries.isEmpty else {
      throw CommandFailure(.badData, "\(path): the manifest has no lines", code: "empty")
    }
    try Self.checkOutputs(&outputs, entries, path)
    outputs = []
    entries.sort { ($0.id, $0.offset) < ($1.id, $1.offset) }
    try collapse(entries)
  }

  private static func check(
    _ line: ManifestLine, _ looks: [SHA256Digest]
  ) throws(CommandFailure) {
    if let look = line.look {
      guard looks.contains(look) else {
        throw .badLine("edit: no --graph file has the digest \(look.hex)")
      }
    } else if looks.count > 1 {
      throw .badLine("edit is missing, and the run has \(looks.count) looks")
    }
  }

  /// Refuses a name that two identifiers claim.
  private static func checkOutputs(
    _ outputs: inout [(hash: TextHash, index: Int)], _ entries: [Entry], _ path: String
  ) throws(CommandFailure) {
    outputs.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
    for (first, second) in zip(outputs, outputs.dropFirst())
    where first.hash == second.hash && entries[first.index].id != entries[second.index].id {
      throw CommandFailure(
        .badData,
        "\(path):\(entries[second.index].number): its 'out' is also that of line "
          + "\(entries[first.index].number)",
        hint: "give each image its own 'out', or omit it", code: "sharedOutput")
    }
  }

  /// Keeps one of several equal lines, and refuses different ones with the same identifier.
  private mutating func collapse(_ sorted: [Entry]) throws(CommandFailure) {
    let reader = try LineAccess(path)
    entries.reserveCapacity(sorted.count)
    for entry in sorted {
      guard let last = entries.last, last.id == entry.id else {
        entries.append(entry)
        continue
      }
      guard try reader.line(last).fields == reader.line(entry).fields else {
        throw CommandFailure(
          .badData,
          "\(path):\(entry.number): has the same id as line \(last.number), but differs from it",
          hint: "give each image its own id", code: "repeatedId")
      }
      repeatedCount += 1
    }
  }
}

/// Random access to the lines of a file.
struct LineAccess: ~Copyable {
  private let file: OpenFile

  init(_ path: String) throws(CommandFailure) {
    file = try mapFileErrors(OpenFile(reading: path))
  }

  init(_ name: String, in folder: OpenFolder) throws(CommandFailure) {
    file = try mapFileErrors(folder.open(name))
  }

  func bytes(offset: Int, length: Int) throws(CommandFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      }
      guard count == length else {
        throw FileError(.changed, path: file.path, reason: "file changed while being read")
      }
    }
    return bytes
  }

  func line(_ entry: ManifestIndex.Entry) throws(CommandFailure) -> ManifestLine {
    try ManifestLine(try bytes(offset: entry.offset, length: Int(entry.length)))
  }
}

/// All images of a run, found by their identifiers; their lines stay in the shards of level 0.
struct RunIndex: Sendable {
  struct Entry {
    let id: TextHash
    let shard: Int32
    let length: Int32
    let offset: Int
  }

  let folder: RunFolder
  /// The open folder of the run, whose files are only read beneath it.
  let files: OpenFolder
  private(set) var entries: [Entry] = []

  /// Reads the shards of level 0.
  init(
    _ folder: RunFolder, _ description: RunDescription, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    self.folder = folder
    files = try folder.opened()
    for number in 0..<description.shards {
      try environment.checkCancellation()
      let name = RunFolder.shard(level: 0, number)
      let path = files.path(of: name)
      var lines = try FileLines(try mapFileErrors(files.open(name)))
      while let line = try lines.next() {
        let parsed = try translating(
          { ($0 as CommandFailure).at(path, line.number) }, ManifestLine(line.bytes))
        entries.append(
          Entry(
            id: TextHash(parsed.id), shard: Int32(clamping: number),
            length: Int32(line.bytes.count), offset: line.offset))
      }
      _ = try lines.finish()
    }
    guard entries.count == description.lineCount,
      zip(entries, entries.dropFirst()).allSatisfy({ $0.id < $1.id })
    else {
      throw CommandFailure(
        .badData, "\(folder.path): the shards do not match the plan", code: "run")
    }
  }

  /// Returns the position of an identifier in `entries`; nil if the run has no such image.
  func position(of id: String) -> Int? {
    let hash = TextHash(id)
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].id == hash { return middle }
      range =
        entries[middle].id < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  func bytes(_ position: Int) throws(CommandFailure) -> [UInt8] {
    let entry = entries[position]
    return try LineAccess(RunFolder.shard(level: 0, Int(entry.shard)), in: files)
      .bytes(offset: entry.offset, length: Int(entry.length))
  }

  func line(_ position: Int) throws(CommandFailure) -> ManifestLine {
    try ManifestLine(try bytes(position))
  }
}
