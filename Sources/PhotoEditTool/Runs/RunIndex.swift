// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// All images of a run, found by their identifiers; their lines stay in the shards of level 0.
struct RunIndex: Sendable {
  /// The position of an image's line.
  struct Entry {
    let id: TextHash
    let shard: Int32
    let length: Int32
    let offset: Int
  }

  let folder: RunFolder
  private(set) var entries: [Entry] = []

  /// Reads the shards of level 0.
  init(
    _ folder: RunFolder, _ description: RunDescription, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    self.folder = folder
    entries.reserveCapacity(description.lineCount)
    for number in 0..<description.shards {
      try environment.checkCancellation()
      let path = folder.shard(level: 0, number)
      var lines = try FileLines(path)
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

  /// Returns the bytes of an image's line.
  func bytes(_ position: Int) throws(CommandFailure) -> [UInt8] {
    let entry = entries[position]
    return try LineAccess(folder.shard(level: 0, Int(entry.shard)))
      .bytes(offset: entry.offset, length: Int(entry.length))
  }

  /// Returns an image's line.
  func line(_ position: Int) throws(CommandFailure) -> ManifestLine {
    try ManifestLine(try bytes(position))
  }
}
