// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
public import PhotoEditStorage

/// A libjpeg-turbo-based decoder for 8-bit JPEG that supports all coding processes, color models
/// and samplings of the library.
///
/// Delivers 8-bit gray or RGB, or CMYK if requested; otherwise CMYK is converted to RGB as
/// `(255 − ink) · (255 − black) / 255`. Files store CMYK inverted, with or without Adobe's marker.
/// Calls `jpeg_read_header`, `jpeg_start_decompress` and `jpeg_read_scanlines`, with the accurate
/// integer DCT and smooth chroma upsampling.
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
      throw .damaged("contradictory frame headers")
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
      "an image of \(frame.size) needs at least \(frame.fewestBytes) bytes, the file "
        + "has \(byteCount)")
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

/// Entropy decoding and reconstruction in one step.
extension JPEGDecoder {
  /// Decodes the next rows and returns the number of rows written; 0 at the end.
  public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let requested = checkRows(count, bytesPerRow: bytesPerRow)
    try end.check()
    try checkBytes()
    var written: Int32 = 0
    let code = pe_jpeg_read_rows(
      handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, requested, &written)
    try end.keep(handle.check(code, rows: header.size.height))
    return Int(written)
  }
}

/// The owner of a libjpeg decoder; keeps its memory alive.
///
/// Must not be used by several threads at the same time: the library's structures have no locks.
final class JPEGHandle {
  let pointer: OpaquePointer
  private let bytes: FileBytes
  private let probe: CancellationContext
  private let maximumScans: Int

  init(_ bytes: FileBytes, options: DecoderOptions, maximumScans: Int) throws(CodecError) {
    let probe = CancellationContext(options.isCancelled)
    var choices = pe_jpeg_options()
    choices.maximum_scans = Int32(clamping: maximumScans)
    choices.is_lenient = options.isLenient ? 1 : 0
    choices.luma_only = options.decodesLumaOnly ? 1 : 0
    choices.delivers_cmyk = options.deliversCMYK ? 1 : 0
    choices.scale_denominator = Int32(options.scale.rawValue)
    choices.cancelled = probe.isNeeded ? CancellationContext.callback : nil
    choices.cancel_context = probe.context
    let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let pointer = pe_jpeg_create(base, bytes.count, &choices) else { throw .outOfMemory }
    (self.pointer, self.bytes, self.probe) = (pointer, bytes, probe)
    self.maximumScans = maximumScans
  }

  deinit { pe_jpeg_destroy(pointer) }

  /// Passes the bytes of the file to a body.
  func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    defer { withExtendedLifetime(bytes) {} }
    return try body(bytes.buffer)
  }

  /// Converts the code of a call to an error; `rows` is the height, if known.
  func check(_ code: pe_jpeg_code, rows: Int?) throws(CodecError) {
    switch code {
    case .PE_JPEG_OK: return
    case .PE_JPEG_DAMAGED:
      throw .damaged(message: message, recoveredRows: rows == nil ? nil : recoveredRows, rows: rows)
    case .PE_JPEG_UNSUPPORTED: throw .unsupported("a JPEG that libjpeg rejects (\(message))")
    case .PE_JPEG_TOO_MANY_SCANS:
      throw .limitExceeded(.scans, value: maximumScans + 1, allowed: maximumScans)
    case .PE_JPEG_OUT_OF_MEMORY: throw .outOfMemory
    case .PE_JPEG_CANCELLED: throw .cancelled
    case .PE_JPEG_CANNOT_ENCODE: throw .encoding(message)
    }
  }

  private var message: String { String(cString: pe_jpeg_message(pointer)) }

  private var recoveredRows: Int? {
    let rows = pe_jpeg_recovered_rows(pointer)
    return rows < 0 ? nil : Int(rows)
  }

  /// The warnings of the library so far.
  var notices: [DecoderWarning] {
    (0..<pe_jpeg_notice_count(pointer)).compactMap { index in
      var kind = pe_jpeg_notice_kind.PE_JPEG_NOTICE_HARMLESS
      guard let text = pe_jpeg_notice_at(pointer, index, &kind) else { return nil }
      let message = String(cString: text)
      switch kind {
      case .PE_JPEG_NOTICE_HARMLESS: return DecoderWarning(kind: .harmless, message: message)
      case .PE_JPEG_NOTICE_UNREFINED: return DecoderWarning(kind: .unrefined, message: message)
      case .PE_JPEG_NOTICE_DAMAGE:
        return DecoderWarning(kind: .filled, message: message, recoveredRows: recoveredRows)
      }
    }
  }
}

/// Reads the quantized coefficients of a JPEG, one array per component.
///
/// Blocks are stored row by row, with 64 values each; value `8·v + u` has vertical frequency `v`
/// and horizontal frequency `u`. Blocks that only pad the last MCU are omitted.
package func jpegCoefficients(_ bytes: FileBytes) throws(CodecError) -> [[Int16]] {
  let decoder = try JPEGDecoder(bytes)
  let handle = decoder.handle
  let rows = decoder.frame.size.height
  try handle.check(pe_jpeg_read_coefficients(handle.pointer), rows: rows)
  var planes: [[Int16]] = []
  for index in decoder.frame.components.indices {
    let component = pe_jpeg_component_at(handle.pointer, Int32(index))
    let count = Int(component.width_in_blocks) * Int(component.height_in_blocks) * 64
    var plane = [Int16](repeating: 0, count: count)
    try handle.check(
      pe_jpeg_copy_coefficients(handle.pointer, Int32(index), &plane), rows: rows)
    planes.append(plane)
  }
  return planes
}

/// Returns whether a JPEG shows signs of damage, also such as decoders conceal.
///
/// For the frames of videos, which are decoded elsewhere. Only the coefficients are decoded.
package func isJPEGDamaged(_ bytes: FileBytes) -> Bool {
  do throws(CodecError) {
    let handle = try JPEGDecoder(bytes).handle
    try handle.check(pe_jpeg_read_coefficients(handle.pointer), rows: nil)
    return pe_jpeg_is_implausible(handle.pointer) != 0
  } catch {
    if case .damaged = error { return true }
    return false
  }
}

/// Reads the quantized coefficients of a JPEG in memory.
package func jpegCoefficients(_ bytes: [UInt8]) throws(CodecError) -> [[Int16]] {
  try jpegCoefficients(FileBytes(bytes))
}
