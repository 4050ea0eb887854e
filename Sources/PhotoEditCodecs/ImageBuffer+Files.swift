// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditPixels
import PhotoEditStorage

/// The file formats in which pixels in memory are stored.
public enum PixelEncoding: Sendable, Hashable {
  /// JPEG: 8-bit RGB, or gray with gray settings; at most 65,500 pixels along each side.
  case jpeg(JPEGSettings)
  /// PNG, lossless: gray or RGB, with or without alpha, 8 or 16 bits.
  case png

  /// Returns the file of an image.
  ///
  /// - Parameter profile: The ICC profile of the samples; nil for sRGB.
  /// - Throws: `CodecError.encoding` if the format cannot store such an image or profile.
  package func encode(
    _ image: ImageBuffer, profile: [UInt8]? = nil
  ) throws(CodecError) -> [UInt8] {
    switch self {
    case .png: return try PNGEncoder.encode(image, profile: profile)
    case .jpeg(let settings):
      guard profile == nil else {
        throw .encoding("a JPEG of pixels is in sRGB; write a PNG, which keeps their profile")
      }
      let encoder = JPEGStripEncoder(width: image.size.width, settings: settings)
      let result: Result<[UInt8], CodecError> = image.bytes.withUnsafeBytes { bytes in
        Result { () throws(CodecError) in
          guard let base = bytes.baseAddress else { throw .encoding("the image has no pixels") }
          return try encoder.encode(
            rows: image.size.height, layout: image.layout, from: base,
            bytesPerRow: image.layout.bytesPerRow(width: image.size.width))
        }
      }
      return try result.get()
    }
  }

  /// Writes an image to a file, which is replaced atomically.
  ///
  /// - Parameter profile: The ICC profile of the samples; nil for sRGB.
  package func write(
    _ image: ImageBuffer, profile: [UInt8]? = nil, to file: URL
  ) throws(ImageFileError) {
    let path = file.path
    let bytes = try translating(
      { ImageFileError($0 as CodecError, path: path) }, encode(image, profile: profile))
    try translating(
      { ImageFileError($0 as FileError, path: path) },
      StagedFile.write(bytes, to: path, replacing: true))
  }
}

extension ImageBuffer {
  /// Decodes an image file, with its samples as they are stored.
  ///
  /// Neither the orientation nor the color profile is applied; a `PixelBuffer` has both. Samples
  /// have 8 or 16 bits, and CMYK becomes RGB.
  ///
  /// - Parameters:
  ///   - file: A file of any format that the build reads.
  ///   - limits: The limits of its size and of the memory.
  /// - Throws: `ImageFileError` if the file cannot be read or decoded, or exceeds the limits.
  public init(
    contentsOf file: URL, limits: ImageLimits = ImageLimits()
  ) throws(ImageFileError) {
    let path = file.path
    let bytes = try translating(
      { ImageFileError($0 as FileError, path: path) }, FileBytes.reading(path))
    self = try translating(
      { ImageFileError($0 as CodecError, path: path) },
      ImageDecoders.decode(bytes, options: DecoderOptions(limits: limits)))
  }

  /// Writes the samples to an image file, without metadata and profile.
  ///
  /// - Parameters:
  ///   - file: The file, which is replaced atomically if it exists.
  ///   - encoding: The format of the file.
  /// - Throws: `ImageFileError` if the format cannot store such an image, such as 16 bits in a
  ///   JPEG, or if the file cannot be written.
  public func write(to file: URL, as encoding: PixelEncoding = .png) throws(ImageFileError) {
    try encoding.write(self, to: file)
  }
}

extension PixelBuffer {
  /// Writes the pixels to an image file, without metadata.
  ///
  /// Samples of 8 bits stay what they are; all others are stored with 16 bits, for which floats are
  /// rounded and clamped to their range. A PNG contains the profile of `colorSpace`.
  ///
  /// - Parameters:
  ///   - file: The file, which is replaced atomically if it exists.
  ///   - encoding: The format of the file. A JPEG requires 8 bits and sRGB.
  /// - Throws: `ImageFileError` if the format cannot store such pixels, or if the file cannot be
  ///   written.
  public func write(to file: URL, as encoding: PixelEncoding = .png) throws(ImageFileError) {
    try encoding.write(ImageBuffer(self), profile: colorSpace.icc, to: file)
  }
}
