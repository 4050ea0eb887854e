// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec

/// The encoder settings for some frames, and the resulting losses.
struct EncodingPlan: Sendable {
  let settings: FrameEncoder.Settings
  private(set) var losses: [String] = []

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - first: A frame of the source.
  ///   - work: The processing of the frames.
  ///   - duration: The duration of the first frame in timescale units; 0 if unknown.
  init(
    first: DecodedFrame, _ color: FrameColor, _ track: VideoTrack, _ work: FrameProcessor,
    duration: Int64, _ options: VideoOptions, threads: Int
  ) throws(VideoError) {
    let facts = first.facts
    let size = try Self.evenSize(work.resultSize, &losses)
    let aspect = Self.pixelAspect(facts, track)
    if aspect.numerator != aspect.denominator, work.movesPixels {
      throw .unsupported(
        "geometric filters are not supported for videos with non-square pixels")
    }
    settings = FrameEncoder.Settings(
      size: size, bits: Self.bits(facts, options.codec, &losses), timeBase: track.timeBase,
      rate: Self.rate(track, duration: duration), pixelAspect: aspect,
      color: Self.color(facts, color, hasOtherSize: work.resultSize != first.size),
      threads: threads)
    if facts.is_rgb != 0 || (facts.is_gray == 0 && facts.chroma_shift_x == 0) {
      losses.append("half of the chroma resolution in both dimensions (4:2:0 instead of 4:4:4)")
    } else if facts.is_gray == 0, facts.chroma_shift_y == 0 {
      losses.append("half of the vertical chroma resolution (4:2:0 instead of 4:2:2)")
    }
    if facts.has_alpha != 0 { losses.append("transparency") }
    if facts.is_interlaced != 0 {
      losses.append("the fields of interlaced video, which become progressive frames")
    }
    if color.isHighDynamicRange {
      losses.append("the appearance of high-dynamic-range values, filtered without conversion")
    }
  }

  /// Returns an even size: 4:2:0 has a chroma sample for two columns and two rows, so the last odd
  /// ones are cropped.
  private static func evenSize(
    _ size: PixelSize, _ losses: inout [String]
  ) throws(VideoError) -> PixelSize {
    let even = PixelSize(width: size.width / 2 * 2, height: size.height / 2 * 2)
    guard !even.isEmpty else {
      throw .unsupported("frames of \(size) are too small to be encoded; at least 2×2 is required")
    }
    if even.width != size.width { losses.append("the last column of \(size)") }
    if even.height != size.height { losses.append("the last row of \(size)") }
    return even
  }

  private static func bits(
    _ facts: pe_frame_facts, _ codec: VideoCodec, _ losses: inout [String]
  ) -> Int {
    let bits = Int(facts.bits)
    if bits <= 8 { return 8 }
    let most = codec == .h264 ? 10 : 12
    let kept = bits <= 10 ? 10 : most
    if bits > kept { losses.append("\(bits - kept) of \(bits) bits per sample") }
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

  /// Returns the frame rate if all frames had the duration of the first one.
  private static func rate(
    _ track: VideoTrack, duration: Int64
  ) -> (numerator: Int32, denominator: Int32) {
    let (scaledDuration, overflows) = duration.multipliedReportingOverflow(
      by: Int64(track.timeBase.numerator))
    guard !overflows, scaledDuration > 0, track.timeBase.denominator > 0 else { return (0, 0) }
    var (a, b) = (Int64(track.timeBase.denominator), scaledDuration)
    while b != 0 { (a, b) = (b, a % b) }
    let (numerator, denominator) = (Int64(track.timeBase.denominator) / a, scaledDuration / a)
    guard let numerator = Int32(exactly: numerator), let denominator = Int32(exactly: denominator)
    else { return (0, 0) }
    return (numerator, denominator)
  }

  /// Returns the tags of the source; a matrix guessed from the source's size is stated explicitly
  /// if the size changes or the source is RGB.
  private static func color(
    _ facts: pe_frame_facts, _ color: FrameColor, hasOtherSize: Bool
  ) -> pe_codec_color {
    let isRGB = facts.is_rgb != 0
    let isGuess = color.matrix != color.effectiveMatrix
    return pe_codec_color(
      primaries: color.primaries, transfer: color.transfer,
      matrix: isGuess && (isRGB || hasOtherSize) ? color.effectiveMatrix : color.matrix,
      is_full_range: color.isFullRange && !isRGB ? 1 : 0, chroma_location: 0)
  }
}
