// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditMovieFiles
import PhotoEditPixels

/// What the encoder is given for some frames, and what gets lost by that.
struct EncodingPlan: Sendable {
  let settings: FrameEncoder.Settings
  private(set) var losses: [String] = []

  /// - Parameters:
  ///   - first: A frame of the source.
  ///   - work: What is done with frames.
  ///   - duration: Ticks of the first frame; 0 when unknown.
  init(
    first: DecodedFrame, _ color: FrameColor, _ track: VideoTrack, _ work: FrameWork,
    duration: Int64, _ options: VideoOptions, threads: Int
  ) throws(VideoError) {
    let facts = first.facts
    let size = try Self.evenSize(work.resultSize, &losses)
    let aspect = Self.pixelAspect(facts, track)
    if aspect.numerator != aspect.denominator, work.movesPixels {
      throw .unsupported(
        "its pixels are not square, and what moves pixels would change their shape")
    }
    settings = FrameEncoder.Settings(
      size: size, bits: Self.bits(facts, options.codec, &losses), tick: track.tick,
      rate: Self.rate(track, duration: duration), pixelAspect: aspect,
      color: Self.color(facts, color, hasOtherSize: work.resultSize != first.size),
      threads: threads)
    if facts.is_rgb != 0 || (facts.is_gray == 0 && facts.chroma_shift_x == 0) {
      losses.append("colour has half of its resolution across and down: 4:2:0 instead of 4:4:4")
    } else if facts.is_gray == 0, facts.chroma_shift_y == 0 {
      losses.append("colour has half of its resolution down: 4:2:0 instead of 4:2:2")
    }
    if facts.has_alpha != 0 { losses.append("transparency is left out") }
    if facts.is_interlaced != 0 {
      losses.append("fields are kept as lines of frames, which are no longer marked as interlaced")
    }
    if color.isHighDynamicRange {
      losses.append("filters took the numbers of high dynamic range as they are")
    }
  }

  /// 4:2:0 has a sample of colour for two columns and two rows: the last odd ones are cut off.
  private static func evenSize(
    _ size: PixelSize, _ losses: inout [String]
  ) throws(VideoError) -> PixelSize {
    let even = PixelSize(width: size.width / 2 * 2, height: size.height / 2 * 2)
    guard !even.isEmpty else {
      throw .unsupported("frames of \(size) are too small to be encoded; two by two are needed")
    }
    if even.width != size.width { losses.append("the last column of \(size) is cut off") }
    if even.height != size.height { losses.append("the last row of \(size) is cut off") }
    return even
  }

  private static func bits(
    _ facts: pe_frame_facts, _ codec: VideoCodec, _ losses: inout [String]
  ) -> Int {
    let bits = Int(facts.bits)
    if bits <= 8 { return 8 }
    let most = codec == .h264 ? 10 : 12
    let kept = bits <= 10 ? 10 : most
    if bits > kept { losses.append("\(bits) bits a sample became \(kept)") }
    return kept
  }

  private static func pixelAspect(
    _ facts: pe_frame_facts, _ track: VideoTrack
  ) -> (numerator: Int32, denominator: Int32) {
    if track.pixelAspect.numerator > 0, track.pixelAspect.denominator > 0 {
      return track.pixelAspect
    }
    guard facts.pixel_numerator > 0, facts.pixel_denominator > 0 else { return (1, 1) }
    return (facts.pixel_numerator, facts.pixel_denominator)
  }

  /// Frames a second if all were like the first one.
  private static func rate(
    _ track: VideoTrack, duration: Int64
  ) -> (numerator: Int32, denominator: Int32) {
    let (ticks, overflows) = duration.multipliedReportingOverflow(by: Int64(track.tick.numerator))
    guard !overflows, ticks > 0, track.tick.denominator > 0 else { return (0, 0) }
    var (a, b) = (Int64(track.tick.denominator), ticks)
    while b != 0 { (a, b) = (b, a % b) }
    let (numerator, denominator) = (Int64(track.tick.denominator) / a, ticks / a)
    guard let numerator = Int32(exactly: numerator), let denominator = Int32(exactly: denominator)
    else { return (0, 0) }
    return (numerator, denominator)
  }

  /// The tags of the source; what players guessed from its size is said where that has changed.
  private static func color(
    _ facts: pe_frame_facts, _ color: FrameColor, hasOtherSize: Bool
  ) -> pe_codec_colour {
    let isRGB = facts.is_rgb != 0
    let isGuess = color.matrix != color.effectiveMatrix
    return pe_codec_colour(
      primaries: color.primaries, transfer: color.transfer,
      matrix: isGuess && (isRGB || hasOtherSize) ? color.effectiveMatrix : color.matrix,
      is_full_range: color.isFullRange && !isRGB ? 1 : 0, chroma_location: 0)
  }
}
