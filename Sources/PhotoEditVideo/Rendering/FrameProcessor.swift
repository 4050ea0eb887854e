// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditRendering
import PhotoEditStorage

/// The processing of each decoded frame, prepared once; used by many threads at once.
struct FrameProcessor: Sendable {
  /// The size of the results before they are cropped for the encoder.
  let resultSize: PixelSize
  /// Indicates whether results have their orientation applied, regardless of the frames.
  let isOriented: Bool
  private let kind: Kind

  private enum Kind: Sendable {
    case planes(FrameRenderer)
    case frames(FrameConverter, @Sendable (VideoFrame) throws -> ImageBuffer)
  }

  /// Prepares an edit for frames like the first one.
  ///
  /// - Parameters:
  ///   - first: The first frame, for the caller's code, whose result size is known only by running
  ///     it.
  ///   - stillSize: The size that the graph's lengths refer to; nil for that of the frames.
  init(
    _ edit: VideoEdit, first: DecodedFrame, _ color: FrameColor, _ track: VideoTrack,
    _ render: RenderOptions, stillSize: PixelSize? = nil
  ) throws(VideoError) {
    let orientation = track.orientation ?? .up
    switch edit {
    case .graph(let graph):
      let renderer = try rendering(
        FrameRenderer(
          planes: graph, size: first.size, orientation: orientation, space: color.space,
          primaries: color.filterPrimaries,
          scale: stillSize.map { Double(first.size.longEdge) / Double(max(1, $0.longEdge)) } ?? 1,
          options: render))
      isOriented = renderer.resultOrientation == .up
      if isOriented && track.orientation == nil && renderer.movesPixels {
        throw .unsupported(
          "the display matrix is not a multiple of 90°; "
            + "geometric filters are not supported for this video")
      }
      resultSize = renderer.outputSize
      kind = .planes(renderer)
    case .frames(let process):
      guard track.orientation != nil else {
        throw .unsupported("the display matrix is not a multiple of 90°, which is not supported")
      }
      let converter = try FrameConverter(
        operations: [], size: first.size, orientation: orientation,
        bytesPerSample: first.facts.bits > 8 ? 2 : 1)
      isOriented = true
      kind = .frames(converter, process)
      resultSize = try Self.process(first, converter, process, color, track).size
    }
  }

  /// Indicates whether the edit changes the shape or position of anything.
  var movesPixels: Bool {
    switch kind {
    case .planes(let renderer): renderer.movesPixels
    case .frames: true
    }
  }

  /// Processes a frame and writes the result to an encoder's frame.
  ///
  /// - Parameters:
  ///   - size: The size of the encoder's frames.
  ///   - output: The color properties of the encoder's frames.
  func run(
    _ frame: DecodedFrame, _ color: FrameColor, _ track: VideoTrack, into target: EncodableFrame,
    size: PixelSize, _ output: pe_codec_color
  ) throws(VideoError) {
    let failure = LockedValue<VideoError?>(nil)
    switch kind {
    case .planes(let renderer):
      try rendering(
        renderer.run(reading: frame.rows(color)) { rows, memory in
          do throws(VideoError) {
            try target.write(
              rows, planes: renderer.outputPlanes, width: renderer.outputSize.width, of: size,
              output, from: memory)
          } catch {
            failure.withLock { $0 = error }
          }
        })
    case .frames(let converter, let process):
      let image = try Self.process(frame, converter, process, color, track)
      guard image.size == resultSize else {
        throw .unsupported("frame size changes from \(resultSize) to \(image.size)")
      }
      try image.write(to: target, size: size, output)
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private static func process(
    _ frame: DecodedFrame, _ converter: FrameConverter,
    _ process: (VideoFrame) throws -> ImageBuffer, _ color: FrameColor, _ track: VideoTrack
  ) throws(VideoError) -> ImageBuffer {
    let input = VideoFrame(
      image: try converter.image(of: frame, color),
      time: track.seconds(frame.facts.presentation) + track.offset,
      isKey: frame.facts.is_key != 0)
    do {
      return try process(input)
    } catch let error as VideoError {
      throw error
    } catch {
      throw .unsupported("a frame could not be processed: \(error)")
    }
  }
}

extension ImageBuffer {
  /// Writes the rows of the image to an encoder's frame, as floats.
  fileprivate func write(
    to target: EncodableFrame, size: PixelSize, _ color: pe_codec_color
  ) throws(VideoError) {
    let planes = layout.channels.colorCount
    let width = self.size.width
    var floats = [Float](repeating: 0, count: 2 * planes * width)
    for first in stride(from: 0, to: self.size.height, by: 2) {
      let rows = first..<min(first + 2, self.size.height)
      for y in rows {
        for channel in 0..<planes {
          let start = ((y - first) * planes + channel) * width
          for x in 0..<width {
            floats[start + x] = Float(self[x: x, y: y, channel: channel]) / Float(maximum)
          }
        }
      }
      var failure: VideoError?
      floats.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        do throws(VideoError) {
          try target.write(rows, planes: planes, width: width, of: size, color, from: base)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }
}
