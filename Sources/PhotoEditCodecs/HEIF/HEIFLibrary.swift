// SPDX-License-Identifier: Apache-2.0
#if HEIF
  import CPhotoEditHEIF

  /// libheif, which is loaded when the first image needs it.
  package enum HEIFLibrary {
    /// The file name of the library.
    package static var name: String { String(cString: pe_heif_library_name()) }

    /// Loads the library; throws `CodecError.libraryMissing` if that fails.
    package static func load(for format: ImageFormat) throws(CodecError) {
      try attempt(format) { pe_heif_load($0) }
    }

    /// Checks whether a library with another name could be loaded instead.
    package static func probe(_ name: String, for format: ImageFormat) throws(CodecError) {
      try attempt(format) { pe_heif_probe(name, $0) }
    }

    private static func attempt(
      _ format: ImageFormat, _ open: (UnsafeMutablePointer<CChar>?) -> Int32
    ) throws(CodecError) {
      let package = OptionalInput.all.first { $0.formats.contains(format) }?.package ?? name
      try LibraryLoading.load(format, package: package, open)
    }
  }

  /// A buffer for the message of a failed call.
  struct CMessage {
    private var bytes = [CChar](repeating: 0, count: Int(PE_HEIF_MESSAGE_CAPACITY))

    /// Calls a function with the buffer.
    mutating func fill(_ call: (UnsafeMutablePointer<CChar>) -> Int32) -> Int32 {
      bytes.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map(call) ?? PE_HEIF_OUT_OF_MEMORY
      }
    }

    /// The message.
    var text: String {
      String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
