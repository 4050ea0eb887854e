// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite(
  "Frame order and rotation",
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct OrderAndRotationTests {
  let clips: Clips

  init() throws { clips = try Clips() }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = try OpenFile(creating: clips.file(name))
    try bytes.withUnsafeBytes { try file.write($0) }
    return clips.file(name)
  }

  /// A decoder that guesses the order drops the first B frame of such a stream.
  @Test(arguments: [1, 2])
  func `H.264 without reordering information gives every frame`(threads: Int) throws {
    let plain = try clips.make(
      "plain.mp4",
      "\(Clips.chart) -c:v libx264 -profile:v main -pix_fmt yuv420p -bf 1 -g 7 -x264-params b-adapt=0"
    )
    var order = UnlimitedReordering()
    let source = try write(try order.apply(to: bytes(plain)), "silent.mp4")
    var options = RenderedMovieTests.quick
    options.threads = threads
    let report = try VideoRenderer.run(
      from: source, .graph(try FilterGraph([Invert(amount: 1)])), to: clips.file("out.mov"),
      options: options)
    #expect(report.frames == 10)
    #expect(try clips.probe(clips.file("out.mov"), "frame=pts").count == 10)
    // In presentation order.
    #expect(
      try clips.samples(source, "gray")
        == clips.samples(plain, "gray"))
  }

  @Test(arguments: [(90, 90), (180, 180), (-90, 270), (0, 0)])
  func `rotated Matroska video is oriented up`(expected: (roll: Int, rotation: Int)) throws {
    let plain = try clips.make("plain.mkv", "\(Clips.chart) \(Clips.h264)")
    let source = try write(
      MatroskaRotation.rotated(try bytes(plain), by: Float(expected.roll)), "turned.mkv")
    let isAcross = expected.rotation % 180 != 0
    let oriented = PixelSize(width: isAcross ? 48 : 64, height: isAcross ? 64 : 48)
    let found = try PassthroughExport.inspect(source).streams[0].rotation
    // Matroska counts counterclockwise, and libavformat reads it that way.
    #expect(found == expected.rotation || found == (360 - expected.rotation) % 360)
    #expect(try VideoFrames.poster(source).size == oriented)
    var reader = try VideoFrames.open(source)
    #expect(try reader.next()?.image.size == oriented)
    let passed = try PassthroughExport.run(from: source, to: clips.file("passed.mov"))
    #expect(passed.streams[0].rotation == found)
    let rendered = try VideoRenderer.run(
      from: source, .graph(try FilterGraph([Invert(amount: 1)])), to: clips.file("out.mov"),
      options: RenderedMovieTests.quick)
    let size =
      rendered.isOriented
      ? rendered.size
      : PixelSize(
        width: isAcross ? rendered.size.height : rendered.size.width,
        height: isAcross ? rendered.size.width : rendered.size.height)
    #expect(size == oriented)
    if !rendered.isOriented { #expect(rendered.movie.streams[0].rotation == found) }
    // Oriented pixels are those that a player shows of the copied video.
    #expect(try VideoFrames.poster(source) == VideoFrames.poster(clips.file("passed.mov")))
  }
}
