// SPDX-License-Identifier: Apache-2.0
#if RAW
  import CPhotoEditRAW
  import PhotoEditPixels
  import PhotoEditPlatform
  import PhotoEditStorage

  /// The properties of a camera raw file that are known before it is developed, from LibRaw.
  struct RawFile {
    let info: pe_raw_info
    /// The maker and the model; nil if neither is known.
    let camera: String?
    /// The size of the sensor with its margins.
    let sensorSize: PixelSize
    private let isHalfSize: Bool

    /// Loads the library and opens the file.
    ///
    /// - Throws: `CodecError.unsupported` with the camera and the library's version for a file that
    ///   the library does not support.
    init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
      try LibraryLoading.load(.raw, pe_raw_load)
      var info = pe_raw_info()
      try Self.call(options) { choices, message throws(CodecError) in
        let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = pe_raw_read_info(base, bytes.count, &choices, &info, message)
        return (code, Self.camera(&info))
      }
      camera = Self.camera(&info)
      self.info = info
      sensorSize = PixelSize(width: Int(info.sensor_width), height: Int(info.sensor_height))
      isHalfSize = options.developsHalfSize
    }

    /// The name and the version of the loaded library: "libraw 0.20.2".
    static var libraryName: String {
      let version = String(cString: pe_raw_loaded_version())
      return "libraw \(version.prefix { $0 != "-" })"
    }

    /// Calls a function of the library and converts its code to an error.
    ///
    /// - Parameter function: Returns the code and, if it is known, the name of the camera.
    static func call(
      _ options: DecoderOptions,
      _ function: (inout pe_raw_options, UnsafeMutablePointer<CChar>) throws(CodecError)
        -> (code: Int32, camera: String?)
    ) throws(CodecError) {
      let probe = CancellationContext(options.isCancelled)
      var choices = pe_raw_options()
      choices.is_half_size = options.developsHalfSize ? 1 : 0
      choices.maximum_megabytes = UInt32(clamping: max(1, options.limits.maximumMemoryBytes >> 20))
      choices.cancelled = probe.isNeeded ? CancellationContext.callback : nil
      choices.cancel_context = probe.context
      let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PE_RAW_MESSAGE_CAPACITY))
      message.initialize(repeating: 0, count: Int(PE_RAW_MESSAGE_CAPACITY))
      defer { message.deallocate() }
      let (code, camera) = try function(&choices, message)
      withExtendedLifetime(probe) {}
      switch code {
      case PE_RAW_OK: return
      case PE_RAW_UNSUPPORTED:
        let subject = camera.map { " of \($0)" } ?? ""
        throw .unsupported("a raw camera file\(subject), in a form unknown to \(libraryName),")
      case PE_RAW_OUT_OF_MEMORY: throw .outOfMemory
      case PE_RAW_CANCELLED: throw .cancelled
      default: throw .damaged(String(cString: message))
      }
    }

    /// Returns the maker and the model; nil if neither is known.
    private static func camera(_ info: inout pe_raw_info) -> String? {
      let names = [
        withUnsafeBytes(of: &info.make) { String(untilZero: $0) },
        withUnsafeBytes(of: &info.model) { String(untilZero: $0) },
      ].filter { !$0.isEmpty }
      return names.isEmpty ? nil : names.joined(separator: " ")
    }

    // MARK: Development

    /// The way in which the file is developed.
    var development: RawDevelopment {
      let factors = info.white_balance
      let green = Double(factors.1)
      let balance = [factors.0, factors.1, factors.2].map { Double($0) / green }
      let isKnown = green > 0 && balance.allSatisfy { $0.isFinite && $0 > 0 }
      return RawDevelopment(
        decoder: Self.libraryName,
        demosaic: info.is_mosaic == 0 ? "none" : info.is_wide_mosaic != 0 ? "xtrans" : "ahd",
        highlights: "blend",
        whiteBalance: isKnown ? balance.map { ($0 * 10_000).rounded() / 10_000 } : [])
    }

    /// The reasons for which colors may differ from those of the camera.
    var notices: [DecoderWarning] {
      var notices: [String] = []
      if info.has_color_matrix == 0 {
        notices.append("\(Self.libraryName) does not know the colors of this camera")
      }
      if development.whiteBalance.isEmpty {
        notices.append("file records no white balance; that of daylight is used")
      }
      return notices.map { DecoderWarning(kind: .harmless, message: $0) }
    }

    /// Returns the maximum memory of the library in bytes.
    ///
    /// It holds the samples of the sensor, four samples for each pixel, and at the end the developed
    /// pixels or, if they are resampled, another four samples for each. The threads that interpolate
    /// have tiles of 512 × 512 pixels, and stacks. Measured for 12 megapixels: 194 MB.
    func workingBytes(developed size: PixelSize) -> Int {
      let sensor = sensorSize.pixelCount * (info.is_mosaic == 0 ? 8 : 2)
      let pixels = size.pixelCount
      let tile = info.is_wide_mosaic != 0 ? 25 << 20 : 7 << 20
      let tiles = info.is_mosaic == 0 || isHalfSize ? 0 : ThreadGroup.cores * tile
      let last = max(pixels * (info.is_resampled != 0 ? 8 : 6), tiles)
      return sensor + pixels * 8 + last + (10 << 20)
    }

    /// Returns the damage of a file that the library does not always notice, or nil.
    ///
    /// Lossless compression needs at least one bit for each sample, and lossy compression a quarter
    /// of one.
    func damage(of bytes: FileBytes) -> String? {
      defer { withExtendedLifetime(bytes) {} }
      let bits = bytes.count * (info.is_mosaic == 0 ? 32 : 8)
      if bits < sensorSize.pixelCount { return "file is too short for its sensor" }
      return TIFFFile(bytes.buffer)?.sensorDamage
    }
  }

  extension TIFFReader where Bytes == UnsafeRawBufferPointer {
    /// The damage of the sensor's image, among the first directories and those below them.
    fileprivate var sensorDamage: String? {
      var next = directory(at: first)
      var remaining = 16
      while let directory = next, remaining > 0 {
        remaining -= 1
        let below = directories(pointedToBy: TIFFTag.subDirectories, in: directory, limit: 16)
        for candidate in [directory] + below {
          let kind = integer(TIFFTag.photometricInterpretation, in: candidate) ?? -1
          guard TIFFTag.rawInterpretations.contains(kind) else { continue }
          if lacksSamples(candidate) { return "file ends inside the sensor data" }
          if hasUnknownColors(candidate) { return "the colors of its sensor are invalid" }
        }
        next = self.directory(at: directory.next)
      }
      return nil
    }

    /// Returns whether a strip or a tile begins after the end of the file, or ends there if it is
    /// coded as a JPEG.
    private func lacksSamples(_ directory: Directory) -> Bool {
      let isJPEG = [7, 34_892].contains(integer(TIFFTag.compression, in: directory) ?? -1)
      let parts = [
        (TIFFTag.stripOffsets, TIFFTag.stripByteCounts),
        (TIFFTag.tileOffsets, TIFFTag.tileByteCounts),
      ]
      return parts.contains { offsetTag, countTag in
        guard let offsets = directory.entry(offsetTag) else { return false }
        let counts = directory.entry(countTag)
        return (0..<min(offsets.count, 1 << 20)).contains { index in
          guard let start = integer(offsets, at: index) else { return true }
          let count = counts.flatMap { integer($0, at: index) } ?? 0
          return start >= bytes.count || (isJPEG && count > bytes.count - start)
        }
      }
    }

    /// Returns whether the pattern of the sensor contains other numbers than those of red to white,
    /// for which the library takes what is in memory.
    private func hasUnknownColors(_ directory: Directory) -> Bool {
      guard let pattern = directory.entry(TIFFTag.colorPattern) else { return false }
      return (0..<min(pattern.count, 64)).contains { (integer(pattern, at: $0) ?? 0) > 6 }
    }
  }
#endif
