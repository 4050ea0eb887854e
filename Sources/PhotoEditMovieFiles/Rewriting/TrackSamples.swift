// SPDX-License-Identifier: Apache-2.0

/// The samples of a track according to its sample table: times, sizes, offsets, and sync samples.
///
/// Sources: ISO/IEC 14496-12, 8.6 and 8.7, and Apple's QuickTime File Format, "sample atoms".
struct TrackSamples: Sendable {
  var count = 0
  var sizes = SampleSizes.list([])
  /// The duration of each sample in decoding order, in timescale units.
  var durations = RunLengthArray()
  /// The offset from decoding to presentation of each sample, in timescale units; nil if all are 0.
  var compositions: RunLengthArray?
  /// The version and flags of the box that contained them.
  var compositionVersion: UInt32 = 0
  /// The indices of sync samples, from 0, increasing; nil if all are sync samples.
  var syncs: [Int]?
  /// The indices of samples that can be decoded once a preceding sync sample was; from 0,
  /// increasing.
  var partialSyncs: [Int]?
  /// The dependencies, one byte per sample.
  var dependencies: [UInt8]?
  /// Sample groups: the bytes before the count, and the group of each sample.
  var groups: [Group] = []
  var chunks: [MediaChunk] = []
  /// The sample size as stored in the table, for old audio; nil if it follows from `sizes`.
  var spelledSize: UInt32?

  /// An "sbgp" box.
  struct Group: Sendable, Hashable {
    var head: [UInt8]
    var entries: RunLengthArray
  }

  /// The total duration of all samples, in timescale units.
  var duration: Int { durations.sum }

  var areAllSync: Bool { syncs == nil }

  /// Returns whether everything but the offsets in the file is the same.
  func isSame(as other: TrackSamples) -> Bool {
    count == other.count && sizes == other.sizes && durations == other.durations
      && compositions == other.compositions && syncs == other.syncs
      && partialSyncs == other.partialSyncs && dependencies == other.dependencies
      && groups == other.groups
  }

  /// Returns the samples of a range, with their chunks.
  ///
  /// Old compressed audio is split between its groups, so a few additional samples may be included
  /// at the front.
  ///
  /// - Returns: The samples, and the index of the first of them.
  func sliced(_ requested: Range<Int>) throws(MovieError) -> (samples: TrackSamples, first: Int) {
    var kept: [MediaChunk] = []
    var range = requested
    var first = 0
    for chunk in chunks {
      let here = first..<(first + chunk.count)
      first += chunk.count
      var part = here.clamped(to: range)
      guard !part.isEmpty else { continue }
      let skipped = (part.lowerBound - here.lowerBound) % sizes.group
      if skipped > 0 {
        part = (part.lowerBound - skipped)..<part.upperBound
        if kept.isEmpty { range = part.lowerBound..<range.upperBound }
      }
      var slice = chunk
      slice.offset += try sizes.bytes(of: here.lowerBound..<part.lowerBound)
      slice.size = try sizes.bytes(of: part)
      slice.count = part.count
      if case .bytes(let bytes) = chunk.origin {
        let start = slice.offset - chunk.offset
        guard start + slice.size <= bytes.count else { throw .damaged("a sample has no data") }
        slice.origin = .bytes(Array(bytes[start..<(start + slice.size)]))
      }
      kept.append(slice)
    }
    var samples = self
    samples.chunks = kept
    samples.count = range.count
    samples.sizes = sizes.sliced(range)
    samples.durations = durations.sliced(range)
    samples.compositions = compositions?.sliced(range)
    samples.syncs = syncs?.filter { range.contains($0) }.map { $0 - range.lowerBound }
    samples.partialSyncs = partialSyncs?.filter { range.contains($0) }
      .map { $0 - range.lowerBound }
    samples.dependencies = dependencies.map { Array($0[range]) }
    samples.groups = groups.map { Group(head: $0.head, entries: $0.entries.sliced(range)) }
    return (samples, range.lowerBound)
  }
}

/// The sizes of a track's samples.
enum SampleSizes: Sendable, Hashable {
  /// Groups of `samples` samples occupy `bytes` bytes together; usually one sample per group.
  case fixed(samples: Int, bytes: Int)
  /// An individual size for each sample.
  case list([UInt32])

  /// Returns the size in bytes of a range of samples; partial groups count as complete.
  func bytes(of range: Range<Int>) throws(MovieError) -> Int {
    switch self {
    case .list(let sizes):
      guard range.upperBound <= sizes.count else { throw .damaged("a sample has no size") }
      return sizes[range].reduce(0) { $0 + Int($1) }
    case .fixed(let samples, let bytes):
      let groups = (range.count + samples - 1) / samples
      let (size, overflows) = groups.multipliedReportingOverflow(by: bytes)
      guard !overflows else { throw .damaged("sample sizes exceed the maximum file size") }
      return size
    }
  }

  /// The number of inseparable samples, counted from the beginning of a chunk.
  var group: Int { if case .fixed(let samples, _) = self { samples } else { 1 } }

  func sliced(_ range: Range<Int>) -> SampleSizes {
    if case .list(let sizes) = self { .list(Array(sizes[range])) } else { self }
  }
}

/// Consecutive samples of a track in a file.
struct MediaChunk: Sendable {
  /// The origin of the bytes.
  enum Origin: Sendable {
    /// The movie that is edited.
    case source
    /// Bytes generated here.
    case bytes([UInt8])
  }

  var origin = Origin.source
  /// The offset of the first byte in the file; for generated bytes, a sort key.
  var offset: Int
  var count: Int
  /// The total size in bytes.
  var size: Int
  /// The index of the sample description, from 1.
  var description: UInt32
}
