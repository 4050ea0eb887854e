// SPDX-License-Identifier: Apache-2.0
#if WebP
  import CPhotoEditWebP
  import PhotoEditPixels
  import PhotoEditPlatform
  public import PhotoEditStorage

  /// Reads a WebP with libwebp: lossy and lossless, with or without alpha, 8 bits per sample.
  ///
  /// Of an animation, the first frame is read and placed on its canvas, which is transparent
  /// outside the frame. The library holds the entire image in memory, and for lossless files also
  /// its own copy of it; rows are delivered as they are decoded. Calls `WebPIUpdate`.
  public final class WebPDecoder: ImageDecoder {
    /// The properties of the image as stated by the file.
    public let header: ImageHeader
    /// The findings so far; complete once the last row is read.
    public private(set) var notices: [DecoderWarning] = []

    private let handle: WebPHandle
    private let frame: Region
    private let hasAlpha: Bool
    private let isLossless: Bool
    private let isLenient: Bool
    private var delivered = 0
    private var end = DecodingEnd()
    /// The number of complete rows of the frame, set when no more can be decoded.
    private var recoveredFrameRows: Int?

    /// Reads the header; rejects oversized images before memory is allocated.
    public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
      if bytes.count == 0 { throw .empty }
      let chunks = WebPChunks(bytes.buffer)
      guard let image = chunks.image else {
        let message = chunks.isTruncated ? WebPHandle.endsEarly : "file contains no image"
        throw .damaged(message)
      }
      try LibraryLoading.load(.webp, pe_webp_load)
      let info = try WebPHandle.info(bytes, image)
      let size = PixelSize(width: Int(info.width), height: Int(info.height))
      let canvas = chunks.canvas ?? size
      let frame = chunks.frame ?? Region(x: 0, y: 0, width: size.width, height: size.height)
      guard frame.size == size, frame.maxX <= canvas.width, frame.maxY <= canvas.height,
        chunks.frame != nil || canvas == size
      else { throw .damaged("contradictory headers") }
      try options.limits.check(canvas)
      self.frame = frame
      hasAlpha = info.has_alpha != 0
      isLossless = info.is_lossless != 0
      isLenient = options.isLenient
      handle = try WebPHandle(bytes, image, info, options: options)
      header = ImageHeader(
        format: .webp, size: canvas,
        layout: RowLayout(channels: hasAlpha || canvas != size ? .rgba : .rgb),
        sourceColor: isLossless ? .rgb : .ycbcr, bitsPerSample: 8, isProgressive: false)
    }

    /// The pixels; in addition, the library's own copy of a lossless image, or two copies of the
    /// alpha of a lossy one.
    public var workingBytes: Int {
      let pixels = frame.size.pixelCount
      let own = isLossless ? 4 : hasAlpha ? 5 : 0
      return pixels * ((hasAlpha ? 4 : 3) + own) + frame.width * 256 + (2 << 20)
    }

    /// Decodes the next rows and returns how many were written; 0 at the end.
    public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
      throws(CodecError) -> Int
    {
      let requested = min(
        Int(checkRows(count, bytesPerRow: bytesPerRow)), header.size.height - delivered)
      try end.check()
      try end.keep(decode(upTo: delivered + requested))
      for row in 0..<requested { write(delivered + row, to: base + row * bytesPerRow) }
      delivered += requested
      return requested
    }

    /// Decodes the frame as far as needed for the canvas rows up to `end`.
    private func decode(upTo end: Int) throws(CodecError) {
      let needed = min(max(end - frame.y, 0), frame.height)
      guard recoveredFrameRows == nil, needed > 0 else { return }
      let outcome = handle.decode(needed)
      guard let error = outcome.error else { return }
      guard case .damaged(let message, _, _) = error else { throw error }
      let recovered = frame.y + outcome.recovered
      guard isLenient else {
        throw .damaged(message: message, recoveredRows: recovered, rows: header.size.height)
      }
      recoveredFrameRows = outcome.recovered
      notices.append(DecoderWarning(kind: .filled, message: message, recoveredRows: recovered))
    }

    /// Writes one row of the canvas; pixels outside the frame or not decoded are zero.
    private func write(_ y: Int, to out: UnsafeMutableRawPointer) {
      let bytes = header.layout.bytesPerRow(width: header.size.width)
      let row = y - frame.y
      guard row >= 0, row < recoveredFrameRows ?? frame.height, let source = handle.row(row) else {
        memset(out, 0, bytes)
        return
      }
      let isWhole = frame.width == header.size.width
      if isWhole, hasAlpha || header.layout.channels == .rgb {
        memcpy(out, source, bytes)
        return
      }
      memset(out, 0, bytes)
      let target = out + 4 * frame.x
      if hasAlpha {
        memcpy(target, source, 4 * frame.width)
      } else {
        for x in 0..<frame.width {
          memcpy(target + 4 * x, source + 3 * x, 3)
          target.storeBytes(of: 255, toByteOffset: 4 * x + 3, as: UInt8.self)
        }
      }
    }
  }

  /// Owns a libwebp decoder and keeps alive the memory it refers to.
  ///
  /// Not thread-safe: the library's structures have no locks.
  final class WebPHandle {
    static let endsEarly = "unexpected end of file"

    private let pointer: OpaquePointer
    private let bytes: FileBytes
    private let probe: CancellationContext

    /// Reads the header of a bitstream within the bytes.
    static func info(_ bytes: FileBytes, _ range: Range<Int>) throws(CodecError) -> pe_webp_info {
      var info = pe_webp_info()
      if let error = error(pe_webp_read_info(start(bytes, range), range.count, &info)) {
        throw error
      }
      return info
    }

    init(
      _ bytes: FileBytes, _ range: Range<Int>, _ info: pe_webp_info, options: DecoderOptions
    ) throws(CodecError) {
      let probe = CancellationContext(options.isCancelled)
      var info = info
      guard
        let pointer = pe_webp_create(
          Self.start(bytes, range), range.count, &info,
          probe.isNeeded ? CancellationContext.callback : nil, probe.context)
      else { throw .outOfMemory }
      (self.pointer, self.bytes, self.probe) = (pointer, bytes, probe)
    }

    deinit { pe_webp_destroy(pointer) }

    /// Decodes up to a number of rows; returns how many are available, and the error if not all
    /// are.
    func decode(_ rows: Int) -> (recovered: Int, error: CodecError?) {
      var recovered: UInt32 = 0
      let code = pe_webp_decode(pointer, UInt32(rows), &recovered)
      return (Int(recovered), Self.error(code))
    }

    /// Returns an available row.
    func row(_ index: Int) -> UnsafeRawPointer? {
      pe_webp_row(pointer, UInt32(index)).map { UnsafeRawPointer($0) }
    }

    private static func start(_ bytes: FileBytes, _ range: Range<Int>) -> UnsafePointer<UInt8>? {
      bytes.buffer.baseAddress.map {
        ($0 + range.lowerBound).assumingMemoryBound(to: UInt8.self)
      }
    }

    private static func error(_ code: pe_webp_code) -> CodecError? {
      switch code {
      case .PE_WEBP_OK: nil
      case .PE_WEBP_DAMAGED:
        .damaged("bitstream is damaged")
      case .PE_WEBP_ENDS_EARLY: .damaged(endsEarly)
      case .PE_WEBP_UNSUPPORTED: .unsupported("a WebP image of a newer version")
      case .PE_WEBP_OUT_OF_MEMORY: .outOfMemory
      case .PE_WEBP_CANCELLED: .cancelled
      }
    }
  }
#endif
