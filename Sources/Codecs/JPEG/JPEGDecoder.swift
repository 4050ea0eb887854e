// SPDX-License-Identifier: Apache-2.0
import CJPEG
import Pixels
public import Storage

/// Decodes JPEG files by rows; the C functions are `jpeg_read_header` and `jpeg_read_scanlines`.
public final class JPEGDecoder: ImageDecoder {
  public let header: ImageHeader
  /// How the pixels are coded.
  public let frame: JPEGFrame

  private let bytes: FileBytes
  private let handle: JPEGHandle
  private let isLenient: Bool
  private var hasStarted = false
  private var deliveredRows = 0
  private var ink: [UInt8] = []

  /// Reads the header.
  ///
  /// - Throws: `CodecError` for a kind of JPEG that is not decoded, a size beyond the limits, or a
  ///   damaged header.
  public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
    // Our own look at the frame comes first: kinds that libjpeg cannot name are refused by name,
    // and nothing is allocated for a picture that is too large.
    try JPEGFrameScan.check(bytes.buffer, limits: options.limits)
    let handle = try JPEGHandle(bytes, maximumScans: options.limits.maximumScans)
    let info = try handle.readHeader()
    let color = try Self.color(of: info)
    let frame = JPEGFrame(info, color: color)
    let isGray = color == .gray || (color == .ycbcr && options.decodesLumaOnly)
    header = ImageHeader(
      format: .jpeg, size: frame.size, layout: RowLayout(channels: isGray ? .gray : .rgb),
      sourceColor: color, bitsPerSample: 8, isProgressive: frame.isProgressive)
    self.frame = frame
    self.bytes = bytes
    self.handle = handle
    isLenient = options.isLenient
  }

  private static func color(of info: pe_jpeg_info) throws(CodecError) -> SourceColor {
    switch (Int(info.color), info.component_count) {
    case (PE_JPEG_GRAY, 1): return .gray
    case (PE_JPEG_RGB, 3): return .rgb
    case (PE_JPEG_YCBCR, 3): return .ycbcr
    case (PE_JPEG_CMYK, 4): return .cmyk
    case (PE_JPEG_YCCK, 4): return .ycck
    default: throw .unsupported("a JPEG of \(info.component_count) components of no known colour")
    }
  }

  private var isInk: Bool { header.sourceColor == .cmyk || header.sourceColor == .ycck }

  public var notices: [CodecNotice] {
    var notices = handle.warnings.filter { !$0.isDamage }.map {
      CodecNotice(.harmless, $0.message)
    }
    if let damage = handle.warnings.first(where: \.isDamage) {
      notices.append(CodecNotice(.lenient, "\(damage.message); \(realRowsText) rows are real"))
    }
    if isInk {
      notices.append(CodecNotice(.inks, "inks were converted to light without a profile"))
    }
    return notices
  }

  private var realRowsText: String { "\(handle.realRows) of \(header.size.height)" }

  public func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> Int {
    if !hasStarted {
      try handle.start(channels: isInk ? 4 : header.layout.channels.count, rows: header.size.height)
      hasStarted = true
    }
    let wanted = min(count, header.size.height - deliveredRows)
    if wanted <= 0 { return 0 }
    let target = base.assumingMemoryBound(to: UInt8.self)
    let done: Int
    if isInk {
      done = try readInk(wanted, into: target, bytesPerRow: bytesPerRow)
    } else {
      done = try handle.readRows(
        wanted, into: target, bytesPerRow: bytesPerRow, rows: header.size.height)
    }
    deliveredRows += done
    if !isLenient, let damage = handle.warnings.first(where: \.isDamage) {
      throw .damaged(
        message: damage.message, realRows: handle.realRows, rows: header.size.height)
    }
    return done
  }

  /// Inks to light: each colour is what its ink and black let through.
  ///
  /// Files with an Adobe segment hold inverted inks, so 255 is no ink; others hold ink as it is.
  private func readInk(
    _ count: Int, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(CodecError) -> Int {
    let width = header.size.width
    let rows = min(count, 16)
    if ink.isEmpty { ink = [UInt8](repeating: 0, count: 16 * width * 4) }
    let flip: UInt8 = frame.hasAdobeMarker ? 0 : 255
    let height = header.size.height
    return try ink.withUnsafeMutableBufferPointer { ink throws(CodecError) in
      guard let base = ink.baseAddress else { return 0 }
      let done = try handle.readRows(rows, into: base, bytesPerRow: width * 4, rows: height)
      for y in 0..<done {
        let source = base + y * width * 4
        let row = target + y * bytesPerRow
        for x in 0..<width {
          let black = Int(source[4 * x + 3] ^ flip)
          for c in 0..<3 {
            row[3 * x + c] = UInt8((Int(source[4 * x + c] ^ flip) * black + 127) / 255)
          }
        }
      }
      return done
    }
  }
}
