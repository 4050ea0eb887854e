// SPDX-License-Identifier: Apache-2.0

/// How many bytes the samples of a track take.
enum SampleSizes: Sendable, Hashable {
  /// Groups of `samples` samples take `bytes` bytes together; one sample each, mostly.
  case fixed(samples: Int, bytes: Int)
  /// Each its own number.
  case list([UInt32])

  /// Bytes of a range of samples; a group that is begun counts whole.
  func bytes(of range: Range<Int>) throws(MovieError) -> Int {
    switch self {
    case .list(let sizes):
      guard range.upperBound <= sizes.count else { throw .damaged("a sample has no size") }
      return sizes[range].reduce(0) { $0 + Int($1) }
    case .fixed(let samples, let bytes):
      let groups = (range.count + samples - 1) / samples
      let (size, overflows) = groups.multipliedReportingOverflow(by: bytes)
      guard !overflows else { throw .damaged("samples are larger than any file") }
      return size
    }
  }

  /// Samples that cannot be parted, counted from the beginning of a chunk.
  var group: Int { if case .fixed(let samples, _) = self { samples } else { 1 } }

  func sliced(_ range: Range<Int>) -> SampleSizes {
    if case .list(let sizes) = self { .list(Array(sizes[range])) } else { self }
  }
}
