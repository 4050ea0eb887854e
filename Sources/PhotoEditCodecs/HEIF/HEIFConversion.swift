// SPDX-License-Identifier: Apache-2.0
#if HEIF
  import CPhotoEditHEIF

  /// The conversion of the planes of a coded picture to full-range red, green and blue.
  ///
  /// - Source: ITU-T H.273 (07/2021), 8.3 and equations 20 to 57.
  struct HEIFConversion {
    /// The parameters of the loops in C.
    private(set) var factors: pe_heif_conversion

    /// Returns the fractional bits: 16 fit in 32 bits for bytes, 20 keep 16-bit values exact.
    private static func shift(bits: Int) -> Int32 { bits > 8 ? 20 : 16 }

    /// Creates the factors; nil for a matrix that is nonlinear or unknown.
    ///
    /// - Parameters:
    ///   - color: The color information of the image.
    ///   - bits: Bits of a stored sample, 8 to 16; rows get 8 bits for 8 and 16 bits for more.
    init?(_ color: CodedColor, bits: Int, isGray: Bool, isPremultiplied: Bool) {
      let full = Double(sign: .plus, exponent: bits, significand: 1) - 1
      let step = Double(sign: .plus, exponent: bits - 8, significand: 1)
      let maximum: Double = bits > 8 ? 65_535 : 255
      let shift = Self.shift(bits: bits)
      let unit = Double(sign: .plus, exponent: Int(shift), significand: 1)
      let luma = maximum / (color.isFullRange ? full : 219 * step) * unit
      let chroma = maximum / (color.isFullRange ? full : 224 * step) * unit
      var factors = pe_heif_conversion()
      factors.luma = Int64(luma.rounded())
      factors.luma_zero = color.isFullRange ? 0 : Int32(16 * step)
      factors.chroma_zero = Int32(128 * step)
      factors.shift = shift
      factors.maximum = Int32(maximum)
      factors.is_premultiplied = isPremultiplied ? 1 : 0
      if !isGray {
        switch Self.matrix(color) {
        case .identity: factors.is_identity = 1
        case .linear(let u, let v):
          let u = u.map { Int64(($0 * chroma).rounded()) }
          let v = v.map { Int64(($0 * chroma).rounded()) }
          factors.u = (u[0], u[1], u[2])
          factors.v = (v[0], v[1], v[2])
        case nil: return nil
        }
      }
      self.factors = factors
    }

    private enum Matrix {
      /// The planes are green, blue and red.
      case identity
      /// The contributions of Cb and Cr to red, green and blue.
      case linear([Double], [Double])
    }

    private static func matrix(_ color: CodedColor) -> Matrix? {
      switch color.matrix {
      case 0: .identity
      case 1: weighted(0.2126, 0.0722)
      // An unspecified matrix is treated like 5 and 6, by the rule of MIAF.
      case 2, 5, 6: weighted(0.299, 0.114)
      case 4: weighted(0.30, 0.11)
      case 7: weighted(0.212, 0.087)
      case 8: .linear([-1, 1, -1], [1, 0, -1])
      case 9: weighted(0.2627, 0.0593)
      case 12: derived(from: color.primaries)
      default: nil
      }
    }

    /// Returns the matrix for the given luma weights of red and blue.
    private static func weighted(_ red: Double, _ blue: Double) -> Matrix {
      let green = 1 - red - blue
      return .linear(
        [0, -2 * blue * (1 - blue) / green, 2 * (1 - blue)],
        [2 * (1 - red), -2 * red * (1 - red) / green, 0])
    }

    /// Returns the matrix for common primaries; H.273 derives the same values from them.
    private static func derived(from primaries: Int) -> Matrix? {
      switch primaries {
      case 1: weighted(0.2126, 0.0722)
      case 9: weighted(0.2627, 0.0593)
      case 12: weighted(0.22897, 0.07929)
      default: nil
      }
    }
  }

  /// libheif, which is loaded when the first image needs it.
  package enum HEIFLibrary {
    /// The file name of the library.
    package static var name: String { String(cString: pe_heif_library_name()) }

    /// Loads the library, and the decoder of HEVC pictures if needed; throws
    /// `CodecError.libraryMissing` if that fails.
    package static func load(for format: ImageFormat, withHEVC needsHEVC: Bool) throws(CodecError) {
      try LibraryLoading.load(format, pe_heif_load)
      if needsHEVC { try LibraryLoading.load(format, package: "libde265-0", pe_hevc_load) }
    }

    /// Checks whether a library with another name could be loaded instead.
    package static func probe(_ name: String, for format: ImageFormat) throws(CodecError) {
      try LibraryLoading.load(format) { pe_heif_probe(name, $0) }
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
    var text: String { String(untilZero: bytes) }
  }
#endif
