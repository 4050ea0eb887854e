// SPDX-License-Identifier: Apache-2.0
#if WebP
  import CPhotoEditWebP
  import PhotoEditStorage

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
      self.pointer = pointer
      self.bytes = bytes
      self.probe = probe
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
        .damaged(message: "bitstream is damaged", recoveredRows: nil, rows: nil)
      case .PE_WEBP_ENDS_EARLY: .damaged(message: endsEarly, recoveredRows: nil, rows: nil)
      case .PE_WEBP_UNSUPPORTED: .unsupported("a WebP image of a newer version")
      case .PE_WEBP_OUT_OF_MEMORY: .outOfMemory
      case .PE_WEBP_CANCELLED: .cancelled
      }
    }
  }
#endif
