// SPDX-License-Identifier: Apache-2.0
#if TIFF
  import CPhotoEditTIFF
  import PhotoEditPixels
  import PhotoEditStorage

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
      self.pointer = pointer
      self.bytes = bytes
      self.probe = probe
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
