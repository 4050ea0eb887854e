// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite(
  "Video frames",
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct FramesTests {
  let clips: Clips

  init() throws { clips = try Clips() }

  private func frames(_ path: String) throws -> [VideoFrame] {
    var reader = try VideoFrames.open(path)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  @Test(arguments: [
    "a.mov: -c:v libx264 -pix_fmt yuv420p -bf 2", "b.mp4: -c:v libx265 -pix_fmt yuv420p",
    "c.mov: -c:v mjpeg -pix_fmt yuvj422p", "d.mov: -c:v prores_ks -pix_fmt yuv422p10le",
    "e.mkv: -c:v libx264 -pix_fmt yuv444p", "f.avi: -c:v mpeg4 -pix_fmt yuv420p",
    "g.mov: -c:v png -pix_fmt rgb24", "h.mov: -c:v libx264 -pix_fmt yuv420p -color_range pc",
    "i.mov: -c:v libx264 -pix_fmt yuv420p10le", "j.mov: -c:v libx264 -pix_fmt gray",
  ])
  func `every frame of common codecs matches the output of ffmpeg`(clip: String) throws {
    let parts = clip.split(separator: ":", maxSplits: 1).map(String.init)
    // Sharp edges would show differences in color interpolation.
    let path = try clips.make(parts[0], "\(Clips.chart) -vf gblur=sigma=5 \(parts[1])")
    let found = try frames(path)
    #expect(found.count == 10)
    // zimg, which respects the chroma location, produces the other image.
    let isPlain = clip.contains("rgb24") || clip.hasSuffix("gray")
    let how =
      isPlain ? "null" : "zscale=matrixin=170m:matrix=gbr:range=full:filter=bilinear,format=gbrp"
    let expected = try clips.output(
      of: "ffmpeg", "-v error -i \(path) -vf \(how) -pix_fmt rgb24 -f rawvideo -")
    try #require(expected.count == 10 * 64 * 48 * 3)
    for (index, frame) in found.enumerated() {
      #expect(frame.image.size == PixelSize(width: 64, height: 48))
      let other = expected[(index * 9216)..<((index + 1) * 9216)]
      var sum = 0
      for (a, b) in zip(frame.image.eightBits, other) { sum += abs(Int(a) - Int(b)) }
      #expect(Double(sum) / 9216 < 0.2, "frame \(index)")
    }
  }

  @Test func `frames have their presentation times`() throws {
    let path = try clips.make(
      "vfr.mov", "\(Clips.chart) -vf setpts=N*N/25/TB \(Clips.h264) -bf 2 -fps_mode vfr")
    let times = try frames(path).map(\.time)
    try #require(times.count == 10)
    for (index, time) in times.enumerated() {
      #expect(abs(time - Double(index * index) / 25) < 0.001)
    }
  }

  @Test(arguments: [90, 180, 270])
  func `frames and posters have the orientation applied`(degrees: Int) throws {
    let plain = try clips.make("plain.mp4", "\(Clips.chart) -c:v libx264 -qp 0 -pix_fmt yuv444p")
    let path = try clips.turn(plain, by: degrees, as: "turned.mov")
    let oriented = try frames(plain)[0].image
    let info = try PassthroughExport.inspect(path)
    let orientation = Orientation(clockwiseRotations: try #require(info.streams[0].rotation) / 90)
    let rotated = try frames(path)[0].image
    #expect(orientation != .up)
    #expect(rotated.size == orientation.applied(to: oriented.size))
    for (x, y) in [(0, 0), (5, 30), (40, 12), (47, 3)] where x < rotated.size.width {
      let position = orientation.storedPosition(x: x, y: y, stored: oriented.size)
      for channel in 0..<3 {
        #expect(
          rotated[x: x, y: y, channel: channel]
            == oriented[x: position.x, y: position.y, channel: channel])
      }
    }
    #expect(try VideoFrames.poster(path) == rotated)
  }

  @Test func `a poster fits the box, keeps its aspect ratio and is never enlarged`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let small = try VideoFrames.poster(path, fitting: PixelSize(width: 32, height: 32))
    #expect(small.size == PixelSize(width: 32, height: 24))
    #expect(small.layout == RowLayout(channels: .rgb))
    let large = try VideoFrames.poster(path, fitting: PixelSize(width: 999, height: 999))
    #expect(large.size == PixelSize(width: 64, height: 48))
    let wide = try clips.make("b.mov", "\(Clips.chart) -vf setsar=1/2 \(Clips.h264)")
    #expect(try VideoFrames.poster(wide).size == PixelSize(width: 32, height: 48))
  }

  @Test func `gray stays gray in posters of every color space`() throws {
    let gray = "-f lavfi -i color=gray:size=64x48:rate=25:duration=0.1"
    for (name, tags) in [
      ("sd", "smpte170m:smpte170m:smpte170m"), ("hd", "bt709:bt709:bt709"),
      ("wide", "bt2020:bt709:bt2020nc"), ("hlg", "bt2020:arib-std-b67:bt2020nc"),
      ("pq", "bt2020:smpte2084:bt2020nc"),
    ] {
      let words = tags.split(separator: ":")
      let path = try clips.make(
        "\(name).mov",
        // No filter may convert the gray to the color space that only the header states.
        "\(gray) -vf format=yuv420p,setparams=color_primaries=\(words[0]):color_trc=\(words[1])"
          + ":colorspace=\(words[2]):range=tv \(Clips.h264) -color_primaries \(words[0]) -color_trc \(words[1]) "
          + "-colorspace \(words[2])")
      let poster = try VideoFrames.poster(path)
      let pixel = (0..<3).map { poster[x: 30, y: 20, channel: $0] }
      #expect(pixel.max()! - pixel.min()! <= 1, "\(name)")
      if name != "hlg" && name != "pq" { #expect((126...129).contains(pixel[0]), "\(name)") }
    }
  }

  @Test func `a file that is not a video, or has no frames, is rejected with the reason`() throws {
    let audio = try clips.make("a.mov", "\(Clips.tone) -c:a aac")
    #expect(throws: VideoError.self) { try VideoFrames.poster(audio) }
    let text = clips.file("b.mov")
    let file = try OpenFile(creating: text)
    let content = FileBytes(Array("no movie at all, just words".utf8))
    try withExtendedLifetime(content) { try file.write(content.buffer) }
    #expect(throws: VideoError.self) { try VideoFrames.poster(text) }
  }
}

extension ImageBuffer {
  /// The samples reduced to 8 bits.
  var eightBits: [UInt8] {
    if layout.bytesPerSample == 1 { return bytes }
    return (0..<size.pixelCount * layout.channels.count).map { index in
      let pixel = index / layout.channels.count
      let value = self[
        x: pixel % size.width, y: pixel / size.width, channel: index % layout.channels.count]
      return UInt8((value + 128) / 257)
    }
  }
}
