// SPDX-License-Identifier: Apache-2.0

extension TrackSamples {
  /// Replaces the boxes of an `stbl` by those for these samples.
  ///
  /// - Parameter offsets: The offset of each chunk in the new file.
  func write(to table: inout BoxTree, offsets: [Int]) throws(MovieError) {
    table.remove(["stz2", "stco", "co64", "sbgp"])
    table.replace(BoxTree("stts", try Self.box(durations)))
    if let compositions {
      table.replace(
        BoxTree("ctts", try Self.box(compositions, version: compositionVersion, isSigned: true)))
    } else {
      table.remove(["ctts"])
    }
    try write("stss", syncs, to: &table)
    try write("stps", partialSyncs, to: &table)
    if let dependencies { table.replace(BoxTree("sdtp", [0, 0, 0, 0] + dependencies)) }
    table.replace(BoxTree("stsc", try chunkRuns()))
    table.replace(BoxTree("stsz", try sizeBox()))
    table.children?.append(Self.entries(offsets))
    for group in groups {
      var bytes = group.head
      try bytes.append(count: group.entries.runs.count, of: "sample runs")
      for run in group.entries.runs {
        try bytes.append(count: run.count, of: "samples")
        bytes.append(u32: UInt32(truncatingIfNeeded: run.value))
      }
      table.children?.append(BoxTree("sbgp", bytes))
    }
  }

  private func write(
    _ type: FourCC, _ numbers: [Int]?, to table: inout BoxTree
  ) throws(MovieError) {
    guard let numbers else { return table.remove([type]) }
    var bytes: [UInt8] = [0, 0, 0, 0]
    try bytes.append(count: numbers.count, of: "samples")
    for number in numbers { try bytes.append(count: number + 1, of: "samples") }
    table.replace(BoxTree(type, bytes))
  }

  private static func box(
    _ list: RunLengthArray, version: UInt32 = 0, isSigned: Bool = false
  ) throws(MovieError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u32: version)
    try bytes.append(count: list.runs.count, of: "sample runs")
    for run in list.runs {
      try bytes.append(count: run.count, of: "samples")
      if isSigned {
        guard let value = Int32(exactly: run.value) else {
          throw .tooLarge(what: "timescale units", value: run.value, limit: Int(Int32.max))
        }
        bytes.append(u32: UInt32(bitPattern: value))
      } else {
        try bytes.append(count: run.value, of: "timescale units")
      }
    }
    return bytes
  }

  private func chunkRuns() throws(MovieError) -> [UInt8] {
    var bytes: [UInt8] = []
    var runs = 0
    var last: (count: Int, description: UInt32)?
    for (index, chunk) in chunks.enumerated() {
      if let last, last == (chunk.count, chunk.description) { continue }
      last = (chunk.count, chunk.description)
      runs += 1
      try bytes.append(count: index + 1, of: "chunks")
      try bytes.append(count: chunk.count, of: "samples in a chunk")
      bytes.append(u32: chunk.description)
    }
    var head: [UInt8] = [0, 0, 0, 0]
    try head.append(count: runs, of: "chunk runs")
    return head + bytes
  }

  private func sizeBox() throws(MovieError) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    switch sizes {
    case .fixed(_, let size):
      if let spelledSize {
        bytes.append(u32: spelledSize)
      } else {
        try bytes.append(count: size, of: "bytes in a sample")
      }
      try bytes.append(count: count, of: "samples")
    case .list(let sizes):
      bytes.append(u32: 0)
      try bytes.append(count: count, of: "samples")
      bytes.reserveCapacity(bytes.count + 4 * sizes.count)
      for size in sizes { bytes.append(u32: size) }
    }
    return bytes
  }

  private static func entries(_ offsets: [Int]) -> BoxTree {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(u32: UInt32(truncatingIfNeeded: offsets.count))
    let isWide = (offsets.max() ?? 0) > Int(UInt32.max)
    for offset in offsets {
      if isWide {
        bytes.append(u64: UInt64(offset))
      } else {
        bytes.append(u32: UInt32(truncatingIfNeeded: offset))
      }
    }
    return BoxTree(isWide ? "co64" : "stco", bytes)
  }
}
