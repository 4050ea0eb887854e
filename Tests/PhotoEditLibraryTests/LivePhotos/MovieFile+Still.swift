// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

extension MovieFile {
  /// A one-second Live Photo video with a still image time.
  ///
  /// - Parameter seconds: The still image time; at least 1 for a time outside of the video.
  static func live(
    _ identifier: String?, seed: Int, stillAt seconds: Double
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try Data(live(identifier, seed: seed)).write(to: folder.url("source.mov"))
    let written = 0.3125
    _ = try MovieRewriter.run(
      from: folder.path("source.mov"), to: folder.path("still.mov"),
      edits: [.stillImageTime(min(seconds, written))])
    var bytes = try FileBytes.reading(folder.path("still.mov")).array
    if seconds > written {
      // The writer rejects such times, so the empty edit before the sample is extended directly.
      let pause = entry(Int((written * 600).rounded()))
      let range = try #require(bytes.firstRange(of: pause))
      bytes.replaceSubrange(range, with: entry(Int((seconds * 600).rounded())))
    }
    return bytes
  }

  /// An empty edit list entry, in units of 1/600 s.
  private static func entry(_ units: Int) -> [UInt8] {
    ImageFile.big(units, 4) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0]
  }
}
