// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite(
  "Memory of rendered videos", .serialized,
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct MovieMemoryTests {
  /// The peak resident memory in bytes of a separate process.
  private static func peakGrowth(_ source: String, _ target: String) throws -> Int {
    var options = VideoOptions()
    options.preset = .ultrafast
    options.threads = 2
    let graph = try FilterGraph([Sepia(amount: 1), GaussianBlur(sigma: 1)])
    let before = try ProcessMemory.peak()
    _ = try VideoRenderer.run(from: source, .graph(graph), to: target, options: options)
    return try ProcessMemory.peak() - before
  }

  @Test(.enabled(if: Allocations.areCounted, "a sanitizer keeps freed memory"))
  func `a video ten times as long requires no more memory`() async throws {
    let clips = try Clips()
    let size = "size=320x240:rate=30"
    try clips.make("short.mov", "-f lavfi -i testsrc=\(size):duration=1 \(Clips.h264) -g 15")
    try clips.make("long.mov", "-f lavfi -i testsrc=\(size):duration=10 \(Clips.h264) -g 15")
    setenv("PHOTOEDIT_TEST_CLIPS", clips.path, 1)
    await #expect(processExitsWith: .success) {
      let folder = try #require(getenv("PHOTOEDIT_TEST_CLIPS").map { String(cString: $0) })
      // The first video loads what all of them need: libraries, threads, the encoder's frames.
      let first = try Self.peakGrowth(folder + "/short.mov", folder + "/a.mov")
      let second = try Self.peakGrowth(folder + "/long.mov", folder + "/b.mov")
      // 300 frames in memory would be 50 megabytes.
      exit(first > 0 && second < 12_000 << 10 ? 0 : 1)
    }
  }
}
