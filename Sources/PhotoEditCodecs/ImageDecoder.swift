// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// A decoder that reads one image row by row, from top to bottom.
///
/// Must not be used by several threads at the same time.
public protocol ImageDecoder: AnyObject {
  /// The properties of the image, as stored in the file.
  var header: ImageHeader { get }
  /// Notices so far; complete once the last row is read.
  var notices: [DecoderWarning] { get }
  /// Upper bound of the decoder's own memory while decoding, in bytes; known from the header.
  ///
  /// Excludes the file and the requested rows.
  var workingBytes: Int { get }
  /// The part of `workingBytes` that is still held while rows are delivered, after the first ones.
  var heldBytes: Int { get }
  /// Decodes the next rows and returns the number of complete rows written; 0 at the end.
  ///
  /// Fewer than `count` rows are written only at the end. After an error every call throws it
  /// again.
  ///
  /// - Parameters:
  ///   - count: Number of rows to read, at least 1; 16 or more per call cost no extra time.
  ///   - base: Address of the first row; must have space for `count` times `bytesPerRow` bytes.
  ///   - bytesPerRow: Distance between rows, at least `header.layout.bytesPerRow(width:)`.
  func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
}

/// A decoder that holds the whole decoded image in memory.
protocol WholeImageDecoder: ImageDecoder {
  /// Lets the next call of `readRows` deliver the first row again.
  ///
  /// Called after all rows were read; returns false if they would have to be decoded again.
  func startOver() -> Bool
}

extension ImageDecoder {
  /// All of `workingBytes`.
  public var heldBytes: Int { workingBytes }

  /// Bytes of a delivered row.
  var bytesPerRow: Int { header.layout.bytesPerRow(width: header.size.width) }

  /// Decodes and discards the remaining rows, which finds damage anywhere in the file.
  ///
  /// - Parameter limits: The limits for the required memory.
  package func readToEnd(limits: ImageLimits = ImageLimits()) throws(CodecError) {
    let bytesPerRow = bytesPerRow
    try limits.check(memory: workingBytes + 16 * bytesPerRow)
    let rows = UnsafeMutableRawPointer.allocate(byteCount: 16 * bytesPerRow, alignment: 64)
    defer { rows.deallocate() }
    while try readRows(16, into: rows, bytesPerRow: bytesPerRow) > 0 {}
  }

  /// Checks the caller's arguments before C writes to the caller's memory.
  func checkRows(_ count: Int, bytesPerRow: Int) -> Int32 {
    precondition(count > 0, "at least one row must be asked for")
    precondition(
      bytesPerRow >= self.bytesPerRow,
      "the rows of the image exceed the buffer")
    return Int32(min(count, header.size.height))
  }
}

/// The properties of an image that are known before decoding.
public struct ImageHeader: Sendable, Hashable {
  /// The format, detected by content.
  public let format: ImageFormat
  /// The stored size; the orientation in the metadata is not applied.
  public let size: PixelSize
  /// The layout of the rows written by `ImageDecoder.readRows`.
  public let layout: RowLayout
  /// The color model of the file.
  public let sourceColor: SourceColor
  /// Bits per stored sample or palette index, 1 to 16.
  public let bitsPerSample: Int
  /// Indicates whether the image is stored in several passes: progressive JPEG, interlaced PNG.
  public let isProgressive: Bool
  /// The way in which a camera raw file is developed; nil for all other images.
  public let development: RawDevelopment?
  /// The way in which an HDR image becomes one of standard range; nil for all other images.
  public private(set) var toneMapping: ToneMapping?

  /// Creates a header from its parts.
  package init(
    format: ImageFormat, size: PixelSize, layout: RowLayout, sourceColor: SourceColor,
    bitsPerSample: Int, isProgressive: Bool, development: RawDevelopment? = nil,
    toneMapping: ToneMapping? = nil
  ) {
    (self.format, self.size, self.layout, self.sourceColor) = (format, size, layout, sourceColor)
    (self.bitsPerSample, self.isProgressive) = (bitsPerSample, isProgressive)
    (self.development, self.toneMapping) = (development, toneMapping)
  }

  /// Returns the same header of an image whose tones are mapped.
  func toneMapped(_ mapping: ToneMapping) -> ImageHeader {
    var header = self
    header.toneMapping = mapping
    return header
  }
}

/// The color model of a file, regardless of the decoder's output.
public enum SourceColor: String, Sendable, Hashable, CaseIterable {
  /// Luma only.
  case gray
  /// Red, green, blue.
  case rgb
  /// Luma and two chroma differences (ITU-R BT.601), as in JPEG and lossy WebP.
  case ycbcr
  /// Cyan, magenta, yellow and black.
  case cmyk
  /// Luma and chroma of cyan, magenta and yellow, and black.
  case ycck
  /// Indices into a table of RGB colors.
  case palette
}

/// A remark about a file that did not stop the decoder.
public struct DecoderWarning: Sendable, Hashable {
  /// The significance of a notice for the pixels.
  public enum Kind: String, Sendable, Hashable {
    /// The file is unusual, but no pixel is wrong.
    case harmless
    /// Pixels are wrong or missing and were filled; only for lenient decoders.
    case filled
    /// The file ends properly, but lacks its last refinement scans.
    case unrefined
    /// CMYK was converted to RGB without a profile: the colors are approximate.
    case convertedWithoutProfile
  }

  /// The significance of the notice for the pixels.
  public let kind: Kind
  /// One clause, without a full stop.
  public let message: String
  /// Number of complete rows decoded from the top, for `.filled`; `nil` if unknown.
  public internal(set) var recoveredRows: Int?
}

/// The failure of a decoder, which is thrown again by every later call.
struct DecodingEnd {
  private var failure: CodecError?

  /// Throws the stored failure, if any.
  func check() throws(CodecError) {
    if let failure { throw failure }
  }

  /// Runs a decoding step and stores its failure.
  mutating func keep<Result>(_ step: () throws(CodecError) -> Result) throws(CodecError) -> Result {
    do throws(CodecError) { return try step() } catch {
      failure = error
      throw error
    }
  }

  /// Evaluates a decoding step and stores its failure.
  mutating func keep<Result>(
    _ step: @autoclosure () throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try keep { () throws(CodecError) in try step() }
  }
}

/// The decoders of all formats.
public enum ImageDecoders {
  /// Opens an image by its content and reads the header.
  ///
  /// Formats other than JPEG and PNG are decoded in a confined process, as far as the policy in the
  /// options requires and the program allows.
  public static func open(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions())
    throws(CodecError) -> any ImageDecoder
  {
    let format = try ImageFormat.detect(bytes.buffer)
    guard format.isReadable else { throw .notBuilt(format) }
    if let library = DecoderLibrary(format),
      let decoder = try ConfinedDecoder(bytes, of: format, from: library, options: options)
    {
      return decoder
    }
    return try openHere(bytes, of: format, options: options)
  }

  /// Opens an image with a decoder in this process.
  static func openHere(_ bytes: FileBytes, of format: ImageFormat, options: DecoderOptions)
    throws(CodecError) -> any ImageDecoder
  {
    if format == .jpeg { return try JPEGDecoder(bytes, options: options) }
    if format == .png {
      let decoder = try PNGDecoder(bytes, options: options)
      return decoder.toneMapped(PNGColor(bytes.buffer).dynamicRange)
    }
    #if HEIF
      if [.heif, .avif].contains(format) {
        let decoder = try HEIFDecoder(bytes, options: options)
        return decoder.toneMapped(decoder.dynamicRange)
      }
    #endif
    #if WebP
      if format == .webp { return try WebPDecoder(bytes, options: options) }
    #endif
    #if TIFF
      if format == .tiff { return try TIFFDecoder(bytes, options: options) }
    #endif
    #if GIF
      if format == .gif { return try GIFDecoder(bytes, options: options) }
    #endif
    #if RAW
      if format == .raw { return try RawDecoder(bytes, options: options) }
    #endif
    throw .notBuilt(format)
  }

  /// Reads and discards a whole image, which finds damage anywhere in the file.
  ///
  /// For a JPEG with one scan, only entropy decoding is done, which saves a third of the work:
  /// reconstruction accepts any coefficients. A raw file is developed at half size, for which all of
  /// its samples are read.
  package static func verify(_ bytes: FileBytes) throws(CodecError) {
    var options = DecoderOptions()
    options.developsHalfSize = true
    let decoder = try open(bytes, options: options)
    guard let frame = (decoder as? JPEGDecoder)?.frame, frame.usesSplitDecoding else {
      return try decoder.readToEnd()
    }
    let reader = try JPEGEntropyDecoder(bytes, options: options)
    let bytesPerRow = reader.layout.bytesPerRow
    try options.limits.check(memory: bytesPerRow)
    let row = UnsafeMutableRawPointer.allocate(byteCount: bytesPerRow, alignment: 64)
    defer { row.deallocate() }
    for index in 0..<reader.layout.mcuRows { try reader.readRows(index..<index + 1, into: row) }
  }

  /// Decodes a whole image into memory.
  package static func decode(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions())
    throws(CodecError) -> ImageBuffer
  {
    let decoder = try open(bytes, options: options)
    try options.limits.check(
      memory: decoder.workingBytes + decoder.header.size.height * decoder.bytesPerRow)
    return try decode(decoder)
  }

  /// Decodes all rows of a decoder from which no row has been read.
  package static func decode(_ decoder: any ImageDecoder) throws(CodecError) -> ImageBuffer {
    let header = decoder.header
    var image = ImageBuffer(size: header.size, layout: header.layout)
    let bytesPerRow = header.layout.bytesPerRow(width: header.size.width)
    _ = try image.bytes.withUnsafeMutableBufferPointer { memory throws(CodecError) in
      guard let base = memory.baseAddress else { return 0 }
      return try decoder.readRows(header.size.height, into: base, bytesPerRow: bytesPerRow)
    }
    return image
  }
}
