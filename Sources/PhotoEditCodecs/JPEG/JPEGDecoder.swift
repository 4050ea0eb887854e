// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
public import PhotoEditStorage

/// Reads an 8-bit JPEG with libjpeg-turbo: every coding process, colour and sampling it knows.
///
/// Delivers 8-bit gray or RGB, or inks where they are asked for; else these become RGB as
/// `(255 − ink) · (255 − black) / 255`. A file with Adobe's marker stores them inverted.
/// Calls `jpeg_read_header`, `jpeg_start_decompress` and `jpeg_read_scanlines`, with the accurate
/// integer DCT and smooth chroma upsampling.
public final class JPEGDecoder: ImageDecoder {
  /// What the file says of its picture.
  public let header: ImageHeader
  /// Components, tables and coding process.
  public let frame: JPEGFrame

  let handle: JPEGHandle
  private let hasInk: Bool
  private let deliversInks: Bool
  private var end = DecodingEnd()
  private let byteCount: Int

  /// Reads the header; refuses what is too large or of an unknown kind before memory is reserved.
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
      throw .damaged(message: "two frame headers disagree", realRows: nil, rows: nil)
    }
    frame = try JPEGFrame(handle, info: info, size: size)
    byteCount = bytes.count
    let isGray =
      frame.color == .gray || options.decodesLumaOnly && frame.color == .ycbcr
    hasInk = frame.color == .cmyk || frame.color == .ycck
    deliversInks = hasInk && options.deliversInks
    header = ImageHeader(
      format: .jpeg, size: options.scale.applied(to: size),
      layout: RowLayout(channels: isGray ? .gray : deliversInks ? .rgba : .rgb),
      sourceColor: frame.color, bitsPerSample: 8, isProgressive: frame.isProgressive)
  }

  /// How large a picture may be however short its file is.
  private static let pixelsOnTrust = 1 << 24

  /// Refuses a large picture that the file has not even a bit a block for, before memory is reserved.
  ///
  /// One that was cut off may be short of bytes, but not by so much.
  func checkBytes() throws(CodecError) {
    guard frame.size.pixelCount > Self.pixelsOnTrust, byteCount < frame.fewestBytes else { return }
    throw .damaged(
      message: "a picture of \(frame.size) takes \(frame.fewestBytes) bytes or more, the file "
        + "has \(byteCount)",
      realRows: nil, rows: nil)
  }

  /// Some rows; of a file with several scans or arithmetic codes, all coefficients.
  public var workingBytes: Int {
    (frame.isReadInHalves ? 0 : frame.coefficientBytes)
      + frame.size.width * 8 * 5 * frame.mcuSize.height + (1 << 20)
  }

  /// What was found so far; complete once the last row is read.
  public var notices: [CodecNotice] {
    let opening = CodecNotice(
      kind: .convertedWithoutProfile, message: "the inks were converted to RGB without a profile")
    return (hasInk && !deliversInks ? [opening] : []) + handle.notices
  }

  /// Decodes the next rows and returns how many were written; 0 at the end.
  public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let wanted = checkRows(count, bytesPerRow: bytesPerRow)
    try end.check()
    try checkBytes()
    var written: Int32 = 0
    let code = pe_jpeg_read_rows(
      handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, wanted, &written)
    try end.keep(handle.check(code, rows: header.size.height))
    return Int(written)
  }
}
