// SPDX-License-Identifier: Apache-2.0

/// The samples that fragments declare for one track, in decoding order.
struct FragmentSamples: Sendable {
  private(set) var count = 0
  /// The size of each sample in bytes.
  private(set) var sizes = RunLengthArray()
  /// The duration of each sample up to the next one, in timescale units.
  private(set) var durations = RunLengthArray()
  /// The offset from decoding to presentation of each sample, in timescale units.
  private(set) var compositions = RunLengthArray()
  /// The flag of each sample for independent decoding: 1 or 0.
  private(set) var keys = RunLengthArray()
  /// The dependencies of each sample, as in an "sdtp" box.
  private(set) var dependencies = RunLengthArray()
  private(set) var chunks: [MediaChunk] = []
  /// The decoding time of the first sample; 0 if samples of the header precede it.
  private(set) var lead = 0
  /// The amount to add to the duration of the header's last sample, in timescale units.
  private(set) var durationAdjustment = 0
  /// The decoding time of the next sample.
  private(set) var end = 0
  /// The number of samples in the header, which come first.
  private let samplesBefore: Int
  /// The duration of the last of them.
  private let lastBefore: Int

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - samplesBefore: The number of samples that the header lists.
  ///   - duration: The total duration of these samples, in timescale units.
  ///   - last: The duration of the last of them, in timescale units.
  init(samplesBefore: Int = 0, duration: Int = 0, last: Int = 0) {
    self.samplesBefore = samplesBefore
    end = duration
    lastBefore = last
  }

  /// The total duration of all samples, in timescale units.
  var duration: Int { durations.sum }

  /// Indicates whether all samples have the same size and a duration of one unit, as in PCM.
  var isUniform: Bool {
    sizes.runs.count <= 1 && durations.runs.allSatisfy { $0.value == 1 }
      && sizes.runs.allSatisfy { $0.value > 0 }
  }

  /// Continues at a decoding time; the preceding sample lasts until then.
  ///
  /// - Returns: Whether the time is valid.
  mutating func move(to time: Int) -> Bool {
    let step = time - end
    end = time
    if step == 0 { return true }
    if count > 0 {
      guard let last = durations.runs.last, last.value + step >= 0 else { return false }
      durations.setLast(last.value + step)
    } else if samplesBefore > 0 {
      durationAdjustment += step
      guard lastBefore + durationAdjustment >= 0 else { return false }
    } else {
      lead = time
    }
    return true
  }

  /// A sample, or several identical ones.
  struct Sample {
    var size: Int
    var duration: Int
    var composition = 0
    /// The flags as in a "trun" box; ISO 14496-12, 8.8.3.1.
    var flags: UInt32
  }

  mutating func append(_ sample: Sample, count more: Int, isAudio: Bool) {
    count += more
    end += sample.duration * more
    sizes.append(sample.size, count: more)
    durations.append(sample.duration, count: more)
    compositions.append(sample.composition, count: more)
    // Not a sync sample, or one that depends on others. Audio can always be decoded independently.
    let isKey = isAudio || sample.flags & 0x0101_0000 == 0
    keys.append(isKey ? 1 : 0, count: more)
    dependencies.append(isAudio ? 0 : Int(sample.flags >> 20 & 0xff), count: more)
  }

  /// Extends the last packet to the usual packet duration.
  ///
  /// The decoder of AAC outputs a complete frame, and `ffmpeg -c copy` counts it in the same way; a
  /// video frame whose duration is unknown would not be shown.
  mutating func completeLastPacket(of kind: MovieStream.Kind, isAAC: Bool) {
    guard let last = durations.runs.last, last.count == 1,
      isAAC || (kind == .video && last.value == 0),
      let usual = durations.runs.max(by: { $0.count < $1.count }), usual.count > 1
    else { return }
    durations.setLast(usual.value)
    end += usual.value - last.value
  }

  mutating func append(_ chunk: MediaChunk) { chunks.append(chunk) }
}

extension TrackSamples {
  /// Appends the samples of fragments to those of the header.
  mutating func append(_ fragments: FragmentSamples) throws(MovieError) {
    guard fragments.count > 0 else { return }
    let before = count
    if fragments.durationAdjustment != 0, let last = durations.runs.last {
      durations.setLast(last.value + fragments.durationAdjustment)
    }
    try appendSizes(fragments)
    durations.append(fragments.durations)
    if compositions != nil || fragments.compositions.runs.contains(where: { $0.value != 0 }) {
      var list = compositions ?? RunLengthArray().resized(to: before, filling: 0)
      list.append(fragments.compositions)
      compositions = list
      if fragments.compositions.runs.contains(where: { $0.value < 0 }) {
        compositionVersion = 1 << 24
      }
    }
    appendOrder(fragments)
    chunks += fragments.chunks
    count += fragments.count
    groups = groups.map {
      Group(head: $0.head, entries: $0.entries.resized(to: count, filling: 0))
    }
  }

  private mutating func appendSizes(_ fragments: FragmentSamples) throws(MovieError) {
    guard spelledSize == nil else {
      throw .damaged("fragments follow audio that is not counted in bytes")
    }
    let runs = fragments.sizes.runs
    if runs.count == 1, runs[0].value > 0 {
      let alike = SampleSizes.fixed(samples: 1, bytes: runs[0].value)
      if count == 0 || sizes == alike {
        sizes = alike
        return
      }
    }
    let total = count + fragments.count
    guard total <= MovieLimits.maximumSamples else {
      throw .tooLarge(what: "samples", value: total, limit: MovieLimits.maximumSamples)
    }
    var list: [UInt32]
    switch sizes {
    case .list(let sizes): list = sizes
    case .fixed(_, let bytes): list = [UInt32](repeating: UInt32(clamping: bytes), count: count)
    }
    for run in runs {
      list += [UInt32](repeating: UInt32(clamping: run.value), count: run.count)
    }
    sizes = .list(list)
  }

  private mutating func appendOrder(_ fragments: FragmentSamples) {
    if syncs != nil || fragments.keys.runs.contains(where: { $0.value == 0 }) {
      var list = syncs ?? Array(0..<count)
      var position = count
      for run in fragments.keys.runs {
        if run.value == 1 { list += position..<(position + run.count) }
        position += run.count
      }
      syncs = list
    }
    if dependencies != nil || fragments.dependencies.runs.contains(where: { $0.value != 0 }) {
      var list = dependencies ?? [UInt8](repeating: 0, count: count)
      for run in fragments.dependencies.runs {
        list += [UInt8](repeating: UInt8(truncatingIfNeeded: run.value), count: run.count)
      }
      dependencies = list
    }
  }
}
