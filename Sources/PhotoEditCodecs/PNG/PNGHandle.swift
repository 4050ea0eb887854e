// SPDX-License-Identifier: Apache-2.0
import CPhotoEditPNG
import PhotoEditPixels
import PhotoEditStorage

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
    self.pointer = pointer
    self.bytes = bytes
    self.probe = probe
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
