// SPDX-License-Identifier: Apache-2.0
import CPhotoEditPNG
import PhotoEditPixels
public import PhotoEditStorage

/// Reads a PNG with libpng, with any color type, bit depth and interlacing.
///
/// Palettes become RGB, transparency becomes alpha, 1 to 4 bits become 8; gray stays gray and 16
/// bits stay 16, in machine byte order. Of an animation, the still image is read. An interlaced
/// image is held entirely in memory. Calls `png_read_info` and `png_read_row`.
public final class PNGDecoder: ImageDecoder {
  /// The properties of the image as stated by the file.
  public let header: ImageHeader

  private let handle: PNGHandle
  private var end = DecodingEnd()

  /// Reads the header; rejects oversized images before memory is allocated.
  public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
    if bytes.count == 0 { throw .empty }
    let start = try PNGHeader(bytes.buffer)
    try options.limits.check(start.size)
    handle = try PNGHandle(bytes, options: options)
    var info = pe_png_info()
    try handle.check(pe_png_read_info(handle.pointer, &info), rows: nil)
    let size = PixelSize(width: Int(info.width), height: Int(info.height))
    guard size == start.size, let channels = ChannelLayout(rawValue: Int(info.channels)) else {
      throw .damaged("contradictory headers")
    }
    let isWide = info.bytes_per_sample == 2
    let color: SourceColor = info.is_palette != 0 ? .palette : info.is_gray != 0 ? .gray : .rgb
    header = ImageHeader(
      format: .png, size: size,
      layout: RowLayout(channels: channels, bytesPerSample: isWide ? 2 : 1), sourceColor: color,
      bitsPerSample: Int(info.bit_depth), isProgressive: info.is_interlaced != 0)
  }

  /// A few rows and a zlib window; for an interlaced image, all of its rows.
  public var workingBytes: Int {
    (header.isProgressive ? header.size.height : 0) * bytesPerRow + 8 * bytesPerRow + (256 << 10)
  }

  /// The findings so far; complete once the last row is read.
  public var notices: [DecoderWarning] { handle.notices }

  /// Decodes the next rows and returns how many were written; 0 at the end.
  public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let requested = checkRows(count, bytesPerRow: bytesPerRow)
    try end.check()
    var written: UInt32 = 0
    let code = pe_png_read_rows(
      handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(requested),
      &written)
    try end.keep(handle.check(code, rows: header.size.height))
    return Int(written)
  }
}

/// The header chunk of a PNG, read before libpng processes the file so that limits are checked
/// first.
struct PNGHeader {
  let size: PixelSize

  init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    guard bytes.prefix(8).elementsEqual(ChunkReader.pngSignature.prefix(bytes.count)) else {
      throw .damaged("invalid signature; the file may have been transferred in text mode")
    }
    guard bytes.count >= 33 else {
      throw .damaged("file ends inside the header")
    }
    guard bytes[8..<16].elementsEqual([0, 0, 0, 13] + Array("IHDR".utf8)) else {
      throw .damaged("header chunk is missing")
    }
    guard let width = bytes.unsigned32(at: 16), let height = bytes.unsigned32(at: 20),
      (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height)
    else {
      throw .damaged("width or height is 0 or too large")
    }
    size = PixelSize(width: width, height: height)
  }
}

/// Owns a libpng decoder and keeps alive the memory it refers to.
///
/// Not thread-safe: the library's structures have no locks.
final class PNGHandle {
  let pointer: OpaquePointer
  private let bytes: FileBytes
  private let probe: CancellationContext

  init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
    let probe = CancellationContext(options.isCancelled)
    var choices = pe_png_options()
    choices.maximum_chunk_bytes = max(options.limits.maximumMetadataBytes, 1)
    choices.maximum_side = UInt32(clamping: options.limits.maximumSide)
    choices.is_lenient = options.isLenient ? 1 : 0
    choices.cancelled = probe.isNeeded ? CancellationContext.callback : nil
    choices.cancel_context = probe.context
    let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let pointer = pe_png_create(base, bytes.count, &choices) else { throw .outOfMemory }
    (self.pointer, self.bytes, self.probe) = (pointer, bytes, probe)
  }

  deinit { pe_png_destroy(pointer) }

  /// Converts the code of a call to an error; `rows` is the height, if known.
  func check(_ code: pe_png_code, rows: Int?) throws(CodecError) {
    switch code {
    case .PE_PNG_OK: return
    case .PE_PNG_DAMAGED:
      throw .damaged(message: message, recoveredRows: rows == nil ? nil : recoveredRows, rows: rows)
    case .PE_PNG_OUT_OF_MEMORY: throw .outOfMemory
    case .PE_PNG_CANCELLED: throw .cancelled
    case .PE_PNG_CANNOT_ENCODE: throw .encoding(message)
    }
  }

  private var message: String { String(cString: pe_png_message(pointer)) }
  private var recoveredRows: Int { Int(pe_png_recovered_rows(pointer)) }

  /// The library's warnings so far.
  var notices: [DecoderWarning] {
    (0..<pe_png_notice_count(pointer)).compactMap { index in
      var isDamage: Int32 = 0
      guard let text = pe_png_notice_at(pointer, index, &isDamage) else { return nil }
      let message = String(cString: text)
      return isDamage == 0
        ? DecoderWarning(kind: .harmless, message: message)
        : DecoderWarning(kind: .filled, message: message, recoveredRows: recoveredRows)
    }
  }
}
