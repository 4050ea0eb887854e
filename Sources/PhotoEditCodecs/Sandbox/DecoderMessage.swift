// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// A message between a process and the confined one that decodes for it.
///
/// Numbers are eight bytes, texts are preceded by their size. The requests are trusted, the answers
/// are not: each is checked where it is read.
package enum DecoderMessage {
  /// The maximum size of a message in bytes.
  static let capacity = 1 << 16
  /// The maximum size of a text in bytes; longer ones are cut.
  fileprivate static let textCapacity = 2048
  /// The maximum number of notices; further ones are left out.
  fileprivate static let mostNotices = 16

  /// A request of the process that needs an image.
  package enum Request: Int {
    /// Reads the header of the file in the first descriptor; ends another image.
    case open
    /// Decodes into the slots in the first descriptor; without one, into those of the image before.
    case start
    /// Slots were copied and may be written again; the number of all so far.
    case release
    /// Ends the image.
    case close
    /// Writes the preview of the raw file in the first descriptor to the memory in the second one.
    case preview
    /// Attempts a forbidden action by its number.
    case attempt
    /// Opens a decoder of a video, whose configuration is in the first descriptor.
    case openVideo
    /// Sends a packet to the decoder, and receives a frame.
    case decodeVideo
  }

  /// An answer of the confined process.
  package enum Answer: Int {
    /// The process is confined.
    case ready
    /// The header of the image.
    case header
    /// Rows are in the slots, up to this one.
    case rows
    /// The last rows are in the slots.
    case finished
    /// The image is refused.
    case failure
    /// The preview of a raw file, or that it has no preview.
    case extracted
    /// The error number of a forbidden action.
    case attempted
    /// The decoder of a video is open, or the reason why it is not.
    case openedVideo
    /// A frame, or the reason why it is missing.
    case frame
  }
}

/// Writes the fields of a message.
package struct DecoderMessageWriter {
  package private(set) var bytes: [UInt8] = []

  /// Writes the options of an image alone.
  init(_ options: DecoderOptions) { write(options) }

  /// Begins a request about an image.
  package init(_ request: DecoderMessage.Request, picture: Int) {
    write(request.rawValue)
    write(picture)
  }

  /// Begins an answer about an image.
  package init(_ answer: DecoderMessage.Answer, picture: Int) {
    write(answer.rawValue)
    write(picture)
  }

  package mutating func write(_ number: Int) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ flag: Bool) { write(flag ? 1 : 0) }

  mutating func write(_ number: Double) { write(Int(bitPattern: UInt(number.bitPattern))) }

  package mutating func write(_ text: String) {
    let utf8 = text.utf8.prefix(DecoderMessage.textCapacity)
    write(utf8.count)
    bytes.append(contentsOf: utf8)
  }

  /// Writes a number that may be absent.
  mutating func write(optional number: Int?) {
    write(number != nil)
    write(number ?? 0)
  }

  mutating func write(_ notices: [DecoderWarning]) {
    let notices = notices.prefix(DecoderMessage.mostNotices)
    write(notices.count)
    for notice in notices {
      write(notice.kind.rawValue)
      write(notice.message)
      write(optional: notice.recoveredRows)
    }
  }
}

/// Reads the fields of a message from a process that is not trusted.
package struct DecoderMessageReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The error for a message that this version does not write.
  package static let invalid = CodecError.decoderFailed("its decoder sent an invalid answer")

  package mutating func number() throws(CodecError) -> Int {
    guard bytes.count >= 8 else { throw Self.invalid }
    let number = bytes.prefix(8).reversed().reduce(UInt(0)) { $0 << 8 | UInt($1) }
    bytes = bytes.dropFirst(8)
    return Int(bitPattern: number)
  }

  /// Reads a number in a range.
  package mutating func number(in range: ClosedRange<Int>) throws(CodecError) -> Int {
    let number = try number()
    guard range.contains(number) else { throw Self.invalid }
    return number
  }

  package mutating func flag() throws(CodecError) -> Bool { try number(in: 0...1) == 1 }

  mutating func fraction() throws(CodecError) -> Double {
    Double(bitPattern: UInt64(UInt(bitPattern: try number())))
  }

  package mutating func text() throws(CodecError) -> String {
    let count = try number(in: 0...DecoderMessage.textCapacity)
    guard bytes.count >= count else { throw Self.invalid }
    defer { bytes = bytes.dropFirst(count) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  mutating func optionalNumber() throws(CodecError) -> Int? {
    let isPresent = try flag()
    let number = try number()
    return isPresent ? number : nil
  }

  /// Reads the raw value of a case.
  mutating func value<Value: RawRepresentable>() throws(CodecError) -> Value
  where Value.RawValue == String {
    guard let value = Value(rawValue: try text()) else { throw Self.invalid }
    return value
  }

  package mutating func value<Value: RawRepresentable>() throws(CodecError) -> Value
  where Value.RawValue == Int {
    guard let value = Value(rawValue: try number()) else { throw Self.invalid }
    return value
  }

  mutating func notices() throws(CodecError) -> [DecoderWarning] {
    var notices: [DecoderWarning] = []
    for _ in 0..<(try number(in: 0...DecoderMessage.mostNotices)) {
      notices.append(
        DecoderWarning(kind: try value(), message: try text(), recoveredRows: try optionalNumber()))
    }
    return notices
  }
}

// MARK: - Options, headers and errors

extension DecoderMessageWriter {
  mutating func write(_ options: DecoderOptions) {
    let limits = options.limits
    for number in [
      limits.maximumPixels, limits.maximumSide, limits.maximumScans, limits.maximumMetadataBytes,
      limits.maximumMemoryBytes, options.scale.rawValue,
    ] { write(number) }
    for flag in [
      options.isLenient, options.decodesLumaOnly, options.deliversCMYK, options.developsHalfSize,
    ] { write(flag) }
  }

  mutating func write(_ header: ImageHeader) {
    write(header.format.rawValue)
    write(header.size.width)
    write(header.size.height)
    write(header.layout.channels.rawValue)
    write(header.layout.bytesPerSample)
    write(header.sourceColor.rawValue)
    write(header.bitsPerSample)
    write(header.isProgressive)
    write(header.toneMapping != nil)
    if let mapping = header.toneMapping {
      write(mapping.method)
      write(mapping.peak)
    }
    write(header.development != nil)
    guard let development = header.development else { return }
    write(development.decoder)
    write(development.demosaic)
    write(development.highlights)
    write(development.whiteBalance.count)
    for factor in development.whiteBalance { write(factor) }
  }

  mutating func write(_ error: CodecError) {
    switch error {
    case .empty: write(0)
    case .notAnImage(let found):
      write(1)
      write(found)
    case .unsupported(let what):
      write(2)
      write(what)
    case .notBuilt(let format):
      write(3)
      write(format.rawValue)
    case .libraryMissing(let format, let package, let reason):
      write(4)
      write(format.rawValue)
      write(package)
      write(reason)
    case .damaged(let message, let recoveredRows, let rows):
      write(5)
      write(message)
      write(optional: recoveredRows)
      write(optional: rows)
    case .limitExceeded(let limit, let value, let allowed):
      write(6)
      write(limit.rawValue)
      write(value)
      write(allowed)
    case .outOfMemory: write(7)
    case .noThreads: write(8)
    case .encoding, .decoderFailed, .notConfined, .cancelled: write(9)
    }
  }
}

extension DecoderMessageReader {
  mutating func options() throws(CodecError) -> DecoderOptions {
    let limits = ImageLimits(
      maximumPixels: try number(), maximumSide: try number(), maximumScans: try number(),
      maximumMetadataBytes: try number(), maximumMemoryBytes: try number())
    var options = DecoderOptions(limits: limits)
    options.scale = try value()
    options.isLenient = try flag()
    options.decodesLumaOnly = try flag()
    options.deliversCMYK = try flag()
    options.developsHalfSize = try flag()
    return options
  }

  /// Reads a header, which has the properties that any header has.
  mutating func header() throws(CodecError) -> ImageHeader {
    let format: ImageFormat = try value()
    let sides = 1...Int(Int32.max)
    let size = PixelSize(width: try number(in: sides), height: try number(in: sides))
    let layout = RowLayout(channels: try value(), bytesPerSample: try number(in: 1...2))
    let color: SourceColor = try value()
    let bits = try number(in: 1...16)
    let isProgressive = try flag()
    let mapping =
      try flag() ? ToneMapping(method: try text(), peak: try fraction()) : nil
    var development: RawDevelopment?
    if try flag() {
      development = RawDevelopment(
        decoder: try text(), demosaic: try text(), highlights: try text(), whiteBalance: [])
      for _ in 0..<(try number(in: 0...3)) { development?.whiteBalance.append(try fraction()) }
    }
    return ImageHeader(
      format: format, size: size, layout: layout, sourceColor: color, bitsPerSample: bits,
      isProgressive: isProgressive, development: development, toneMapping: mapping)
  }

  mutating func error() throws(CodecError) -> CodecError {
    switch try number() {
    case 0: .empty
    case 1: .notAnImage(found: try text())
    case 2: .unsupported(try text())
    case 3: .notBuilt(try value())
    case 4: .libraryMissing(try value(), package: try text(), reason: try text())
    case 5:
      .damaged(
        message: try text(), recoveredRows: try optionalNumber(), rows: try optionalNumber())
    case 6: .limitExceeded(try value(), value: try number(), allowed: try number())
    case 7: .outOfMemory
    case 8: .noThreads
    default: throw Self.invalid
    }
  }
}
