// SPDX-License-Identifier: Apache-2.0
#if HEIF
  import CPhotoEditHEIF
  import PhotoEditPixels
  public import PhotoEditStorage

  /// A libheif-based decoder for the primary image of a HEIC, HEIF or AVIF file.
  ///
  /// The file's own crop, rotation and mirroring are applied: rows are oriented `up`, regardless of
  /// EXIF. 8-bit samples stay 8-bit; deeper samples become full-range 16-bit. Alpha is straight,
  /// and gray stays gray. libheif upsamples chroma by repetition and undoes the matrix, which is
  /// exact to half a level of the coded depth for full range and to one and a half levels for
  /// limited range (version 1.15). The whole image is decoded when the first row is read, and is
  /// held in memory as planes; cancellation is checked while its parts are inspected, before and
  /// after decoding, and between rows. Damage that is found is an error; a lenient decoder fills the
  /// missing parts of HEVC pictures with gray and reports how many of them are damaged, because
  /// rows are not decoded one after another.
  ///
  /// libheif decodes the tiles of a grid on up to four threads of its own, which end with the call.
  public final class HEIFDecoder: ImageDecoder, WholeImageDecoder {
    /// The properties of the image, as stored in the file.
    public let header: ImageHeader
    /// Notices so far; complete once the first row is read.
    public private(set) var notices: [DecoderWarning] = []

    private let bytes: FileBytes
    private let options: DecoderOptions
    private let image: HEIFPrimaryImage
    private let patches: [pe_heif_patch]
    /// The number of bytes in boxes, all that the library reads.
    private let byteCount: Int
    private var planes: OpaquePointer?
    private var factors = pe_heif_conversion()
    private var next = 0
    private var end = DecodingEnd()

    /// Reads the boxes and loads the library; checks the limits before anything is decoded.
    public init(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions()) throws(CodecError) {
      let format = try ImageFormat.detect(bytes.buffer)
      let structure = try HEIFPrimaryImage.reading(HEIFStructure(bytes.buffer))
      image = try HEIFPrimaryImage(
        structure, limits: options.limits, isCancelled: options.isCancelled)
      patches = structure.maskedBytes(for: image.usedItems).map {
        pe_heif_patch(offset: $0.offset, value: $0.value)
      }
      byteCount = structure.end
      try image.checkColors(of: format)
      let channels: ChannelLayout =
        image.isMonochrome
        ? (image.hasAlpha ? .grayAlpha : .gray) : (image.hasAlpha ? .rgba : .rgb)
      header = ImageHeader(
        format: format, size: image.size,
        layout: RowLayout(channels: channels, bytesPerSample: image.bitDepth > 8 ? 2 : 1),
        sourceColor: image.sourceColor, bitsPerSample: image.bitDepth, isProgressive: false)
      (self.bytes, self.options) = (bytes, options)
      try HEIFLibrary.load(for: format, withHEVC: image.hasHEVC)
    }

    deinit { pe_heif_destroy(planes) }

    /// The dynamic range of the rows; nil if it is standard.
    var dynamicRange: HighDynamicRange? { image.dynamicRange }

    /// The planes of the image, twice if it is rotated or cropped, and the memory needed to decode
    /// its largest part; see `HEIFPrimaryImage.decodingBytes`.
    public var workingBytes: Int {
      image.decodingBytes(bytesPerSample: header.layout.bytesPerSample) + (8 << 20)
    }

    /// The decoded planes: everything is decoded for the first row.
    public var heldBytes: Int {
      image.decodedBytes(bytesPerSample: header.layout.bytesPerSample) + (8 << 20)
    }

    /// Decodes the next rows and returns the number of rows written; 0 at the end.
    public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
      throws(CodecError) -> Int
    {
      let requested = checkRows(count, bytesPerRow: bytesPerRow)
      try end.check()
      try end.keep { () throws(CodecError) in
        if options.isCancelled?() == true { throw .cancelled }
        if planes == nil {
          try decode()
          if options.isCancelled?() == true { throw .cancelled }
        }
      }
      let rows = min(Int(requested), header.size.height - next)
      pe_heif_rows(
        planes, &factors, UInt32(next), UInt32(rows),
        base.assumingMemoryBound(to: UInt8.self), bytesPerRow)
      next += rows
      return rows
    }

    func startOver() -> Bool {
      next = 0
      return true
    }

    private func decode() throws(CodecError) {
      // Some for the tiles, and some for the codec of each tile.
      guard ThreadGroup.areAvailable(8) else { throw .noThreads }
      var choices = pe_heif_options()
      choices.maximum_side = Int32(clamping: options.limits.maximumSide)
      choices.is_gray = image.isMonochrome ? 1 : 0
      choices.is_lenient = options.isLenient ? 1 : 0
      var facts = pe_heif_facts()
      var decoded: OpaquePointer?
      var message = CMessage()
      let base = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let code = patches.withUnsafeBufferPointer { patches in
        choices.patches = patches.baseAddress
        choices.patch_count = patches.count
        return message.fill {
          pe_heif_decode(base, byteCount, &choices, &decoded, &facts, $0)
        }
      }
      planes = decoded
      switch code {
      case PE_HEIF_OK:
        if facts.damaged_count > 0 {
          notices.append(
            DecoderWarning(
              kind: .filled,
              message: "\(facts.damaged_count) of \(facts.image_count) coded pictures "
                + "\(facts.damaged_count == 1 ? "is" : "are") damaged (\(message.text))"))
        }
        try accept(facts)
      case PE_HEIF_UNSUPPORTED:
        throw .unsupported(
          "\(header.format.nameWithArticle) that libheif cannot decode "
            + "(\(message.text))")
      case PE_HEIF_LIMIT:
        throw .unsupported(
          "\(header.format.nameWithArticle) that exceeds a limit of the installed libheif "
            + "\(String(cString: pe_heif_loaded_version())) (\(message.text))")
      case PE_HEIF_OUT_OF_MEMORY: throw .outOfMemory
      default:
        throw .damaged(message.text, rows: header.size.height)
      }
    }

    /// Checks that the planes match the header.
    private func accept(_ facts: pe_heif_facts) throws(CodecError) {
      let size = PixelSize(width: Int(facts.width), height: Int(facts.height))
      guard size == header.size, Int(facts.bits) == header.bitsPerSample,
        (facts.is_gray != 0) == image.isMonochrome, (facts.alpha_bits > 0) == image.hasAlpha
      else {
        throw .damaged("the decoded image does not match the file header", rows: header.size.height)
      }
      var color = image.color ?? .unstated
      if image.color == nil, facts.has_color != 0 {
        color = CodedColor(
          primaries: Int(facts.primaries), transfer: Int(facts.transfer),
          matrix: Int(facts.matrix), isFullRange: facts.is_full_range != 0)
      }
      if facts.is_subsampled != 0, color.matrix == 0 {
        throw HEIFPrimaryImage.sharedIdentity(header.format)
      }
      // The library ignores unknown matrices, so the matrix is checked in any case.
      factors = try conversion(of: color).factors
      guard facts.is_rgb != 0 else { return }
      (color.matrix, color.isFullRange) = (0, true)
      factors = try conversion(of: color).factors
    }

    private func conversion(of color: CodedColor) throws(CodecError) -> HEIFConversion {
      let conversion = HEIFConversion(
        color, bits: header.bitsPerSample, isGray: image.isMonochrome,
        isPremultiplied: image.isPremultiplied)
      guard let conversion else {
        throw .unsupported(
          "\(header.format.nameWithArticle) with color matrix \(color.matrix) of ITU-T H.273")
      }
      return conversion
    }
  }

  extension HEIFPrimaryImage {
    /// The color model of the file.
    fileprivate var sourceColor: SourceColor {
      isMonochrome ? .gray : color?.matrix == 0 ? .rgb : .ycbcr
    }

    /// Returns the error for subsampled green, blue and red, which must have a sample for each
    /// pixel.
    fileprivate static func sharedIdentity(_ format: ImageFormat) -> CodecError {
      .unsupported(
        "\(format.nameWithArticle) with color matrix 0 of ITU-T H.273 and fewer samples than "
          + "pixels")
    }

    /// Rejects color information that contradicts the samples.
    fileprivate func checkColors(of format: ImageFormat) throws(CodecError) {
      if color?.matrix == 0, let chroma, [.halfBoth, .halfColumns].contains(chroma) {
        throw Self.sharedIdentity(format)
      }
    }
  }
#endif
