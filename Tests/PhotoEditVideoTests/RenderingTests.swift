// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite(
  "Rendered videos",
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct RenderedMovieTests {
  let clips: Clips

  init() throws { clips = try Clips() }

  static var quick: VideoOptions {
    var options = VideoOptions()
    options.preset = .ultrafast
    return options
  }

  @discardableResult
  func render(
    _ source: String, _ filters: [any Filter], _ name: String = "out.mov",
    options: VideoOptions = RenderedMovieTests.quick
  ) throws -> VideoReport {
    try VideoRenderer.run(
      from: source, .graph(try FilterGraph(filters)), to: clips.file(name), options: options)
  }

  /// Presentation times in seconds, rounded to microseconds.
  private func times(_ path: String, of items: String = "frame") throws -> [Int] {
    try clips.probe(path, "\(items)=pts_time").map { text in
      Int((try #require(Double(text)) * 1_000_000).rounded())
    }
  }

  // MARK: Frames and times

  @Test(arguments: [
    "a.mov: -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
    "b.mov: -c:v libx264 -pix_fmt yuv420p -bf 3 -g 5",
    "c.mp4: -c:v libx265 -preset ultrafast -pix_fmt yuv420p",
    "d.mov: -vf setpts=N*(N+3)/50/TB -fps_mode vfr -c:v libx264 -bf 2 -pix_fmt yuv420p",
    "e.mkv: -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p",
    "f.mov: -c:v libx264 -pix_fmt yuv420p -bf 2 -video_track_timescale 600 -r 24000/1001",
    "g.mov: -c:v mjpeg -pix_fmt yuvj420p",
  ])
  func `a rendering has the same number of frames at the same times`(clip: String) throws {
    let parts = clip.split(separator: ":", maxSplits: 1).map(String.init)
    let source = try clips.make(parts[0], "\(Clips.chart) \(parts[1])")
    for codec in VideoCodec.allCases {
      var options = Self.quick
      options.codec = codec
      // Half the encoder's speed comes from reordered frames.
      options.preset = .veryfast
      let name = "out-\(codec).mov"
      let report = try render(source, [Brightness(0.1)], name, options: options)
      // Those of the packets: an edit list by ffmpeg 7 may end where the last frame begins.
      let old = try times(source, of: "packet").sorted()
      let new = try times(clips.file(name))
      #expect(report.frames == old.count)
      #expect(new.count == old.count)
      for (a, b) in zip(old, new) { #expect(abs(a - b) <= 1000, "\(clip): \(a) and \(b)") }
      let names = codec == .h264 ? ["h264,avc1"] : ["hevc,hvc1"]
      #expect(
        try clips.probe(clips.file(name), "stream=codec_name,codec_tag_string") == names)
    }
  }

  @Test func `frames hidden by an edit list stay hidden`() throws {
    let long = try clips.make(
      "long.mp4", "-f lavfi -i testsrc=size=64x48:rate=25:duration=2 \(Clips.h264) -g 50")
    // A copy from the middle keeps the frames since the last key frame, and hides them.
    let source = try clips.make("cut.mov", "-ss 0.5 -i \(long) -c copy")
    try render(source, [Brightness(0.1)])
    let old = try times(source)
    let new = try times(clips.file("out.mov"))
    #expect(old.count == new.count)
    for (a, b) in zip(old, new) { #expect(abs(a - b) <= 1000) }
  }

  @Test(arguments: VideoCodec.allCases)
  func `an entry of the edit list starts with a key frame`(codec: VideoCodec) throws {
    let long = try clips.make(
      "long.mp4", "-f lavfi -i testsrc=size=64x48:rate=25:duration=2 \(Clips.h264) -g 50")
    let source = try clips.make("cut.mov", "-ss 0.48 -i \(long) -c copy")
    var options = Self.quick
    options.codec = codec
    try render(source, [Brightness(0.1)], options: options)
    let packets = try clips.probe(clips.file("out.mov"), "packet=pts_time,flags")
    // A reader begins at the last key frame that the entry needs.
    #expect(packets.first?.hasPrefix("0.000000,K") == true, "\(packets)")
  }

  @Test(arguments: ["a.mov", "a.mp4", "a.mkv"])
  func `reordered frames keep their durations, and the encoder their rate`(name: String) throws {
    let source = try clips.make(name, "\(Clips.chart) -c:v libx264 -pix_fmt yuv420p -bf 3")
    try render(source, [Brightness(0.1)], options: VideoOptions())
    let out = clips.file("out.mov")
    let durations = try clips.probe(out, "stream=duration")
    let seconds = try #require(durations.first.flatMap { Double($0) })
    #expect(abs(seconds - 0.4) < 0.002)
    #expect(try clips.probe(out, "stream=avg_frame_rate") == ["25/1"])
    if name != "a.mkv" { #expect(try clips.probe(out, "stream=level") == ["10"]) }
  }

  @Test(arguments: ["a.mov", "a.mp4", "a.mkv"])
  func `frames are written once, to the file of the rendering`(name: String) throws {
    let source = try clips.make(name, "\(Clips.chart) \(Clips.tone) \(Clips.h264) -c:a aac")
    let seen = LockedValue<Set<[String]>>([])
    let clips = clips
    _ = try VideoRenderer.run(
      from: source, .graph(FilterGraph([Brightness(0.1)])), to: clips.file("out.mov"),
      options: Self.quick,
      progress: { _ in
        guard let names = try? clips.names else { return }
        _ = seen.withLock { $0.insert(names) }
      })
    #expect(seen.withLock { $0 } == [[name, "out.mov"].sorted()])
    // Players begin with the header; libavformat writes it last.
    let bytes = try bytes(clips.file("out.mov"))
    let positions = ["moov", "mdat"].map { type in
      bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual(type.utf8) } ?? 0
    }
    #expect(positions[0] < positions[1] || name == "a.mkv")
  }

  // MARK: Pixels

  @Test func `grayscale has no chroma at all`() throws {
    for (name, format) in [("a.mov", "yuv420p"), ("b.mov", "yuv444p"), ("c.mov", "yuv420p10le")] {
      let source = try clips.make(name, "\(Clips.chart) -c:v libx264 -pix_fmt \(format)")
      let report = try render(source, [Grayscale(.luma601)], "out-\(name)")
      let samples = try clips.samples(clips.file("out-\(name)"), "yuv420p")
      #expect(report.bitsPerSample == (format.hasSuffix("10le") ? 10 : 8))
      let frame = 64 * 48 * 3 / 2
      for index in 0..<10 {
        let chroma = samples[(index * frame + 64 * 48)..<((index + 1) * frame)]
        #expect(Set(chroma) == [128], "\(format)")
      }
    }
  }

  @Test func `rendered frames match the photo rendering of each frame`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) -c:v libx264 -qp 0 -pix_fmt yuv420p")
    let filters: [any Filter] = [Contrast(1.3), GaussianBlur(sigma: 1.5), Vignette(amount: 0.5)]
    var options = Self.quick
    options.quality = 1
    try render(source, filters, options: options)
    var before = try VideoFrames.open(source)
    var after = try VideoFrames.open(clips.file("out.mov"))
    let renderer = try FrameRendererBox(FilterGraph(filters), PixelSize(width: 64, height: 48))
    while let frame = try before.next() {
      let found = try #require(try after.next()).image
      let expected = try renderer.render(frame.image)
      var sum = 0
      for (a, b) in zip(found.bytes, expected.bytes) { sum += abs(Int(a) - Int(b)) }
      // Only the color of half resolution is lost.
      #expect(Double(sum) / Double(found.bytes.count) < 6)
    }
  }

  @Test func `a closure renders the frames with their times`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let seen = LockedValue<[Double]>([])
    let report = try VideoRenderer.run(
      from: source,
      .frames { frame in
        seen.withLock { $0.append(frame.time) }
        var image = ImageBuffer(
          size: PixelSize(width: 32, height: 16), layout: RowLayout(channels: .rgb))
        for index in image.bytes.indices { image.bytes[index] = 128 }
        return image
      }, to: clips.file("out.mov"), options: Self.quick)
    #expect(report.size == PixelSize(width: 32, height: 16))
    #expect(Set(seen.withLock { $0 }).count == 10)
    var frames = try VideoFrames.open(clips.file("out.mov"))
    let frame = try #require(try frames.next())
    #expect(frame.image.bytes.allSatisfy { (126...130).contains($0) })
  }

  // MARK: Color, depth, size

  @Test func `color tags are preserved`() throws {
    let source = try clips.make(
      "a.mov",
      "\(Clips.chart) \(Clips.h264) -color_primaries bt2020 -color_trc bt709 -colorspace bt2020nc")
    try render(source, [Grayscale(.luma601)])
    let entries = "stream=color_range,color_space,color_transfer,color_primaries"
    #expect(try clips.probe(clips.file("out.mov"), entries) == clips.probe(source, entries))
  }

  @Test func `ten bits stay ten bits, and the reduction of deeper video is reported`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) -c:v libx264 -pix_fmt yuv420p10le")
    for codec in VideoCodec.allCases {
      var options = Self.quick
      options.codec = codec
      let report = try render(source, [Contrast(1.1)], "out-\(codec).mov", options: options)
      #expect(report.bitsPerSample == 10)
      #expect(report.losses.isEmpty)
      #expect(
        try clips.probe(clips.file("out-\(codec).mov"), "stream=pix_fmt") == ["yuv420p10le"])
    }
    let deep = try clips.make("b.mov", "\(Clips.chart) -c:v png -pix_fmt rgb48be")
    #expect(try render(source, [Grayscale(.luma601)], "gray.mov").losses == [])
    let losses = try render(deep, [Contrast(1.1)], "deep.mov").losses
    #expect(losses.contains { $0.contains("16 bits") })
    #expect(losses.contains { $0.contains("4:2:0") })
  }

  @Test func `an odd last column or row is cropped and reported`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let report = try render(source, [Crop(pixels: Region(x: 0, y: 0, width: 33, height: 21))])
    #expect(report.size == PixelSize(width: 32, height: 20))
    #expect(
      report.losses == ["the last column of 33×21", "the last row of 33×21"])
    #expect(throws: VideoError.self) {
      try render(source, [Crop(pixels: Region(x: 0, y: 0, width: 1, height: 21))], "none.mov")
    }
    #expect(try !clips.names.contains("none.mov"))
  }

  // MARK: Rotation

  @Test(arguments: [90, 180, 270])
  func `rotation stays in the header unless the graph moves pixels`(degrees: Int) throws {
    let plain = try clips.make("plain.mp4", "\(Clips.chart) \(Clips.h264)")
    let source = try clips.turn(plain, by: degrees, as: "turned.mov")
    let rotation = try PassthroughExport.inspect(source).streams[0].rotation
    #expect(rotation != 0)
    let kept = try render(source, [Grayscale(.luma601)], "kept.mov")
    #expect(!kept.isOriented && kept.size == PixelSize(width: 64, height: 48))
    #expect(try PassthroughExport.inspect(clips.file("kept.mov")).streams[0].rotation == rotation)
    let baked = try render(
      source, [Crop(x: 0, y: 0, width: 1, height: 0.5)], "baked.mov")
    #expect(baked.isOriented)
    #expect(
      baked.size
        == (degrees == 180 ? PixelSize(width: 64, height: 24) : PixelSize(width: 48, height: 32)))
    #expect(try PassthroughExport.inspect(clips.file("baked.mov")).streams[0].rotation == 0)
    // Both look like the source with its orientation applied.
    let oriented = try VideoFrames.poster(source)
    for name in ["kept.mov", "baked.mov"] {
      let poster = try VideoFrames.poster(clips.file(name))
      var sum = 0
      for y in 0..<poster.size.height {
        for x in 0..<poster.size.width {
          let green = oriented[x: x, y: y, channel: 1]
          let found = poster[x: x, y: y, channel: 1]
          // The gray one is as dark where all colors are.
          let isGray = (0..<3).allSatisfy { abs(oriented[x: x, y: y, channel: $0] - green) < 4 }
          sum += name == "kept.mov" && !isGray ? 0 : abs(green - found)
        }
      }
      #expect(Double(sum) / Double(poster.size.pixelCount) < 14, "\(name)")
    }
  }

  // MARK: Other tracks

  @Test(arguments: ["aac", "pcm_s16le", "alac"])
  func `audio is copied packet by packet`(codec: String) throws {
    let source = try clips.make(
      "a.mov",
      "\(Clips.chart) \(Clips.tone) \(Clips.h264) -bf 2 -c:a \(codec) -timecode 01:00:00:00")
    let report = try render(source, [Sepia(amount: 1)])
    #expect(report.movie.streams.map(\.kind) == [.video, .audio, .data])
    let hash = { (path: String) in
      try clips.output(
        of: "ffmpeg",
        "-v error -i \(path) -map 0:a -c copy -f streamhash -hash sha256 -")
    }
    #expect(try hash(source) == hash(clips.file("out.mov")))
    let entries = "packet=pts_time,duration_time,size"
    if codec == "aac" {
      #expect(
        try clips.probe(source, entries, stream: "a:0")
          == clips.probe(clips.file("out.mov"), entries, stream: "a:0"))
    }
  }
}
