// SPDX-License-Identifier: Apache-2.0

/// The samples of a track, as its sample table says: times, sizes, places, and which stand alone.
///
/// Sources: ISO/IEC 14496-12, 8.6 and 8.7, and Apple's QuickTime File Format, "sample atoms".
struct TrackSamples: Sendable {
  var count = 0
  var sizes = SampleSizes.list([])
  /// Ticks that each sample lasts in the order of decoding.
  var durations = RunList()
  /// Ticks from a sample's decoding to its presentation; nil when all are 0.
  var compositions: RunList?
  /// The version and flags of the box that they came from.
  var compositionVersion: UInt32 = 0
  /// Samples that can be decoded alone, from 0, rising; nil when all can.
  var syncs: [Int]?
  /// Samples that can be decoded alone once one before them was; from 0, rising.
  var partialSyncs: [Int]?
  /// One byte a sample: what depends on what.
  var dependencies: [UInt8]?
  /// Sample groups; the bytes before the count, and the group of each sample.
  var groups: [Group] = []
  var chunks: [MediaChunk] = []
  /// The size of samples as the table spells it, for old sound; nil when it follows from `sizes`.
  var spelledSize: UInt32?

  /// A box of type "sbgp".
  struct Group: Sendable, Hashable {
    var head: [UInt8]
    var places: RunList
  }

  /// Ticks of all samples together.
  var duration: Int { durations.sum }

  /// Whether every sample can be decoded alone.
  var areAllSync: Bool { syncs == nil }

  /// Whether everything but the places in the file is the same.
  func isSame(as other: TrackSamples) -> Bool {
    count == other.count && sizes == other.sizes && durations == other.durations
      && compositions == other.compositions && syncs == other.syncs
      && partialSyncs == other.partialSyncs && dependencies == other.dependencies
      && groups == other.groups
  }

  /// The samples of a range, in the chunks where they lie.
  ///
  /// Old compressed sound is cut between its groups, so a few samples more may come at the front.
  ///
  /// - Returns: The samples, and the first of them.
  func sliced(_ wanted: Range<Int>) throws(MovieError) -> (samples: TrackSamples, first: Int) {
    var kept: [MediaChunk] = []
    var range = wanted
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
      var piece = chunk
      piece.offset += try sizes.bytes(of: here.lowerBound..<part.lowerBound)
      piece.size = try sizes.bytes(of: part)
      piece.count = part.count
      if case .bytes(let bytes) = chunk.origin {
        let start = piece.offset - chunk.offset
        guard start + piece.size <= bytes.count else { throw .damaged("a sample has no bytes") }
        piece.origin = .bytes(Array(bytes[start..<(start + piece.size)]))
      }
      kept.append(piece)
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
    samples.groups = groups.map { Group(head: $0.head, places: $0.places.sliced(range)) }
    return (samples, range.lowerBound)
  }
}
