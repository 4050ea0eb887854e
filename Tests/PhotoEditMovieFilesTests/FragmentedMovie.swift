// SPDX-License-Identifier: Apache-2.0

/// Writes small fragmented movies, with each of the equivalent box notations.
struct FragmentedMovie {
  struct Sample {
    var bytes: [UInt8]
    var duration: Int
    var composition = 0
    var isKey = true
  }

  /// The base of the sample offsets.
  enum Base: CaseIterable {
    /// The `moof` box, as specified by a flag.
    case fragment
    /// An offset in the file.
    case file
    /// The `moof` box for the first track, and the end of the preceding data for the others.
    case implicit
  }

  /// The header, whose tracks may have their own samples.
  var header = MovieBuilder(tracks: [
    MovieBuilder.Track(samples: []),
    MovieBuilder.Track(handler: "soun", codec: "alac", samples: [], timescale: 4800),
  ])
  var samples: [[Sample]] = [
    (0..<10).map { Sample(bytes: sample($0, 50 + $0), duration: 60 + $0, isKey: $0 % 4 == 0) },
    (0..<11).map { Sample(bytes: sample(100 + $0, 30 + 2 * $0), duration: $0 == 10 ? 77 : 512) },
  ]
  var samplesPerFragment = 4
  var base = Base.fragment
  /// The decode time of the first sample of each track; nil for fragments without a time.
  var times: [Int]? = [0, 0]
  /// Timescale units skipped before a fragment, by track and fragment.
  var gaps: [[Int: Int]] = [[:], [:]]
  /// True if values shared by all samples are stored once.
  var isCompact = false
  /// Boxes added to every fragment of a track.
  var fragmentBoxes: [UInt8] = []

  /// The bytes of all samples of a track.
  func payload(_ track: Int) -> [UInt8] { samples[track].flatMap(\.bytes) }

  func build() -> [UInt8] {
    var header = header
    header.isHeaderFirst = true
    let defaults = samples.enumerated().map { index, list in
      let first = list.first
      return box(
        "trex",
        u32(0) + u32(index + 1) + u32(1)
          + (isCompact ? u32(first?.duration ?? 0) + u32(first?.bytes.count ?? 0) : zeros(8))
          + u32(isCompact ? 0x1_0000 : 0))
    }
    header.boxesBeforeTracks += box("mvex", defaults.flatMap { $0 })
    var bytes = header.build()
    // An empty media data box.
    if header.tracks.allSatisfy({ $0.samples.isEmpty }) { bytes.removeLast(8) }
    var ends = times ?? samples.map { _ in 0 }
    let longest = samples.map(\.count).max() ?? 0
    for (number, first) in stride(from: 0, to: longest, by: samplesPerFragment).enumerated() {
      for track in ends.indices { ends[track] += gaps[track][number] ?? 0 }
      let parts = samples.map { list in
        Array(list[min(first, list.count)..<min(first + samplesPerFragment, list.count)])
      }
      // Offsets have a fixed size, independent of their values.
      let size = fragment(parts, ends, at: bytes.count, size: 0).count
      bytes += fragment(parts, ends, at: bytes.count, size: size)
      bytes += box("mdat", parts.flatMap { $0.flatMap(\.bytes) })
      for track in ends.indices { ends[track] += parts[track].reduce(0) { $0 + $1.duration } }
    }
    return bytes + header.extraBoxes
  }

  private func fragment(
    _ parts: [[Sample]], _ ends: [Int], at position: Int, size: Int
  ) -> [UInt8] {
    var body = box("mfhd", zeros(8))
    var data = size + 8
    for (track, part) in parts.enumerated() where !part.isEmpty {
      let flags =
        switch base {
        case .fragment: 0x2_0000
        case .file: 1
        case .implicit: 0
        }
      let head = u32(flags) + u32(track + 1) + (base == .file ? u32(0) + u32(position) : [])
      let time = times == nil ? [] : box("tfdt", u32(1 << 24) + u32(0) + u32(ends[track]))
      let hasOffset = base != .implicit || track == 0
      body += box(
        "traf",
        box("tfhd", head) + time + fragmentBoxes
          + box("trun", run(part, offset: hasOffset ? data : nil)))
      data += part.reduce(0) { $0 + $1.bytes.count }
    }
    return box("moof", body)
  }

  private func run(_ part: [Sample], offset: Int?) -> [UInt8] {
    let position = offset.map { u32($0) } ?? []
    let flag = offset == nil ? 0 : 1
    if isCompact {
      // The first is a sync sample, the others depend on it.
      return u32(flag | 4) + u32(part.count) + position + u32(0x200_0000)
    }
    let entries = part.flatMap {
      u32($0.duration) + u32($0.bytes.count) + u32($0.isKey ? 0x200_0000 : 0x101_0000)
        + u32($0.composition)
    }
    return u32(1 << 24 | 0xf00 | flag) + u32(part.count) + position + entries
  }
}
