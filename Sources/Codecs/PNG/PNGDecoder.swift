// SPDX-License-Identifier: Apache-2.0
import CPNG
package import Pixels
public import Storage

/// Decodes PNG files by rows; the C function is `png_read_row`.
///
/// Palettes become colours, a transparent colour becomes alpha, fewer than eight bits become
/// eight, and sixteen stay sixteen.
public final class PNGDecoder: ImageDecoder {
  public let header: ImageHeader

  // libpng reads from these bytes as long as it lives.
  private let bytes: FileBytes
  private let decoder: OpaquePointer
  private let isLenient: Bool
  private var deliveredRows = 0
  private var realRows: Int?
  /// The whole picture, when the file is interlaced.
  private var interlaced: [UInt8] = []

  /// Reads the header.
  ///
  /// - Throws: `CodecError` for a size beyond the limits or a damaged header.
  public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
    try Self.checkSize(bytes.buffer, limits: options.limits)
    guard
      let decoder = pe_png_decoder_create(
        bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
        UInt32(clamping: options.limits.maximumSide))
    else { throw .outOfMemory }
    var info = pe_png_info()
    guard pe_png_read_header(decoder, &info) == PE_PNG_OK,
      let channels = ChannelLayout(rawValue: Int(info.channels))
    else {
      let message = String(cString: pe_png_decoder_message(decoder))
      pe_png_decoder_destroy(decoder)
      throw .damaged(message: message, realRows: 0, rows: Int(info.height))
    }
    self.bytes = bytes
    self.decoder = decoder
    isLenient = options.isLenient
    header = ImageHeader(
      format: .png, size: PixelSize(width: Int(info.width), height: Int(info.height)),
      layout: RowLayout(channels: channels, bytesPerSample: Int(info.bytes_per_sample)),
      sourceColor: Int(info.color) == PE_PNG_PALETTE
        ? .palette : Int(info.color) == PE_PNG_RGB ? .rgb : .gray,
      bitsPerSample: Int(info.bit_depth), isProgressive: info.interlaced != 0)
  }

  deinit { pe_png_decoder_destroy(decoder) }

  /// Looks at the first chunk without the codec, so that nothing is reserved for a bomb.
  private static func checkSize(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits
  ) throws(CodecError) {
    guard bytes.count >= 24 else {
      throw .damaged(message: "the file ends in its header", realRows: 0, rows: 0)
    }
    func number(_ offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    try limits.check(width: number(16), height: number(20))
  }

  public var notices: [CodecNotice] {
    var notices: [CodecNotice] = []
    let warning = String(cString: pe_png_decoder_warning(decoder))
    if !warning.isEmpty { notices.append(CodecNotice(.harmless, warning)) }
    if let realRows {
      notices.append(
        CodecNotice(
          .lenient, "\(message); \(realRows) of \(header.size.height) rows are real"))
    }
    return notices
  }

  private var message: String { String(cString: pe_png_decoder_message(decoder)) }

  public func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> Int {
    let wanted = min(count, header.size.height - deliveredRows)
    if wanted <= 0 { return 0 }
    let target = base.assumingMemoryBound(to: UInt8.self)
    if header.isProgressive {
      try copyInterlaced(wanted, into: target, bytesPerRow: bytesPerRow)
    } else {
      try decode(wanted, into: target, bytesPerRow: bytesPerRow)
    }
    deliveredRows += wanted
    if deliveredRows == header.size.height && realRows == nil {
      guard pe_png_finish(decoder) == PE_PNG_OK || isLenient else {
        throw .damaged(message: message, realRows: deliveredRows, rows: deliveredRows)
      }
    }
    return wanted
  }

  /// Decodes rows; what a damaged file does not have becomes zeros if that is accepted.
  private func decode(
    _ count: Int, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(CodecError) {
    let row = header.layout.bytesPerRow(width: header.size.width)
    var done: Int32 = 0
    if realRows == nil {
      // Interlaced rows are combined with what is there, so what is there must be defined.
      for y in 0..<count { (target + y * bytesPerRow).update(repeating: 0, count: row) }
      if pe_png_read_rows(decoder, target, bytesPerRow, Int32(count), &done) == PE_PNG_OK { return }
      realRows = deliveredRows + Int(done)
      if !isLenient {
        throw .damaged(
          message: message, realRows: deliveredRows + Int(done), rows: header.size.height)
      }
    }
    if header.isProgressive { return }
    for y in Int(done)..<count { (target + y * bytesPerRow).update(repeating: 0, count: row) }
  }

  private func copyInterlaced(
    _ count: Int, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(CodecError) {
    let row = header.layout.bytesPerRow(width: header.size.width)
    if interlaced.isEmpty {
      var all = [UInt8](repeating: 0, count: row * header.size.height)
      let height = header.size.height
      try all.withUnsafeMutableBufferPointer { all throws(CodecError) in
        if let base = all.baseAddress { try decode(height, into: base, bytesPerRow: row) }
      }
      interlaced = all
    }
    for y in 0..<count {
      let start = (deliveredRows + y) * row
      interlaced.withUnsafeBufferPointer { all in
        if let base = all.baseAddress {
          (target + y * bytesPerRow).update(from: base + start, count: row)
        }
      }
    }
  }
}

/// Encodes pictures as PNG; for comparisons and goldens, never for renderings.
package enum PNGEncoder {
  package static func encode(_ image: SampleImage) throws(CodecError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: PE_PNG_MESSAGE)
    let status = image.bytes.withUnsafeBufferPointer { bytes in
      pe_png_encode(
        Int32(image.size.width), Int32(image.size.height), Int32(image.layout.channels.count),
        Int32(image.layout.bytesPerSample), bytes.baseAddress,
        image.layout.bytesPerRow(width: image.size.width), &output, &count, &message)
    }
    guard status == PE_PNG_OK, let output else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .encoding(String(decoding: text, as: UTF8.self))
    }
    defer { pe_png_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
