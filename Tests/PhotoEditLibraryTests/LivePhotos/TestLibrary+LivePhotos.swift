// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

extension TestLibrary {
  /// The content identifier of both parts of `livePhoto`.
  static let liveIdentifier = "11111111-2222-3333-4444-555555555555"

  /// Adds a one-second Live Photo with a decodable video of half the still's size.
  func livePhoto(audioTrack: Bool = false) throws -> Asset {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let path = folder.path("clip.mov")
    let audio = audioTrack ? "-f lavfi -i sine=frequency=440:duration=1 -c:a aac " : ""
    let arguments =
      "-v error -y -f lavfi -i testsrc=size=32x24:rate=10:duration=1 \(audio)-c:v libx264 "
      + "-preset ultrafast -pix_fmt yuv420p -movflags use_metadata_tags "
      + "-metadata com.apple.quicktime.content.identifier=\(Self.liveIdentifier) \(path)"
    let words = arguments.split(separator: " ").map(String.init)
    #expect(Program.run(ffmpeg, words, output: "/dev/null") == 0)
    return try create([
      (.photo, try ImageFile.live(Self.liveIdentifier, seed: 1)),
      (.pairedVideo, try FileBytes.reading(path).array),
    ])
  }
}
