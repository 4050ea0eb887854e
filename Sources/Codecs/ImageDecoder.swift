// SPDX-License-Identifier: Apache-2.0
public import Pixels
public import Storage

/// How a file stores colour.
public enum SourceColor: String, Sendable, Hashable {
  /// Brightness alone.
  case gray
  /// Red, green and blue.
  case rgb
  /// Luma and two colour differences.
  case ycbcr
  /// Four inks.
  case cmyk
  /// Four inks, three of them as luma and colour differences.
  case ycck
  /// Numbers of colours in a list.
  case palette
}

/// What a header says.
public struct ImageHeader: Sendable, Hashable {
  /// The format of the file.
  public let format: ImageFormat
  /// Width and height as stored, before any turn.
  public let size: PixelSize
  /// What rows are delivered as.
  public let layout: RowLayout
  /// How the file stores colour.
  public let sourceColor: SourceColor
  /// Bits of one sample in the file, 1 to 16.
  public let bitsPerSample: Int
  /// Whether the file comes in passes over the whole picture.
  public let isProgressive: Bool
}

/// Turns the bytes of one picture into rows, top to bottom, once.
///
/// A decoder is used by one thread at a time.
public protocol ImageDecoder: AnyObject {
  /// What the header says.
  var header: ImageHeader { get }
  /// Oddities found so far.
  var notices: [CodecNotice] { get }

  /// Decodes the next rows.
  ///
  /// - Parameters:
  ///   - count: How many are wanted.
  ///   - base: Where the first one goes; every byte of a delivered row is written.
  ///   - bytesPerRow: From one row to the next, at least what the layout needs.
  /// - Returns: How many were decoded; 0 behind the last one.
  /// - Throws: `CodecError.damaged` when samples are wrong or missing, unless leniency was asked.
  func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> Int
}

/// How to decode.
public struct DecoderOptions: Sendable, Hashable {
  /// What is refused before memory is reserved.
  public var limits: ImageLimits
  /// Whether wrong or missing samples are accepted and reported.
  public var isLenient: Bool
  /// Whether only the Y plane of a YCbCr JPEG is wanted, as gray.
  public var decodesLumaOnly: Bool

  /// Makes options.
  public init(
    limits: ImageLimits = ImageLimits(), isLenient: Bool = false, decodesLumaOnly: Bool = false
  ) {
    self.limits = limits
    self.isLenient = isLenient
    self.decodesLumaOnly = decodesLumaOnly
  }
}

/// Finds the decoder for some bytes.
public enum ImageDecoders {
  /// Opens a picture, judged by content; reads the header and no pixels.
  ///
  /// - Throws: `CodecError` when it is no picture, or one beyond the limits.
  public static func open(
    _ bytes: FileBytes, options: DecoderOptions = DecoderOptions()
  ) throws(CodecError) -> any ImageDecoder {
    switch try ImageFormat.detect(bytes.buffer) {
    case .jpeg: try JPEGDecoder(bytes, options: options)
    case .png: try PNGDecoder(bytes, options: options)
    }
  }

  /// Decodes a whole picture, as it is stored.
  package static func decode(
    _ bytes: FileBytes, options: DecoderOptions = DecoderOptions()
  ) throws(CodecError) -> SampleImage {
    let decoder = try open(bytes, options: options)
    var image = SampleImage(size: decoder.header.size, layout: decoder.header.layout)
    let stride = decoder.header.layout.bytesPerRow(width: decoder.header.size.width)
    let rows = decoder.header.size.height
    try image.bytes.withUnsafeMutableBufferPointer { memory throws(CodecError) in
      guard let first = memory.baseAddress else { return }
      let base = UnsafeMutableRawPointer(first)
      var done = 0
      while done < rows {
        let count = try decoder.readRows(
          rows - done, into: base + done * stride, bytesPerRow: stride)
        if count == 0 { break }
        done += count
      }
    }
    return image
  }
}

extension ImageDecoder {
  /// Decodes all rows and forgets them; finds damage anywhere in the file.
  package func readToEnd() throws(CodecError) {
    let bytesPerRow = header.layout.bytesPerRow(width: header.size.width)
    let count = header.isProgressive && header.format == .png ? header.size.height : 16
    let rows = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, bytesPerRow * count), alignment: 64)
    defer { rows.deallocate() }
    while try readRows(count, into: rows, bytesPerRow: bytesPerRow) > 0 {}
  }
}

extension ImageLimits {
  /// Refuses a picture that is larger than allowed, or has no pixels.
  func check(width: Int, height: Int) throws(CodecError) {
    guard width > 0, height > 0 else {
      throw .damaged(message: "a size of \(width)×\(height)", realRows: 0, rows: height)
    }
    guard max(width, height) <= maximumSide else {
      throw .limitExceeded(
        what: "the longer side in pixels", value: max(width, height), allowed: maximumSide)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixels else {
      throw .limitExceeded(
        what: "the number of pixels", value: overflow ? .max : pixels, allowed: maximumPixels)
    }
  }
}
