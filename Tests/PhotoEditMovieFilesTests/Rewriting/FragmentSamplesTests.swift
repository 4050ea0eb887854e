// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditMovieFiles

@Suite("Samples in fragments")
struct FragmentSamplesTests {
  /// A preceding gap does not change the result.
  @Test(arguments: [640, 1024, 30_000], [1024, 5000])
  func `the last audio packet counts with its full duration`(last: Int, before: Int) {
    var samples = FragmentSamples()
    for (duration, count) in [(1024, 3), (before, 1), (last, 1)] {
      samples.append(
        FragmentSamples.Sample(size: 9, duration: duration, flags: 0), count: count, isAudio: true)
    }
    samples.completeLastPacket(of: .audio, isAAC: true)
    #expect(samples.count == 5)
    #expect(samples.duration == 3 * 1024 + before + 1024)
    #expect(samples.end == samples.duration)
  }
}
