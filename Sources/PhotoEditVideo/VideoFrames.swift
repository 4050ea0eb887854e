// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

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
    let source = try movie(VideoSource.open(path, isCancelled: isCancelled))
    let decoder = try FrameDecoder(source.track, threads: threads)
    return VideoFrames(source, decoder)
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
}
