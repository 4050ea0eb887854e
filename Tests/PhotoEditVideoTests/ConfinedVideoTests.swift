// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs
@testable import PhotoEditVideo

@Suite(
  "Videos in a confined process",
  .enabled(if: Clips.isInstalled, "the program ffmpeg is not installed"))
struct ConfinedVideoTests {
  let clips: Clips

  init() throws { clips = try Clips() }

  /// Options that require a confined process, which the built program becomes.
  static func options(
    _ change: (inout DecoderProgram.Configuration) -> Void = { _ in }
  ) -> DecoderOptions {
    var options = DecoderOptions(sandbox: .require)
    var program = DecoderProgram.Configuration(path: BuiltProgram.path)
    change(&program)
    options.program = program
    return options
  }

  private static let own = DecoderOptions(sandbox: .off)

  /// The frames, and the error after them.
  private static func frames(
    _ path: String, threads: Int = 2, _ options: DecoderOptions
  ) -> (frames: [VideoFrame], error: String?) {
    var frames: [VideoFrame] = []
    do throws(VideoError) {
      var reader = try VideoFrames.open(path, threads: threads, options)
      while let frame = try reader.next() { frames.append(frame) }
      return (frames, nil)
    } catch {
      return (frames, "\(error)")
    }
  }

  @Test(arguments: [
    "a.mov: -c:v libx264 -pix_fmt yuv420p -bf 2", "b.mp4: -c:v libx265 -pix_fmt yuv420p",
    "c.mov: -c:v mjpeg -pix_fmt yuvj422p", "d.mov: -c:v prores_ks -pix_fmt yuv422p10le",
    "e.mkv: -c:v libx264 -pix_fmt yuv444p", "f.avi: -c:v mpeg4 -pix_fmt yuv420p",
    "g.mov: -c:v png -pix_fmt rgb24", "h.mov: -c:v libx264 -pix_fmt yuv420p10le",
    "i.mov: -c:v libx264 -pix_fmt gray", "j.mov: -c:v png -pix_fmt pal8",
    "k.mov: -c:v rawvideo -pix_fmt yuyv422", "l.mov: -c:v png -pix_fmt rgb48be",
    "m.mkv: -c:v ffv1 -pix_fmt yuv411p", "n.mov: -c:v prores_ks -pix_fmt yuva444p10le",
    "o.mov: -vf crop=61:45 -c:v libx264 -pix_fmt yuv444p", "p.mov: -c:v cinepak",
  ])
  func `frames, times and posters are those of this process`(clip: String) throws {
    let parts = clip.split(separator: ":", maxSplits: 1).map(String.init)
    let path = try clips.make(parts[0], "\(Clips.chart) \(parts[1])")
    let expected = Self.frames(path, Self.own)
    #expect(expected.frames.count == 10 && expected.error == nil)
    for threads in [1, 3] {
      let found = Self.frames(path, threads: threads, Self.options())
      #expect(found == expected, "\(threads) threads")
    }
    let poster = try VideoFrames.poster(path, Self.options())
    #expect(try poster == VideoFrames.poster(path, Self.own))
  }

  @Test func `a damaged video gives the same frames and the same error`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) -c:v libx264 -pix_fmt yuv420p -bf 2")
    let whole = try bytes(path)
    let media = try #require(whole.firstRange(of: Array("mdat".utf8))).upperBound
    for position in [20, 300, 900, 1500] where media + position + 80 < whole.count {
      var spoilt = whole
      for index in 0..<60 { spoilt[media + position + index] ^= 0x5A }
      unlink(path)
      try OpenFile(creating: path).write(spoilt)
      // What several threads reconstruct depends on their speed.
      let expected = Self.frames(path, threads: 1, Self.own)
      let found = Self.frames(path, threads: 1, Self.options())
      #expect(found == expected, "\(position)")
    }
  }

  @Test func `packets that no decoder understands are the same error`() throws {
    let path = clips.file("in.mov")
    try OpenFile(creating: path).write(MovieFile().bytes)
    let expected = Self.frames(path, Self.own)
    #expect(expected.error != nil)
    #expect(Self.frames(path, Self.options()) == expected)
  }

  @Test func `a process decodes several videos`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let options = Self.options { $0.timeout = 59 }
    for number in 1...3 {
      #expect(Self.frames(path, options).frames.count == 10)
      let process = try #require(try DecoderProcess.ready(for: "video", options))
      #expect(process.picture == number)
      process.rest()
    }
  }

  @Test func `frames that are kept do not change`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let source = try VideoSource.open(OpenedMovie(path))
    let reader = try FrameReader(source, threads: 2, isSteady: false, Self.options())
    var kept: [DecodedFrame] = []
    while let frame = try reader.read() { kept.append(frame) }
    let expected = Self.frames(path, Self.own).frames
    try #require(kept.count == expected.count)
    for (frame, expected) in zip(kept, expected) {
      let color = try FrameColor(frame.facts, reader.track)
      let converter = try FrameConverter(
        operations: [], size: frame.size, orientation: .up, bytesPerSample: 1)
      #expect(try converter.image(of: frame, color) == expected.image)
    }
  }

  @Test func `cancellation ends it between frames`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let isCancelled = LockedValue(false)
    var options = Self.options()
    options.isCancelled = { isCancelled.withLock { $0 } }
    var reader = try VideoFrames.open(path, options)
    _ = try reader.next()
    isCancelled.withLock { $0 = true }
    #expect(throws: VideoError.self) { while try reader.next() != nil {} }
  }

  @Test func `without a program, only the policy that requires one refuses`() throws {
    let path = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    for program in [nil, "/nonexistent/photoedit", "/bin/true"] {
      var options = Self.options { $0.path = program }
      #expect {
        try VideoFrames.poster(path, options)
      } throws: {
        guard case .notConfined = $0 as? VideoError else { return false }
        return true
      }
      options.sandbox = .auto
      #expect(try VideoFrames.poster(path, options) == VideoFrames.poster(path, Self.own))
    }
  }

  @Test func `all that a process for videos must not do is refused`() throws {
    let process = try DecoderProcess.start(
      "video", DecoderProgram.Configuration(path: BuiltProgram.path))
    #expect(process.confinement.filtersCalls)
    for index in 0..<pe_attempt_count() {
      let error = try process.attempt(index)
      #expect(error == EPERM || error == EACCES, "\(String(cString: pe_attempt_name(index)))")
    }
  }
}
