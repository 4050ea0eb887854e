// SPDX-License-Identifier: Apache-2.0

/// Samples that `moof` boxes announce; ISO 14496-12, 8.8.
extension MovieLayout {
  /// Reads what samples last in fragments that do not say.
  mutating func readFragmentDefaults(_ reader: BoxReader) throws(MovieError) {
    for box in try reader.boxes() where box.type == "trex" {
      var cursor = reader.reader(box)
      try cursor.skip(4)
      let id = Int(try cursor.u32())
      try cursor.skip(4)
      let ticks = Int(try cursor.u32())
      for index in tracks.indices where tracks[index].id == id {
        tracks[index].fragmentDefaultDuration = ticks
      }
    }
  }

  /// Adds the samples of one fragment to their tracks.
  mutating func readFragment(_ bytes: [UInt8]) throws(MovieError) {
    let reader = BoxReader(bytes, 0..<bytes.count, name: "moof")
    for box in try reader.boxes() where box.type == "traf" {
      let inner = reader.reader(box)
      var track: Int?
      var defaultDuration = 0
      for box in try inner.boxes() {
        var cursor = inner.reader(box)
        if box.type == "tfhd" {
          let flags = try cursor.versionAndFlags().flags
          let id = Int(try cursor.u32())
          guard let index = tracks.firstIndex(where: { $0.id == id }) else {
            throw .damaged("\(cursor.name) belongs to track \(id), which does not exist")
          }
          track = index
          try cursor.skip((flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0))
          defaultDuration =
            flags & 8 != 0 ? Int(try cursor.u32()) : tracks[index].fragmentDefaultDuration
        } else if box.type == "trun" {
          guard let track else { throw .damaged("\(cursor.name) comes before its header") }
          try readRun(&cursor, track: track, defaultDuration: defaultDuration)
        }
      }
    }
  }

  private mutating func readRun(
    _ cursor: inout BoxReader, track: Int, defaultDuration: Int
  ) throws(MovieError) {
    let flags = try cursor.versionAndFlags().flags
    let count = Int(try cursor.u32())
    let (samples, overflows) = tracks[track].samples.addingReportingOverflow(count)
    guard !overflows, samples <= MovieLimits.maximumSamples else {
      throw .tooLarge(what: "samples", value: samples, limit: MovieLimits.maximumSamples)
    }
    try cursor.skip((flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0))
    let hasDuration = flags & 0x100 != 0
    let rest = [0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
    let entry = rest + (hasDuration ? 4 : 0)
    guard entry == 0 || count <= cursor.remaining / entry else {
      throw .damaged("\(cursor.name) announces \(count) samples and ends early")
    }
    var ticks = hasDuration ? 0 : count * defaultDuration
    if hasDuration {
      for _ in 0..<count {
        ticks += Int(try cursor.u32())
        try cursor.skip(rest)
      }
    }
    tracks[track].samples = samples
    let (sum, tooLong) = tracks[track].mediaDuration.addingReportingOverflow(ticks)
    guard !tooLong else { throw .damaged("\(cursor.name) lasts longer than can be counted") }
    tracks[track].mediaDuration = sum
  }
}
