// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditStorage

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
    self.pointer = pointer
    self.bytes = bytes
    self.probe = probe
    self.maximumScans = maximumScans
  }

  deinit { pe_jpeg_destroy(pointer) }

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
