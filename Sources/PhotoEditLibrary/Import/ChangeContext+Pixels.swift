// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels
import PhotoEditStorage

/// The file formats for creating an asset from decoded pixels.
public enum PixelEncoding: Sendable, Hashable {
  /// JPEG: 8-bit RGB, or gray with gray settings; at most 65,500 pixels along each side.
  case jpeg(JPEGSettings)
  /// PNG, lossless: gray or RGB, with or without alpha, 8 or 16 bits.
  case png
}

extension ChangeContext {
  /// Adds a request to create an asset from decoded pixels, which must be sRGB and oriented `up`.
  ///
  /// The file does not include metadata of the source. The creation date is the current date; the
  /// request can set another.
  ///
  /// - Parameters:
  ///   - image: An image with at least one pixel.
  ///   - encoding: The file format.
  /// - Throws: `changeNotSupported` if the format cannot store such an image.
  public func createAsset(
    from image: ImageBuffer, encoding: PixelEncoding
  ) throws(LibraryError) -> AssetCreationRequest {
    try checkOpen()
    let bytes = try translating(
      {
        LibraryError(
          .changeNotSupported, "cannot create an asset from the pixels: \($0 as CodecError)",
          hint: "use PNG, or pixels that the encoding supports")
      }, encoding.encode(image))
    let request = try createAsset()
    try request.addResource(.photo, data: bytes)
    try request.setCreationDate(library.configuration.clock())
    return request
  }
}

extension PixelEncoding {
  fileprivate func encode(_ image: ImageBuffer) throws(CodecError) -> [UInt8] {
    switch self {
    case .png: return try PNGEncoder.encode(image)
    case .jpeg(let settings):
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
}
