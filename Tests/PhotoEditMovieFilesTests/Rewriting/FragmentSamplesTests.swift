// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditMovieFiles

@Suite("Samples of fragments")
struct FragmentSamplesTests {
  /// A gap before it changes nothing of that.
  @Test(arguments: [640, 1024, 30_000], [1024, 5000])
  func `the last packet of sound counts whole`(last: Int, before: Int) {
    var samples = FragmentSamples()
    for (duration, count) in [(1024, 3), (before, 1), (last, 1)] {
      samples.append(
        FragmentSamples.Sample(size: 9, duration: duration, flags: 0), count: count, isSound: true)
    }
    samples.completeLastPacket()
    #expect(samples.count == 5)
    #expect(samples.duration == 3 * 1024 + before + 1024)
    #expect(samples.end == samples.duration)
  }
}
