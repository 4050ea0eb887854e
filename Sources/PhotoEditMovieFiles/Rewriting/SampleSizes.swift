// SPDX-License-Identifier: Apache-2.0

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
