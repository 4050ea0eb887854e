// SPDX-License-Identifier: Apache-2.0

/// The default values for samples of fragments; ISO 14496-12, 8.8.3.
struct FragmentDefaults: Sendable {
  var description: UInt32 = 1
  var duration = 0
  var size = 0
  var flags: UInt32 = 0
}

/// Samples declared in `moof` boxes; ISO 14496-12, 8.8.
extension MovieLayout {
  /// Reads the default values for samples of fragments.
  mutating func readFragmentDefaults(_ reader: BoxReader) throws(MovieError) {
    for box in try reader.boxes() where box.type == "trex" {
      var cursor = reader.reader(box)
      try cursor.skip(4)
      let id = Int(try cursor.u32())
      var defaults = FragmentDefaults()
      defaults.description = try cursor.u32()
      defaults.duration = Int(try cursor.u32())
      defaults.size = Int(try cursor.u32())
      defaults.flags = try cursor.u32()
      for index in tracks.indices where tracks[index].id == id {
        tracks[index].fragmentDefaults = defaults
      }
    }
  }

  /// Adds the samples of one fragment to their tracks.
  ///
  /// - Parameter start: The offset of the `moof` box in the file.
  mutating func readFragment(_ bytes: [UInt8], at start: Int) throws(MovieError) {
    let reader = BoxReader(bytes, name: "moof")
    let boxes = try reader.boxes()
    noteLost(boxes, in: "moof", known: ["mfhd", "traf", "free", "skip"])
    // Data without an explicit offset follows that of the preceding track.
    var next = start
    for box in boxes where box.type == "traf" {
      try readTrack(reader.reader(box), start: start, next: &next)
    }
  }

  private mutating func readTrack(
    _ reader: BoxReader, start: Int, next: inout Int
  ) throws(MovieError) {
    let boxes = try reader.boxes(single: ["tfhd", "tfdt"])
    noteLost(boxes, in: "moof/traf", known: ["tfhd", "tfdt", "trun", "free", "skip"])
    guard let head = boxes.first(where: { $0.type == "tfhd" }) else {
      throw .damaged("\(reader.name) has no header")
    }
    var run = FragmentRun(start: start, next: next)
    let index = try readHead(reader.reader(head), &run)
    if boxes.contains(where: { encryptionBoxes.contains($0.type) }) {
      tracks[index].hasAuxiliaryData = true
    }
    if let box = boxes.first(where: { $0.type == "tfdt" }) {
      var cursor = reader.reader(box)
      let isWide = try cursor.versionAndFlags().version == 1
      let time = try cursor.number(wide: isWide)
      guard time <= MovieLimits.maximumTime, tracks[index].fragments.move(to: time) else {
        throw .damaged(
          "\(cursor.name) places samples of stream \(index) at time \(time), "
            + "before the preceding ones")
      }
    }
    for box in boxes where box.type == "trun" {
      try readRun(reader.reader(box), track: index, &run)
    }
    next = run.next
  }

  /// Returns the track that a fragment belongs to.
  private func readHead(
    _ reader: BoxReader, _ run: inout FragmentRun
  ) throws(MovieError) -> Int {
    var cursor = reader
    let flags = try cursor.versionAndFlags().flags
    let id = Int(try cursor.u32())
    guard let index = tracks.firstIndex(where: { $0.id == id }) else {
      throw .damaged("\(cursor.name) refers to track \(id), which does not exist")
    }
    run.defaults = tracks[index].fragmentDefaults
    if flags & 1 != 0 {
      run.base = try cursor.number(wide: true)
      run.next = run.base
    } else if flags & 0x20000 != 0 {
      run.base = run.start
      run.next = run.start
    } else {
      run.base = run.next
    }
    if flags & 2 != 0 { run.defaults.description = try cursor.u32() }
    if flags & 8 != 0 { run.defaults.duration = Int(try cursor.u32()) }
    if flags & 0x10 != 0 { run.defaults.size = Int(try cursor.u32()) }
    if flags & 0x20 != 0 { run.defaults.flags = try cursor.u32() }
    return index
  }

  private mutating func readRun(
    _ reader: BoxReader, track: Int, _ run: inout FragmentRun
  ) throws(MovieError) {
    var cursor = reader
    let flags = try cursor.versionAndFlags().flags
    let count = Int(try cursor.u32())
    if flags & 1 != 0 {
      let (offset, overflows) = run.base.addingReportingOverflow(try cursor.signed(wide: false))
      guard !overflows, offset >= 0 else {
        throw .damaged("\(cursor.name) has an offset outside any file")
      }
      run.next = offset
    }
    let first = flags & 4 != 0 ? try cursor.u32() : nil
    let entry = [0x100, 0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
    guard entry == 0 || count <= cursor.remaining / entry else {
      throw .damaged("\(cursor.name) is truncated (expected \(count) samples)")
    }
    // With 32-bit durations, the total cannot overflow.
    guard count <= 1 << 26 else {
      throw .tooLarge(what: "samples in a run", value: count, limit: 1 << 26)
    }
    let isAudio = tracks[track].kind == .audio
    var bytes = 0
    var remaining = count
    while remaining > 0 {
      var sample = FragmentSamples.Sample(
        size: run.defaults.size, duration: run.defaults.duration, flags: run.defaults.flags)
      if flags & 0x100 != 0 { sample.duration = Int(try cursor.u32()) }
      if flags & 0x200 != 0 { sample.size = Int(try cursor.u32()) }
      if flags & 0x400 != 0 { sample.flags = try cursor.u32() }
      // Signed in both versions: old writers had no other way to store negative values.
      if flags & 0x800 != 0 { sample.composition = try cursor.signed(wide: false) }
      if remaining == count, let first { sample.flags = first }
      // Samples without individual entries are identical, except for the first.
      let more = entry > 0 || (remaining == count && first != nil) ? 1 : remaining
      let (size, overflows) = sample.size.multipliedReportingOverflow(by: more)
      guard !overflows, size <= self.size - bytes else {
        throw .damaged("\(cursor.name) has more bytes than the file")
      }
      bytes += size
      tracks[track].fragments.append(sample, count: more, isAudio: isAudio)
      guard tracks[track].fragments.end <= MovieLimits.maximumTime else {
        throw .damaged("the duration of \(cursor.name) is out of range")
      }
      remaining -= more
    }
    guard run.next <= self.size, bytes <= self.size - run.next else {
      throw .damaged(
        "stream \(track) (\(tracks[track].codec)) extends to byte "
          + "\(UInt(run.next) &+ UInt(bytes)), but the file has \(self.size)")
    }
    if count > 0 {
      tracks[track].fragments.append(
        MediaChunk(
          offset: run.next, count: count, size: bytes, description: run.defaults.description))
    }
    run.next += bytes
    try requireListable(tracks[track])
  }

  private func requireListable(_ track: TrackLayout) throws(MovieError) {
    let samples = track.samples + track.fragments.count
    guard samples <= MovieLimits.maximumSamples || track.fragments.isUniform else {
      throw .tooLarge(what: "samples", value: samples, limit: MovieLimits.maximumSamples)
    }
  }

  /// Computes the totals of the header and all fragments.
  mutating func countFragments() {
    for index in tracks.indices { tracks[index].completeLastFrame() }
    for index in tracks.indices where tracks[index].fragments.count > 0 {
      tracks[index].fragments.completeLastPacket(
        of: tracks[index].kind, isAAC: tracks[index].codec == "mp4a")
      let fragments = tracks[index].fragments
      tracks[index].isUniform =
        tracks[index].kind == .audio && tracks[index].samples == 0 && fragments.isUniform
      tracks[index].samples += fragments.count
      tracks[index].lastDuration = fragments.durations.runs.last?.value ?? 0
      tracks[index].mediaDuration += fragments.durationAdjustment + fragments.duration
    }
  }

  /// Records boxes that only fragments have and that are lost when fragments are joined.
  private mutating func noteLost(_ boxes: [Box], in name: String, known: Set<FourCC>) {
    for box in boxes where !known.contains(box.type) {
      let path = "\(name)/\(box.type)"
      if !lostWithFragments.contains(path), lostWithFragments.count < 64 {
        lostWithFragments.append(path)
      }
    }
  }
}

/// The position of the data of a track's fragment.
private struct FragmentRun {
  /// The offset of the `moof` box.
  let start: Int
  /// The base of all data offsets.
  var base = 0
  /// The position of data without an explicit offset.
  var next: Int
  var defaults = FragmentDefaults()
}

/// Boxes that only encrypted samples have.
private let encryptionBoxes: Set<FourCC> = ["saio", "saiz", "senc"]
