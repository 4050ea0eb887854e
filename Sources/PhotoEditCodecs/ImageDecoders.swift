// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
public import PhotoEditStorage

/// The decoders of all formats.
public enum ImageDecoders {
  /// Opens an image by its content and reads the header.
  public static func open(_ bytes: FileBytes, options: DecoderOptions = DecoderOptions())
    throws(CodecError) -> any ImageDecoder
  {
    let format = try ImageFormat.detect(bytes.buffer)
    guard format.isReadable else { throw .notBuilt(format) }
    switch format {
    case .jpeg: return try JPEGDecoder(bytes, options: options)
    case .png: return try PNGDecoder(bytes, options: options)
    case .heif, .avif:
      #if HEIF
        return try HEIFDecoder(bytes, options: options)
      #else
        throw .notBuilt(format)
      #endif
    case .webp:
      #if WebP
        return try WebPDecoder(bytes, options: options)
      #else
        throw .notBuilt(format)
      #endif
    case .tiff:
      #if TIFF
        return try TIFFDecoder(bytes, options: options)
      #else
        throw .notBuilt(format)
      #endif
    case .gif:
      #if GIF
        return try GIFDecoder(bytes, options: options)
      #else
        throw .notBuilt(format)
      #endif
    }
  }

  /// Reads and discards a whole image, which finds damage anywhere in the file.
  ///
  /// For a JPEG with one scan, only entropy decoding is done, which saves a third of the work:
  /// reconstruction accepts any coefficients.
  package static func verify(_ bytes: FileBytes) throws(CodecError) {
    let decoder = try open(bytes)
    guard let frame = (decoder as? JPEGDecoder)?.frame, frame.usesSplitDecoding else {
      return try decoder.readToEnd()
    }
    let options = DecoderOptions()
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
    let result = image.bytes.withUnsafeMutableBytes { memory -> Result<Int, CodecError> in
      guard let base = memory.baseAddress else { return .success(0) }
      do throws(CodecError) {
        return .success(
          try decoder.readRows(header.size.height, into: base, bytesPerRow: bytesPerRow))
      } catch {
        return .failure(error)
      }
    }
    _ = try result.get()
    return image
  }
}
