// SPDX-License-Identifier: Apache-2.0

/// The number, durations and end of a track's samples, from its `stbl`.
struct SampleTable {
  var samples = 0
  /// The total duration of all samples, in timescale units.
  var duration = 0
  /// The duration of the last sample, in timescale units.
  var lastDuration = 0
  /// The last duration that is not 0, in timescale units; 0 if all are.
  var usualDuration = 0
  /// The offset after the last byte of the last sample.
  var mediaEnd = 0
  /// Indicates whether all samples have the same size and a duration of one unit, as in PCM.
  var isUniform = false

  /// Size in bytes of every sample; 0 if `sizes` lists them.
  private var fixedSize = 0
  private var sizes: [Int] = []

  init(_ boxes: [Box], in reader: BoxReader, isAudio: Bool) throws(MovieError) {
    for box in boxes where box.type == "stsz" || box.type == "stz2" {
      try readSizes(reader.reader(box), isCompact: box.type == "stz2")
    }
    for box in boxes where box.type == "stts" {
      let lastsOneUnit = try readDurations(reader.reader(box))
      isUniform = isAudio && fixedSize > 0 && lastsOneUnit
    }
    guard let runs = boxes.first(where: { $0.type == "stsc" }),
      let offsets = boxes.first(where: { $0.type == "stco" || $0.type == "co64" })
    else {
      guard samples == 0 else { throw .damaged("\(reader.name) has no sample offsets") }
      return
    }
    // Old QuickTime audio counts decoded samples of size 1, regardless of their size in the file.
    let hasKnownSizes = !(isAudio && fixedSize == 1)
    try readChunkOffsets(
      reader.reader(runs), reader.reader(offsets), isWide: offsets.type == "co64",
      hasKnownSizes: hasKnownSizes)
    sizes = []
  }

  private mutating func readSizes(_ reader: BoxReader, isCompact: Bool) throws(MovieError) {
    var cursor = reader
    try cursor.skip(4)
    if isCompact {
      let bits = Int(try cursor.u32() & 0xff)
      guard bits == 4 || bits == 8 || bits == 16 else {
        throw .damaged("\(reader.name) has the invalid size field of \(bits) bits")
      }
      samples = Int(try cursor.u32())
      guard samples <= cursor.remaining * 8 / bits else {
        throw .damaged("\(reader.name) is truncated (expected \(samples) sizes)")
      }
      try requireListable()
      var low: UInt8?
      for _ in 0..<samples {
        if bits == 16 {
          sizes.append(Int(try cursor.u16()))
        } else if bits == 8 {
          sizes.append(Int(try cursor.u8()))
        } else if let rest = low {
          sizes.append(Int(rest))
          low = nil
        } else {
          let pair = try cursor.u8()
          sizes.append(Int(pair >> 4))
          low = pair & 15
        }
      }
      return
    }
    fixedSize = Int(try cursor.u32())
    guard fixedSize == 0 else {
      samples = Int(try cursor.u32())
      return
    }
    samples = try cursor.count(entrySize: 4)
    try requireListable()
    sizes.reserveCapacity(samples)
    for _ in 0..<samples { sizes.append(Int(try cursor.u32())) }
  }

  private func requireListable() throws(MovieError) {
    guard samples <= MovieLimits.maximumSamples else {
      throw .tooLarge(what: "samples", value: samples, limit: MovieLimits.maximumSamples)
    }
  }

  /// Returns whether every sample has a duration of one unit.
  private mutating func readDurations(_ reader: BoxReader) throws(MovieError) -> Bool {
    var cursor = reader
    try cursor.skip(4)
    let entries = try cursor.count(entrySize: 8)
    var lastsOneUnit = entries == 1
    var remaining = samples
    for _ in 0..<entries {
      // Some writers declare more durations than there are samples.
      let count = min(Int(try cursor.u32()), remaining)
      let sampleDuration = Int(try cursor.u32())
      // Both are 32-bit, and at most 2^32 samples are counted, so the sum stays below 2^64.
      let (sum, overflows) = duration.addingReportingOverflow(
        count * (sampleDuration >> 31 == 1 ? 0 : sampleDuration))
      guard !overflows, sum <= MovieLimits.maximumTime else {
        throw .damaged("the duration of \(reader.name) is out of range")
      }
      duration = sum
      if count > 0 { lastDuration = sampleDuration >> 31 == 1 ? 0 : sampleDuration }
      if lastDuration > 0 { usualDuration = lastDuration }
      remaining -= count
      if sampleDuration != 1 { lastsOneUnit = false }
    }
    return lastsOneUnit
  }

  private mutating func readChunkOffsets(
    _ runs: BoxReader, _ offsets: BoxReader, isWide: Bool, hasKnownSizes: Bool
  ) throws(MovieError) {
    var chunkOffsets = offsets
    try chunkOffsets.skip(4)
    let chunks = try chunkOffsets.count(entrySize: isWide ? 8 : 4)
    var cursor = runs
    try cursor.skip(4)
    var remainingRuns = try cursor.count(entrySize: 12)
    var perChunk = 0
    var nextRun = remainingRuns > 0 ? Int(try cursor.u32()) : Int.max
    var sample = 0
    for chunk in 0..<chunks {
      // A run's first chunk counts from 1, followed by its length and its description.
      while remainingRuns > 0 && nextRun <= chunk + 1 {
        perChunk = Int(try cursor.u32())
        try cursor.skip(4)
        remainingRuns -= 1
        nextRun = remainingRuns > 0 ? Int(try cursor.u32()) : Int.max
      }
      let offset = try chunkOffsets.number(wide: isWide)
      let count = min(perChunk, samples - sample)
      if count == 0 { continue }
      var bytes = (value: 1, overflows: false)
      if hasKnownSizes && fixedSize > 0 {
        let product = fixedSize.multipliedReportingOverflow(by: count)
        bytes = (product.partialValue, product.overflow)
      } else if hasKnownSizes {
        bytes.value = sizes[sample..<(sample + count)].reduce(0, +)
      }
      sample += count
      let (end, overflows) = offset.addingReportingOverflow(bytes.value)
      guard !overflows && !bytes.overflows else {
        throw .damaged("\(offsets.name) has an offset outside any file")
      }
      mediaEnd = max(mediaEnd, end)
    }
    guard sample == samples else {
      throw .damaged("\(runs.name) locates \(sample) of \(samples) samples")
    }
  }
}
