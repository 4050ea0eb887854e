// SPDX-License-Identifier: Apache-2.0
import CJPEG
import Storage

/// The owner of a libjpeg decompressor; turns statuses into errors.
final class JPEGHandle {
  struct Warning {
    let message: String
    let isDamage: Bool
  }

  private let decoder: OpaquePointer
  // libjpeg reads from these bytes as long as it lives.
  private let bytes: FileBytes
  private let maximumScans: Int

  init(_ bytes: FileBytes, maximumScans: Int) throws(CodecError) {
    guard
      let decoder = pe_jpeg_decoder_create(
        bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
        Int32(clamping: maximumScans))
    else { throw .outOfMemory }
    self.decoder = decoder
    self.bytes = bytes
    self.maximumScans = maximumScans
  }

  deinit { pe_jpeg_decoder_destroy(decoder) }

  var realRows: Int { Int(pe_jpeg_real_rows(decoder)) }

  var warnings: [Warning] {
    var first: UnsafePointer<pe_jpeg_warning>?
    let count = Int(pe_jpeg_warnings(decoder, &first))
    return UnsafeBufferPointer(start: first, count: count).map { warning in
      let text = withUnsafeBytes(of: warning.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Warning(message: text, isDamage: warning.is_damage != 0)
    }
  }

  func readHeader() throws(CodecError) -> pe_jpeg_info {
    var info = pe_jpeg_info()
    let status = pe_jpeg_read_header(decoder, &info)
    guard status == PE_JPEG_OK else { throw error(status, realRows: 0, rows: 0) }
    return info
  }

  func start(channels: Int, rows: Int) throws(CodecError) {
    let status = pe_jpeg_start(decoder, Int32(channels))
    guard status == PE_JPEG_OK else { throw error(status, realRows: 0, rows: rows) }
  }

  func readRows(
    _ count: Int, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, rows: Int
  ) throws(CodecError) -> Int {
    let done = pe_jpeg_read_rows(decoder, target, bytesPerRow, Int32(clamping: count))
    guard done >= 0 else { throw error(done, realRows: min(realRows, rows), rows: rows) }
    return Int(done)
  }

  /// Rearranges coefficients; `isCancelled` is asked between rows of blocks.
  func transform(
    _ transform: pe_jpeg_transform, isCancelled: @escaping @Sendable () -> Bool
  ) throws(CodecError) -> [UInt8] {
    var transform = transform
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let question = Question(isCancelled)
    let status = withExtendedLifetime(question) {
      pe_jpeg_run_transform(
        decoder, &transform, { Question.ask($0) }, Unmanaged.passUnretained(question).toOpaque(),
        &output, &count)
    }
    guard status == PE_JPEG_OK, let output else { throw error(status, realRows: 0, rows: 0) }
    defer { pe_jpeg_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// Coefficients of a component, 64 for each block, and how many blocks there are.
  func coefficients(component: Int) throws(CodecError) -> (values: [Int16], across: Int, down: Int)
  {
    var values: UnsafeMutablePointer<Int16>?
    var across = 0
    var down = 0
    let status = pe_jpeg_coefficients(decoder, Int32(component), &values, &across, &down)
    guard status == PE_JPEG_OK, let values else { throw error(status, realRows: 0, rows: 0) }
    defer { pe_jpeg_free_coefficients(values) }
    return (Array(UnsafeBufferPointer(start: values, count: across * down * 64)), across, down)
  }

  private func error(_ status: Int32, realRows: Int, rows: Int) -> CodecError {
    switch Int(status) {
    case PE_JPEG_CANCELLED: return .cancelled
    case PE_JPEG_TOO_MANY_SCANS:
      return .limitExceeded(
        what: "the number of scans", value: maximumScans + 1, allowed: maximumScans)
    default:
      return .damaged(
        message: String(cString: pe_jpeg_decoder_message(decoder)), realRows: realRows, rows: rows)
    }
  }
}

/// A closure that C may ask.
private final class Question {
  private let isCancelled: @Sendable () -> Bool

  init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  static func ask(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
  }
}
