// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
package import PhotoEditCodecs

/// The frames of a video, one after the other; libavcodec is loaded when the first video is opened.
///
/// Supports any video that `PassthroughExport.inspect` reads, of any codec that libavcodec decodes;
/// the first video track is used.
public struct VideoFrames: ~Copyable {
  private var source: VideoSource
  private var decoder: FrameDecoder
  private let orientation: Orientation
  /// The conversion to RGB, with the orientation applied, for frames like the last one.
  private var prepared: (kind: Kind, converter: FrameConverter)?

  private struct Kind: Hashable {
    var size: PixelSize
    var color: FrameColor
    var isDeep: Bool
  }

  /// The number of frames that the movie states; nil if it is known only by reading them.
  public var count: Int? { source.track.frames }
  /// The duration of the video track in seconds; 0 if unknown.
  public var duration: Double { source.track.duration }

  /// Opens a video.
  ///
  /// - Parameters:
  ///   - path: The path of the video; its format is determined by content and not by name.
  ///   - threads: The number of decoder threads.
  ///   - isCancelled: Called between packets; true ends reading with `VideoError.cancelled`.
  /// - Throws: `VideoError`.
  public static func open(
    _ path: String, threads: Int = 2, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(VideoError) -> VideoFrames {
    try open(path, threads: threads, DecoderOptions(isCancelled: isCancelled))
  }

  /// Opens a video with a policy on confined processes and the caller's cancellation.
  package static func open(
    _ path: String, threads: Int = 2, _ options: DecoderOptions
  ) throws(VideoError) -> VideoFrames {
    let source = try movie(source(path, options))
    let settings = FrameDecoder.Settings(threads: threads)
    let decoder = try FrameDecoder(source.track, settings, options)
    return VideoFrames(source, decoder)
  }

  private static func source(
    _ path: String, _ options: DecoderOptions
  ) throws(MovieError) -> VideoSource {
    let isCancelled = options.isCancelled ?? { false }
    return try VideoSource.open(
      OpenedMovie(path, isCancelled: isCancelled), isCancelled: isCancelled)
  }

  private init(_ source: consuming VideoSource, _ decoder: consuming FrameDecoder) {
    orientation = source.track.orientation ?? .up
    self.source = source
    self.decoder = decoder
  }

  /// Returns the next frame in presentation order; nil after the last one.
  ///
  /// - Throws: `VideoError.damaged`, `cancelled` and others.
  public mutating func next() throws(VideoError) -> VideoFrame? {
    guard let frame = try decoder.next(from: &source) else { return nil }
    let kind = Kind(
      size: frame.size, color: try FrameColor(frame.facts, source.track),
      isDeep: frame.facts.bits > 8)
    if prepared?.kind != kind {
      prepared = (
        kind,
        try FrameConverter(
          operations: [], size: kind.size, orientation: orientation,
          bytesPerSample: kind.isDeep ? 2 : 1)
      )
    }
    guard let converter = prepared?.converter else { throw .outOfMemory }
    return VideoFrame(
      image: try converter.image(of: frame, kind.color),
      time: source.track.seconds(frame.facts.presentation) + source.track.offset,
      isKey: frame.facts.is_key != 0)
  }

  /// Returns the first frame that can be decoded on its own, for thumbnails: orientation applied,
  /// with square pixels, in sRGB.
  ///
  /// High dynamic range is tone mapped to the range of a standard display.
  ///
  /// - Parameters:
  ///   - path: The path of the video, as for `open`.
  ///   - box: The size that the image must fit into, keeping its aspect ratio; nil for all its
  ///     pixels. The image is never enlarged.
  ///   - isCancelled: Called between packets; true ends reading with `VideoError.cancelled`.
  /// - Returns: RGB with 8 bits per sample.
  /// - Throws: `VideoError`.
  public static func poster(
    _ path: String, fitting box: PixelSize? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(VideoError) -> ImageBuffer {
    try poster(path, fitting: box, DecoderOptions(isCancelled: isCancelled))
  }

  /// Returns the same image, with a policy on confined processes and the caller's cancellation.
  package static func poster(
    _ path: String, fitting box: PixelSize? = nil, _ options: DecoderOptions
  ) throws(VideoError) -> ImageBuffer {
    var source = try movie(source(path, options))
    let track = source.track
    var decoder = try FrameDecoder(
      track, FrameDecoder.Settings(threads: 1, isHasty: true), options)
    guard let frame = try decoder.next(from: &source) else {
      throw .damaged(time: nil, reason: "no frame can be decoded")
    }
    let color = try FrameColor(frame.facts, track)
    let orientation = track.orientation ?? .up
    let shown = orientation.applied(to: frame.squareSize(track))
    let size = box.map { shown.fitted(into: $0) } ?? shown
    var operations: [FilterOperation] = []
    if size != orientation.applied(to: frame.size) {
      operations.append(.resample(Resampling(size: size, kernel: .lanczos3)))
    }
    operations += color.stepsToSRGB
    let converter = try FrameConverter(
      operations: operations, size: frame.size, orientation: orientation, bytesPerSample: 1)
    return try converter.image(of: frame, color)
  }
}

extension DecodedFrame {
  /// Returns the size with square pixels: the longer side of a pixel is reduced to the shorter one.
  func squareSize(_ track: VideoTrack) -> PixelSize {
    var (across, down) = (Int(facts.pixel_numerator), Int(facts.pixel_denominator))
    // Containers are more reliable than some codecs.
    if track.pixelAspect.numerator > 0, track.pixelAspect.denominator > 0 {
      (across, down) = (Int(track.pixelAspect.numerator), Int(track.pixelAspect.denominator))
    }
    guard across > 0, down > 0, across != down, across < 1 << 16, down < 1 << 16 else {
      return size
    }
    let ratio = Double(across) / Double(down)
    guard (0.05...20).contains(ratio) else { return size }
    return ratio < 1
      ? PixelSize(width: max(1, Int((Double(size.width) * ratio).rounded())), height: size.height)
      : PixelSize(width: size.width, height: max(1, Int((Double(size.height) / ratio).rounded())))
  }
}

/// One frame of a video.
public struct VideoFrame: Sendable, Hashable {
  /// RGB with the orientation applied, 8 bits per sample, or 16 if the video has more than 8; in
  /// the video's own color space.
  public let image: ImageBuffer
  /// The presentation time in seconds from the start of the video; negative if an edit list hides
  /// the frame.
  public let time: Double
  /// Indicates whether it can be decoded on its own.
  public let isKey: Bool
}
