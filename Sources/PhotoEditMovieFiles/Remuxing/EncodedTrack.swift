// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The format of encoded frames that replace those of a video.
package struct EncodedVideoFormat: Sendable {
  /// The FFmpeg codec name, such as "h264".
  package var codec: String
  /// The four-character code of its sample entry, such as "avc1".
  package var fourCC: String
  /// Width in coded pixels.
  package var width: Int
  /// Height in coded pixels.
  package var height: Int
  /// Width / height of a pixel; 0 if square.
  package var pixelAspect: (numerator: Int32, denominator: Int32)
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var primaries: Int32
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var transfer: Int32
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var colorMatrix: Int32
  /// Indicates whether luma uses the full range.
  package var isFullRange: Bool
  /// Codec configuration data for the decoder.
  package var setup: [UInt8]
  /// Indicates whether the frames already have their display orientation, regardless of the
  /// source's matrix.
  package var isOriented: Bool

  /// Creates a format.
  package init(
    codec: String, fourCC: String, width: Int, height: Int,
    pixelAspect: (numerator: Int32, denominator: Int32), primaries: Int32, transfer: Int32,
    colorMatrix: Int32, isFullRange: Bool, setup: [UInt8], isOriented: Bool
  ) {
    self.codec = codec
    self.fourCC = fourCC
    self.width = width
    self.height = height
    self.pixelAspect = pixelAspect
    self.primaries = primaries
    self.transfer = transfer
    self.colorMatrix = colorMatrix
    self.isFullRange = isFullRange
    self.setup = setup
    self.isOriented = isOriented
  }

  /// Indicates whether the encoder separates NAL units by start codes: ITU-T H.264, annex B.
  var hasStartCodes: Bool { setup.starts(with: [0, 0, 1]) || setup.starts(with: [0, 0, 0, 1]) }

  /// Returns the `stsd` box as libavformat writes it.
  func sampleDescription() throws(MovieError) -> BoxTree {
    var failure = pe_av_failure()
    var status = PE_AV_OK
    let capacity = MovieLimits.maximumTagBytes
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
      var size: Int32 = 0
      status = withDescription { description in
        withUnsafePointer(to: description) {
          pe_av_describe_encoded($0, memory.baseAddress, Int32(capacity), &size, &failure)
        }
      }
      count = status == PE_AV_OK ? Int(size) : 0
    }
    guard status == PE_AV_OK else {
      throw MovieError(status, failure, path: codec, doing: "describe the new frames")
    }
    let (boxes, _) = try BoxTree.children(of: BoxReader(bytes, name: "the sample description"))
    let header = boxes.first { $0.type == "moov" }
    guard let box = header?.descendant("trak", "mdia", "minf", "stbl", "stsd") else {
      throw .damaged("libavformat does not describe the new frames")
    }
    return box
  }

  /// Calls a closure with the C representation, which is valid only during the call.
  func withDescription<Result>(_ body: (pe_av_encoded) -> Result) -> Result {
    let tag = fourCC.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return codec.withCString { codec in
      setup.withUnsafeBufferPointer { setup in
        body(
          pe_av_encoded(
            codec: codec, tag: tag, width: Int32(width), height: Int32(height),
            pixel_numerator: pixelAspect.numerator, pixel_denominator: pixelAspect.denominator,
            primaries: primaries, transfer: transfer, color_matrix: colorMatrix,
            is_full_range: isFullRange ? 1 : 0, setup: setup.baseAddress,
            setup_size: Int32(setup.count), is_oriented: isOriented ? 1 : 0))
      }
    }
  }
}

/// The new frames that replace a stream, and the results of checking them after writing.
struct EncodedTrack: Sendable {
  let description: EncodedVideoFormat
  /// The index of the stream in the plan.
  var entryIndex: Int
  /// Presentation times in units of the source stream's timescale, in any order.
  var written: [Int64] = []
  /// The presentation times read back, in units of the written stream's timescale.
  var found: [Int64] = []

  init(_ description: EncodedVideoFormat, entryIndex: Int) {
    self.description = description
    self.entryIndex = entryIndex
  }

  /// Compares the written stream with the source.
  ///
  /// - Throws: `verificationFailed` naming the first property that differs.
  func requireSame(
    _ entry: RemuxPlan.Entry, as stream: DemuxedStream, _ track: TrackLayout,
    sourceLayout: MovieLayout?, _ result: MovieLayout
  ) throws(MovieError) {
    try require(
      track.width == description.width && track.height == description.height,
      "has \(track.width)×\(track.height) pixels instead of "
        + "\(description.width)×\(description.height)")
    try require(stream.codec == description.codec, "has codec \(stream.codec)")
    try require(
      found.count == written.count, "has \(found.count) of \(written.count) frames")
    try requireSameTimes(entry.source, as: stream, track, sourceLayout: sourceLayout, result)
    let expected = description.isOriented ? .identity : entry.displayMatrix(sourceLayout)
    try require(track.matrix.times(result.matrix) == expected, "has a different display matrix")
  }

  private func requireSameTimes(
    _ source: DemuxedStream, as stream: DemuxedStream, _ track: TrackLayout,
    sourceLayout: MovieLayout?, _ result: MovieLayout
  ) throws(MovieError) {
    let old = sourceLayout?.track(of: source)
    let before = old?.offset(movieTimescale: sourceLayout?.timescale ?? 0) ?? 0
    let after = track.offset(movieTimescale: result.timescale)
    // One unit of the movie's timescale, which edit lists use.
    let tolerance = 1 / Double(max(result.timescale, 1)) + 0.0005
    for (old, new) in zip(written.sorted(), found.sorted()) {
      let seconds = stream.seconds(new) + after - source.seconds(old) - before
      try require(
        abs(seconds) <= tolerance,
        "shows the frame at \(milliseconds(source.seconds(old) + before)) ms "
          + "\(milliseconds(seconds)) ms later")
    }
  }

  private func require(_ isSame: Bool, _ what: String) throws(MovieError) {
    guard isSame else { throw .verificationFailed("the video stream \(what)") }
  }
}
