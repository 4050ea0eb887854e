// SPDX-License-Identifier: Apache-2.0
#if GIF
  import CPhotoEditGIF
  import PhotoEditStorage

  /// The owner of a giflib decoder; keeps its memory alive.
  ///
  /// Must not be used by several threads at the same time: the library's structures have no locks.
  final class GIFHandle {
    private let pointer: OpaquePointer
    private let bytes: FileBytes

    init(_ bytes: FileBytes) throws(CodecError) {
      let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard let pointer = pe_gif_create(base, bytes.count) else { throw .outOfMemory }
      self.pointer = pointer
      self.bytes = bytes
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
        .damaged(
          message: String(cString: pe_gif_message(pointer)), recoveredRows: nil, rows: nil)
      case .PE_GIF_OUT_OF_MEMORY: .outOfMemory
      }
    }
  }
#endif
