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
      throw .damaged(message: "contradictory headers", recoveredRows: nil, rows: nil)
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
