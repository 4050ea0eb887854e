// SPDX-License-Identifier: Apache-2.0
#if GIF
  import CPhotoEditGIF
  import PhotoEditPixels
  import PhotoEditPlatform
  public import PhotoEditStorage

  /// A giflib-based decoder for the first image of a GIF, on its canvas.
  ///
  /// Rows are RGB, or RGBA if a color is transparent or the image does not cover the canvas. An
  /// image larger than its canvas enlarges the canvas, as in viewers. The indices of an interlaced
  /// image are held in memory completely. Calls `DGifGetLine`.
  public final class GIFDecoder: ImageDecoder {
    /// The properties of the image, as stored in the file.
    public let header: ImageHeader
    /// Notices so far; complete once the last row is read.
    public private(set) var notices: [DecoderWarning] = []

    private let handle: GIFHandle
    private let frame: Region
    /// Four bytes for each index: the pixel value in memory.
    private let colors: [UInt8]
    private let isInterlaced: Bool
    private let isLenient: Bool
    private let isCancelled: (@Sendable () -> Bool)?
    /// The indices of the last decoded row.
    private var line: [UInt8]
    /// All indices of an interlaced image, once decoded.
    private var image: [UInt8] = []
    private var delivered = 0
    private var end = DecodingEnd()
    private var isDamaged = false

    /// Reads the header; checks the limits before memory is allocated.
    public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
      if bytes.count == 0 { throw .empty }
      try LibraryLoading.load(.gif, pe_gif_load)
      handle = try GIFHandle(bytes)
      let info = try handle.readInfo()
      frame = Region(
        x: Int(info.left), y: Int(info.top), width: Int(info.width), height: Int(info.height))
      guard !frame.size.isEmpty else {
        throw .damaged("width or height is missing or 0")
      }
      let canvas = PixelSize(
        width: max(Int(info.canvas_width), frame.maxX),
        height: max(Int(info.canvas_height), frame.maxY))
      try options.limits.check(canvas)
      let count = Int(info.color_count)
      let isTransparent = info.transparent >= 0
      colors = withUnsafeBytes(of: info.palette) { palette in
        (0..<256).flatMap { index -> [UInt8] in
          // An index without a color is undefined; most viewers show black.
          guard index < count else { return [0, 0, 0, 255] }
          if index == Int(info.transparent) { return [0, 0, 0, 0] }
          return palette[(3 * index)..<(3 * index + 3)] + [255]
        }
      }
      isInterlaced = info.is_interlaced != 0
      isLenient = options.isLenient
      isCancelled = options.isCancelled
      let hasAlpha = isTransparent || frame.size != canvas
      header = ImageHeader(
        format: .gif, size: canvas, layout: RowLayout(channels: hasAlpha ? .rgba : .rgb),
        sourceColor: .palette,
        bitsPerSample: max(1, Int.bitWidth - max(count - 1, 0).leadingZeroBitCount),
        isProgressive: isInterlaced)
      line = [UInt8](repeating: 0, count: frame.width)
    }

    /// Code tables; for an interlaced image, also an index for each pixel.
    public var workingBytes: Int {
      (isInterlaced ? frame.size.pixelCount : 0) + 2 * frame.width + (256 << 10)
    }

    /// Decodes the next rows and returns the number of rows written; 0 at the end.
    public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
      throws(CodecError) -> Int
    {
      let requested = min(
        Int(checkRows(count, bytesPerRow: bytesPerRow)), header.size.height - delivered)
      try end.check()
      try end.keep { () throws(CodecError) in
        for row in 0..<requested {
          try write(delivered + row, to: base + row * bytesPerRow)
        }
      }
      delivered += requested
      return requested
    }

    /// Writes one row of the canvas; areas outside the image are transparent.
    private func write(_ y: Int, to out: UnsafeMutableRawPointer) throws(CodecError) {
      if y % 32 == 0, isCancelled?() == true { throw .cancelled }
      memset(out, 0, header.layout.bytesPerRow(width: header.size.width))
      let row = y - frame.y
      guard row >= 0, row < frame.height else { return }
      let target = out + header.layout.bytesPerPixel * frame.x
      if isInterlaced {
        if image.isEmpty { try readInterlaced() }
        paint(image, from: row * frame.width, to: target)
      } else if !isDamaged, try readNext(recoveredRows: y) {
        paint(line, from: 0, to: target)
      }
    }

    /// Looks up the colors of one row of indices.
    private func paint(_ indices: [UInt8], from start: Int, to target: UnsafeMutableRawPointer) {
      let bytesPerPixel = header.layout.bytesPerPixel
      colors.withUnsafeBytes { colors in
        guard let colors = colors.baseAddress else { return }
        indices.withUnsafeBufferPointer { indices in
          for x in 0..<frame.width {
            memcpy(target + bytesPerPixel * x, colors + 4 * Int(indices[start + x]), bytesPerPixel)
          }
        }
      }
    }

    /// Decodes the four passes; a damaged file keeps the coarse rows of the passes present.
    private func readInterlaced() throws(CodecError) {
      image = [UInt8](repeating: 0, count: frame.size.pixelCount)
      for (first, step, height) in [(0, 8, 8), (4, 8, 4), (2, 4, 2), (1, 2, 1)] {
        for row in stride(from: first, to: frame.height, by: step) {
          if row % 32 == first, isCancelled?() == true { throw .cancelled }
          guard try readNext(recoveredRows: frame.y) else { return }
          for below in row..<(isLenient ? min(row + height, frame.height) : row + 1) {
            image.replaceSubrange(below * frame.width..<(below + 1) * frame.width, with: line)
          }
        }
      }
    }

    /// Decodes the next row of the file into `line`.
    ///
    /// Returns false if it is damaged and a notice was added.
    private func readNext(recoveredRows: Int) throws(CodecError) -> Bool {
      let error = line.withUnsafeMutableBufferPointer { line in
        line.baseAddress.flatMap { handle.readRow(into: $0) }
      }
      guard let error else { return true }
      guard case .damaged(let message, _, _) = error else { throw error }
      guard isLenient else {
        throw .damaged(message: message, recoveredRows: recoveredRows, rows: header.size.height)
      }
      isDamaged = true
      notices.append(DecoderWarning(kind: .filled, message: message, recoveredRows: recoveredRows))
      return false
    }
  }

  /// The owner of a giflib decoder; keeps its memory alive.
  ///
  /// Must not be used by several threads at the same time: the library's structures have no locks.
  final class GIFHandle {
    private let pointer: OpaquePointer
    private let bytes: FileBytes

    init(_ bytes: FileBytes) throws(CodecError) {
      let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let pointer = pe_gif_create(base, bytes.count) else { throw .outOfMemory }
      (self.pointer, self.bytes) = (pointer, bytes)
    }

    deinit { pe_gif_destroy(pointer) }

    /// Reads everything before the data of the first image.
    func readInfo() throws(CodecError) -> pe_gif_info {
      var info = pe_gif_info()
      if let error = error(pe_gif_read_info(pointer, &info)) { throw error }
      return info
    }

    /// Reads the next row of the file; returns the error if it is damaged.
    func readRow(into indices: UnsafeMutablePointer<UInt8>) -> CodecError? {
      error(pe_gif_read_row(pointer, indices))
    }

    private func error(_ code: pe_gif_code) -> CodecError? {
      switch code {
      case .PE_GIF_OK: nil
      case .PE_GIF_DAMAGED:
        .damaged(String(cString: pe_gif_message(pointer)))
      case .PE_GIF_OUT_OF_MEMORY: .outOfMemory
      }
    }
  }
#endif
