// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
public import PhotoEditStorage

/// A libjpeg-turbo-based decoder for 8-bit JPEG that supports all coding processes, color models
/// and samplings of the library.
///
/// Delivers 8-bit gray or RGB, or CMYK if requested; otherwise CMYK is converted to RGB as
/// `(255 − ink) · (255 − black) / 255`. A file with Adobe's marker stores CMYK inverted. Calls
/// `jpeg_read_header`, `jpeg_start_decompress` and `jpeg_read_scanlines`, with the accurate integer
/// DCT and smooth chroma upsampling.
///
/// Most renderings use only its header: `JPEGEntropyDecoder` decodes the coefficients, and
/// `JPEGPixelReconstructor` or `JPEGPlaneReconstructor` the pixels. `readRows` does both at once,
/// for files with several scans or arithmetic coding, and for color conversion.
public final class JPEGDecoder: ImageDecoder {
  /// The properties of the image, as stored in the file.
  public let header: ImageHeader
  /// Components, tables and coding process.
  public let frame: JPEGFrame

  let handle: JPEGHandle
  private let hasCMYKSamples: Bool
  private let deliversCMYK: Bool
  var end = DecodingEnd()
  private let byteCount: Int

  /// Reads the header; rejects oversized and unsupported images before memory is allocated.
  public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
    if bytes.count == 0 { throw .empty }
    let start = try JPEGFrameHeader(bytes.buffer)
    try options.limits.check(start.size)
    handle = try JPEGHandle(
      bytes, options: options, maximumScans: options.limits.scans(for: start.size))
    var info = pe_jpeg_info()
    try handle.check(pe_jpeg_read_info(handle.pointer, &info), rows: nil)
    let size = PixelSize(width: Int(info.width), height: Int(info.height))
    guard size == start.size, info.component_count == start.componentCount else {
      throw .damaged(message: "contradictory frame headers", recoveredRows: nil, rows: nil)
    }
    frame = try JPEGFrame(handle, info: info, size: size)
    byteCount = bytes.count
    let isGray =
      frame.color == .gray || options.decodesLumaOnly && frame.color == .ycbcr
    hasCMYKSamples = frame.color == .cmyk || frame.color == .ycck
    deliversCMYK = hasCMYKSamples && options.deliversCMYK
    header = ImageHeader(
      format: .jpeg, size: options.scale.applied(to: size),
      layout: RowLayout(channels: isGray ? .gray : deliversCMYK ? .rgba : .rgb),
      sourceColor: frame.color, bitsPerSample: 8, isProgressive: frame.isProgressive)
  }

  /// The size up to which an image is accepted regardless of the file size.
  private static let pixelsOnTrust = 1 << 24

  /// Rejects a large image whose file has less than a bit per block, before memory is allocated.
  ///
  /// A truncated file may be too short, but not by that much.
  func checkBytes() throws(CodecError) {
    guard frame.size.pixelCount > Self.pixelsOnTrust, byteCount < frame.fewestBytes else { return }
    throw .damaged(
      message: "an image of \(frame.size) needs at least \(frame.fewestBytes) bytes, the file "
        + "has \(byteCount)",
      recoveredRows: nil, rows: nil)
  }

  /// A few rows; for a file with several scans or arithmetic coding, also all coefficients.
  public var workingBytes: Int {
    (frame.usesSplitDecoding ? 0 : frame.coefficientBytes)
      + frame.size.width * 8 * 5 * frame.mcuSize.height + (1 << 20)
  }

  /// Notices so far; complete once the last row is read.
  public var notices: [DecoderWarning] {
    let opening = DecoderWarning(
      kind: .convertedWithoutProfile, message: "CMYK was converted to RGB without a profile")
    return (hasCMYKSamples && !deliversCMYK ? [opening] : []) + handle.notices
  }
}
