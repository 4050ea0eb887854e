// SPDX-License-Identifier: Apache-2.0
#if TIFF
  import CPhotoEditTIFF
  import PhotoEditPixels
  public import PhotoEditStorage

  /// Reads the first page of a TIFF or BigTIFF with libtiff.
  ///
  /// Supports samples of 1 to 16 bits in gray, RGB, palettes, YCbCr and CMYK, in strips or tiles,
  /// interleaved or planar, with every compression that the library supports. 1 to 8 bits become 8,
  /// 9 to 16 become 16 in machine byte order; palettes and YCbCr become RGB; alpha is delivered
  /// straight. Floating-point samples are rejected, because nothing defines their white value. So
  /// are camera raw files, whose first page is only a thumbnail. Calls `TIFFReadScanline` and
  /// `TIFFReadEncodedTile`.
  public final class TIFFDecoder: ImageDecoder {
    /// The properties of the image as stated by the file.
    public let header: ImageHeader

    private let handle: TIFFHandle
    private let deliversCMYK: Bool
    private var end = DecodingEnd()

    /// Reads the header; rejects oversized images before memory is allocated.
    public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
      if bytes.count == 0 { throw .empty }
      guard let file = TIFFFile(bytes.buffer), let pages = TIFFPages(file) else {
        throw .damaged("file ends inside the header")
      }
      if let name = pages.rawName { throw .unsupported(name) }
      if let width = file.integer(ExifTag.imageWidth, in: pages.image),
        let height = file.integer(ExifTag.imageLength, in: pages.image)
      {
        try options.limits.check(PixelSize(width: width, height: height))
      }
      try LibraryLoading.load(.tiff, pe_tiff_load)
      deliversCMYK = options.deliversCMYK
      handle = try TIFFHandle(bytes, directory: pages.image.range.lowerBound, options: options)
      var info = pe_tiff_info()
      try handle.check(pe_tiff_read_info(handle.pointer, &info), rows: nil)
      let size = PixelSize(width: Int(info.width), height: Int(info.height))
      try options.limits.check(size)
      workingBytes = Int(clamping: info.working_bytes)
      guard let channels = ChannelLayout(rawValue: Int(info.channels)) else {
        throw .damaged("invalid channel layout")
      }
      header = ImageHeader(
        format: .tiff, size: size,
        layout: RowLayout(channels: channels, bytesPerSample: Int(info.bytes_per_sample)),
        sourceColor: Self.color(info.color), bitsPerSample: Int(info.bits_per_sample),
        isProgressive: false)
    }

    /// A row of strips or tiles, both as decoded by the library and as delivered.
    public let workingBytes: Int

    /// The findings so far; complete once the last row is read.
    public var notices: [DecoderWarning] {
      guard header.sourceColor == .cmyk, !deliversCMYK else { return handle.notices }
      let warning = DecoderWarning(
        kind: .convertedWithoutProfile, message: "CMYK was converted to RGB without a profile")
      return [warning] + handle.notices
    }

    /// Decodes the next rows and returns how many were written; 0 at the end.
    public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
      throws(CodecError) -> Int
    {
      let requested = checkRows(count, bytesPerRow: bytesPerRow)
      try end.check()
      var written: UInt32 = 0
      let code = pe_tiff_read_rows(
        handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(requested),
        &written)
      try end.keep(handle.check(code, rows: header.size.height))
      return Int(written)
    }

    private static func color(_ color: pe_tiff_color) -> SourceColor {
      switch color {
      case .PE_TIFF_COLOR_GRAY: .gray
      case .PE_TIFF_COLOR_RGB: .rgb
      case .PE_TIFF_COLOR_YCBCR: .ycbcr
      case .PE_TIFF_COLOR_PALETTE: .palette
      case .PE_TIFF_COLOR_CMYK: .cmyk
      }
    }
  }

  /// Owns a libtiff decoder and keeps alive the memory it refers to.
  ///
  /// Not thread-safe: the library's structures have no locks.
  final class TIFFHandle {
    /// Real tiles are a few hundred pixels wide; only a decompression bomb has huge ones.
    private static let maximumBlockPixels = 1 << 26

    let pointer: OpaquePointer
    private let bytes: FileBytes
    private let probe: CancellationContext

    init(_ bytes: FileBytes, directory: Int, options: DecoderOptions) throws(CodecError) {
      let probe = CancellationContext(options.isCancelled)
      var choices = pe_tiff_options()
      choices.directory = UInt64(directory)
      choices.maximum_block_pixels = Int64(
        min(options.limits.maximumPixels, Self.maximumBlockPixels))
      choices.is_lenient = options.isLenient ? 1 : 0
      choices.delivers_cmyk = options.deliversCMYK ? 1 : 0
      choices.cancelled = probe.isNeeded ? CancellationContext.callback : nil
      choices.cancel_context = probe.context
      let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let pointer = pe_tiff_create(base, bytes.count, &choices) else { throw .outOfMemory }
      (self.pointer, self.bytes, self.probe) = (pointer, bytes, probe)
    }

    deinit { pe_tiff_destroy(pointer) }

    /// Converts the code of a call to an error; `rows` is the height, if known.
    func check(_ code: pe_tiff_code, rows: Int?) throws(CodecError) {
      switch code {
      case .PE_TIFF_OK: return
      case .PE_TIFF_DAMAGED:
        throw .damaged(
          message: message, recoveredRows: rows == nil ? nil : recoveredRows, rows: rows)
      case .PE_TIFF_UNSUPPORTED: throw .unsupported(message)
      case .PE_TIFF_OUT_OF_MEMORY: throw .outOfMemory
      case .PE_TIFF_CANCELLED: throw .cancelled
      }
    }

    private var message: String { String(cString: pe_tiff_message(pointer)) }
    private var recoveredRows: Int { Int(pe_tiff_recovered_rows(pointer)) }

    /// The library's warnings so far.
    var notices: [DecoderWarning] {
      (0..<pe_tiff_notice_count(pointer)).compactMap { index in
        var isDamage: Int32 = 0
        guard let text = pe_tiff_notice_at(pointer, index, &isDamage) else { return nil }
        let message = String(cString: text)
        return isDamage == 0
          ? DecoderWarning(kind: .harmless, message: message)
          : DecoderWarning(kind: .filled, message: message, recoveredRows: recoveredRows)
      }
    }
  }
#endif
