// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Synchronization
import Testing

extension RenderedMovieTests {
  @Test func `two video tracks are rejected`() throws {
    let source = try clips.make(
      "a.mov", "\(Clips.chart) \(Clips.h264) -map 0:v -map 0:v")
    let error = #expect(throws: VideoError.self) { try render(source, [Grayscale(.luma601)]) }
    #expect("\(try #require(error))".contains("2 video tracks"))
    #expect(try !clips.names.contains("out.mov"))
  }

  // MARK: Cancellation and damage

  @Test(arguments: [0, 3, 20, 60]) func `cancellation leaves no files`(calls: Int) throws {
    let source = try clips.make(
      "a.mov",
      "-f lavfi -i testsrc=size=64x48:rate=25:duration=4 \(Clips.h264)")
    let left = Atomic(calls)
    let stop: @Sendable () -> Bool = {
      left.wrappingSubtract(1, ordering: .relaxed).newValue < 0
    }
    let error = #expect(throws: VideoError.self) {
      try VideoRenderer.run(
        from: source, .graph(FilterGraph([Grayscale(.luma601)])), to: clips.file("out.mov"),
        options: Self.quick, isCancelled: stop)
    }
    guard case .cancelled? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(try clips.names == ["a.mov"])
  }

  @Test func `progress counts every frame`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let seen = LockedValue<[Int]>([])
    _ = try VideoRenderer.run(
      from: source, .graph(FilterGraph([Grayscale(.luma601)])), to: clips.file("out.mov"),
      options: Self.quick,
      progress: { progress in
        seen.withLock { $0.append(progress.frames) }
        #expect(progress.frameCount == 10)
      })
    #expect(seen.withLock { $0 } == Array(1...10))
  }

  @Test func `truncated and modified files cause an error and leave no files`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264) -movflags +faststart")
    let whole = try bytes(source)
    for share in [0.05, 0.3, 0.6, 0.9, 0.99] {
      let path = try write(Array(whole.prefix(Int(Double(whole.count) * share))))
      #expect(throws: VideoError.self) { try render(path, [Grayscale(.luma601)]) }
      #expect(try clips.names == ["a.mov", "damaged.mov"])
    }
    // Noise instead of the frames: for any result, no partial output remains.
    let start = try #require(
      whole.indices.dropLast(4).first { Array(whole[$0..<$0 + 4]) == Array("mdat".utf8) })
    var noisy = whole
    for index in stride(from: start + 8, to: whole.count, by: 3) {
      noisy[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7)
    }
    let path = try write(noisy)
    do {
      try render(path, [Grayscale(.luma601)])
    } catch is VideoError {
      #expect(try clips.names == ["a.mov", "damaged.mov"])
    }
  }

  /// Renders and returns the samples and the losses; nil if the file is refused as damaged.
  private func rendered(_ path: String) throws -> (samples: [UInt8], losses: [String])? {
    unlink(clips.file("out.mov"))
    do {
      let report = try render(path, [Grayscale(.luma601)])
      return (try clips.samples(clips.file("out.mov"), "gray"), report.losses)
    } catch VideoError.damaged {
      return nil
    }
  }

  /// Videos of which all data after the first frame's head is replaced in places.
  @Test(arguments: [
    "mjpeg -q:v 3", "libx264 -preset ultrafast -bf 2",
    "libx265 -preset ultrafast -x265-params log-level=none",
  ])
  func `damaged frames are listed, and two runs give the same ones`(codec: String) throws {
    let chart = "-f lavfi -i testsrc2=size=160x128:rate=10:duration=0.6"
    let source = try clips.make("a.mov", "\(chart) -pix_fmt yuv420p -c:v \(codec)")
    let other = try clips.make(
      "b.mov", "-f lavfi -i mandelbrot=size=160x128:rate=10 -t 0.6 -pix_fmt yuv420p -c:v \(codec)")
    let whole = try bytes(source)
    let start = try #require(
      whole.indices.dropLast(4).first { Array(whole[$0..<$0 + 4]) == Array("mdat".utf8) })
    let size = whole[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    var random = SeededNumbers(31)
    var (damagedCount, reported, listed) = (0, 0, 0)
    for number in 0..<SeededNumbers.cases(12) {
      var damaged = whole
      let position = start + size / 3 + random.below(size / 2)
      for index in position..<position + 40 { damaged[index] = UInt8(random.below(256)) }
      let path = try write(damaged)
      let first = try rendered(path)
      _ = try rendered(other)
      let second = try rendered(path)
      #expect(first?.samples == second?.samples, "case \(number)")
      #expect(first?.losses == second?.losses)
      guard let first else { continue }
      if first.losses.contains(where: { $0.contains("(the first at ") }) { listed += 1 }
      damagedCount += 1
      if first.losses.contains(where: { $0.contains("damaged") }) { reported += 1 }
    }
    // Codes of other blocks are as good as those without damage: an H.265 slice with other content,
    // and rarely a scan of a JPEG.
    if codec.contains("mjpeg") {
      #expect(listed > 0 && reported * 10 >= damagedCount * 8, "\(reported) of \(damagedCount)")
    }
    #expect(try rendered(source)?.losses.contains { $0.contains("damaged") } == false)
  }

  private func write(_ bytes: [UInt8]) throws -> String {
    let path = clips.file("damaged.mov")
    unlink(path)
    let file = try OpenFile(creating: path)
    let content = FileBytes(bytes)
    try withExtendedLifetime(content) { try file.write(content.buffer) }
    return path
  }

  @Test func `an existing file is not overwritten`() throws {
    let source = try clips.make("a.mov", "\(Clips.chart) \(Clips.h264)")
    let before = try bytes(source)
    #expect(throws: VideoError.self) { try render(source, [Grayscale(.luma601)], "a.mov") }
    #expect(try bytes(source) == before)
  }
}
