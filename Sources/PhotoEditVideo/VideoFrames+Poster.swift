// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditFilters
import PhotoEditMovieFiles
public import PhotoEditPixels
import PhotoEditRendering

extension VideoFrames {
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
    var source = try movie(VideoSource.open(path, isCancelled: isCancelled))
    let track = source.track
    var decoder = try FrameDecoder(track, threads: 1, isHasty: true)
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
