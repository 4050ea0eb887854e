// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

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
