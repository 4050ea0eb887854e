// SPDX-License-Identifier: Apache-2.0

extension TrackSamples {
  /// Reads the boxes of an `stbl` that `MovieLayout` has found to be consistent.
  ///
  /// - Parameter isAudio: Whether a size of 1 means decoded samples and not bytes.
  init(_ table: BoxTree, isAudio: Bool) throws(MovieError) {
    try readSizes(table, isAudio: isAudio)
    for box in table.children ?? [] {
      var cursor = BoxReader(leaf: box)
      switch box.type {
      case "stts": durations = try Self.runs(&cursor).resized(to: count, filling: 0)
      case "ctts":
        compositionVersion = try box.u32(at: 0)
        compositions = try Self.runs(&cursor, isSigned: true).resized(to: count, filling: 0)
      case "stss": syncs = try numbers(&cursor)
      case "stps": partialSyncs = try numbers(&cursor)
      case "sdtp" where count <= MovieLimits.maximumSamples:
        try cursor.skip(4)
        var bytes = Array(box.bytes.dropFirst(4).prefix(count))
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        dependencies = bytes
      case "sbgp": groups.append(try group(&cursor))
      default: break
      }
    }
    if durations.count != count { durations = durations.resized(to: count, filling: 0) }
    try readChunks(table)
  }

  private mutating func readSizes(_ table: BoxTree, isAudio: Bool) throws(MovieError) {
    if let box = table.child("stz2") { return try readCompactSizes(box) }
    guard let box = table.child("stsz") else { return }
    let size = Int(try box.u32(at: 4))
    count = Int(try box.u32(at: 8))
    guard size == 0 else {
      sizes = .fixed(samples: 1, bytes: size)
      if isAudio && size == 1 { try readPacking(table) }
      return
    }
    try Self.requireListable(count)
    var cursor = BoxReader(leaf: box)
    try cursor.skip(12)
    var list: [UInt32] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try cursor.u32()) }
    sizes = .list(list)
  }

  private mutating func readCompactSizes(_ box: BoxTree) throws(MovieError) {
    let bits = Int(try box.u32(at: 4) & 255)
    count = Int(try box.u32(at: 8))
    try Self.requireListable(count)
    var cursor = BoxReader(leaf: box)
    try cursor.skip(12)
    var list: [UInt32] = []
    while list.count < count {
      switch bits {
      case 16: list.append(UInt32(try cursor.u16()))
      case 8: list.append(UInt32(try cursor.u8()))
      default:
        let pair = try cursor.u8()
        list.append(UInt32(pair >> 4))
        if list.count < count { list.append(UInt32(pair & 15)) }
      }
    }
    sizes = .list(list)
  }

  /// Reads the stored size of old audio: QuickTime File Format, "sound sample descriptions".
  private mutating func readPacking(_ table: BoxTree) throws(MovieError) {
    guard let box = table.child("stsd") else { return }
    spelledSize = 1
    var cursor = BoxReader(leaf: box)
    try cursor.skip(8)
    guard let entry = try cursor.nextBox() else { return }
    var audioEntry = cursor.reader(entry)
    try audioEntry.skip(8)
    let version = try audioEntry.u16()
    try audioEntry.skip(6)
    let channels = Int(try audioEntry.u16())
    let bits = Int(try audioEntry.u16())
    try audioEntry.skip(8)
    switch version {
    case 0:
      sizes = .fixed(samples: 1, bytes: max(1, channels * bits / 8))
    case 1:
      let samples = Int(try audioEntry.u32())
      try audioEntry.skip(4)
      let bytes = Int(try audioEntry.u32())
      guard samples > 0, bytes > 0 else { return }
      sizes = .fixed(samples: samples, bytes: bytes)
    default: break
    }
  }

  private static func runs(
    _ cursor: inout BoxReader, isSigned: Bool = false
  ) throws(MovieError) -> RunLengthArray {
    try cursor.skip(4)
    var list = RunLengthArray()
    for _ in 0..<(try cursor.count(entrySize: 8)) {
      let count = Int(try cursor.u32())
      let value = try cursor.u32()
      // Some writers use durations with the highest bit set as negative values; no sample is that
      // long.
      let number = Int(Int32(bitPattern: value))
      list.append(isSigned ? number : max(0, number), count: count)
    }
    return list
  }

  /// Reads sample numbers, which start at 1 in the file and at 0 here.
  private func numbers(_ cursor: inout BoxReader) throws(MovieError) -> [Int] {
    try cursor.skip(4)
    var list: [Int] = []
    for _ in 0..<(try cursor.count(entrySize: 4)) {
      let number = Int(try cursor.u32()) - 1
      guard number >= 0, number > list.last ?? -1 else {
        throw .damaged("\(cursor.name) is not in ascending order")
      }
      if number < count { list.append(number) }
    }
    return list
  }

  private func group(_ cursor: inout BoxReader) throws(MovieError) -> Group {
    let start = cursor.position
    let version = try cursor.versionAndFlags().version
    try cursor.skip(version == 1 ? 8 : 4)
    let head = Array(cursor.bytes[start..<cursor.position])
    var entries = RunLengthArray()
    for _ in 0..<(try cursor.count(entrySize: 8)) {
      let count = Int(try cursor.u32())
      entries.append(Int(try cursor.u32()), count: count)
    }
    return Group(head: head, entries: entries.resized(to: count, filling: 0))
  }

  private mutating func readChunks(_ table: BoxTree) throws(MovieError) {
    guard let runs = table.child("stsc"),
      let entries = table.child("co64") ?? table.child("stco")
    else { return }
    var offsets = BoxReader(leaf: entries)
    try offsets.skip(4)
    let total = try offsets.count(entrySize: entries.type == "co64" ? 8 : 4)
    try Self.requireListable(total)
    var cursor = BoxReader(leaf: runs)
    try cursor.skip(4)
    var remainingRuns = try cursor.count(entrySize: 12)
    var (perChunk, description) = (0, UInt32(1))
    var nextRun = remainingRuns > 0 ? Int(try cursor.u32()) : Int.max
    var sample = 0
    for index in 0..<total where sample < count {
      while remainingRuns > 0 && nextRun <= index + 1 {
        perChunk = Int(try cursor.u32())
        description = try cursor.u32()
        remainingRuns -= 1
        nextRun = remainingRuns > 0 ? Int(try cursor.u32()) : Int.max
      }
      let offset = try offsets.number(wide: entries.type == "co64")
      let here = min(perChunk, count - sample)
      if here == 0 { continue }
      let size = try sizes.bytes(of: sample..<(sample + here))
      chunks.append(
        MediaChunk(offset: offset, count: here, size: size, description: description))
      sample += here
    }
    guard sample == count else {
      throw .damaged("only \(sample) of \(count) samples have an offset")
    }
  }

  private static func requireListable(_ count: Int) throws(MovieError) {
    guard count <= MovieLimits.maximumSamples else {
      throw .tooLarge(
        what: "samples or chunks in a track", value: count, limit: MovieLimits.maximumSamples)
    }
  }
}

extension BoxReader {
  /// Creates a cursor over a box that is kept as bytes.
  init(leaf: BoxTree) {
    let bytes = Array(leaf.bytes)
    self.init(bytes, name: "\(leaf.type)")
  }
}
