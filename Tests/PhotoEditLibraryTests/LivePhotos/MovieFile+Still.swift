// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

extension MovieFile {
  /// The movie of a Live Photo, of one second, that says when the still was taken.
  ///
  /// - Parameter seconds: At least 1 for a moment that the movie does not have.
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
      // The writer knows better, so the pause before the one sample is stretched behind its back.
      let pause = entry(Int((written * 600).rounded()))
      let place = try #require(bytes.firstRange(of: pause))
      bytes.replaceSubrange(place, with: entry(Int((seconds * 600).rounded())))
    }
    return bytes
  }

  /// A stretch of an edit list in which nothing is shown, in ticks of 1/600 s.
  private static func entry(_ ticks: Int) -> [UInt8] {
    PictureFile.big(ticks, 4) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0]
  }
}
