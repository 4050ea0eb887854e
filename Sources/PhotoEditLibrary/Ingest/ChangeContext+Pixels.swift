// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels

/// How decoded pixels become the file of a new asset.
public enum PixelEncoding: Sendable, Hashable {
  /// JPEG: 8-bit RGB, or gray with gray settings; at most 65,500 pixels along each side.
  case jpeg(JPEGSettings)
  /// PNG, without loss: gray or RGB, with or without alpha, 8 or 16 bits.
  case png
}

extension ChangeContext {
  /// Begins to make an asset of decoded pixels, which are taken for upright sRGB.
  ///
  /// The file says nothing of where the pixels came from: no metadata is taken over. The creation
  /// date is now; the request can set another.
  ///
  /// - Parameters:
  ///   - image: At least one pixel.
  ///   - encoding: How they are written.
  /// - Throws: `changeNotSupported` when the encoding cannot hold such a picture.
  public func createAsset(
    from image: SampleImage, encoding: PixelEncoding
  ) throws(LibraryError) -> AssetCreationRequest {
    try checkOpen()
    let bytes: [UInt8]
    do throws(CodecError) { bytes = try encoding.encode(image) } catch {
      throw LibraryError(
        .changeNotSupported, "no asset can be made of the pixels: \(error)",
        hint: "use PNG, or give pixels that the encoding holds")
    }
    let request = try createAsset()
    try request.addResource(.photo, data: bytes)
    try request.setCreationDate(library.configuration.clock())
    return request
  }
}

extension PixelEncoding {
  fileprivate func encode(_ image: SampleImage) throws(CodecError) -> [UInt8] {
    switch self {
    case .png: return try PNGEncoder.encode(image)
    case .jpeg(let settings):
      let encoder = JPEGStripEncoder(width: image.size.width, settings: settings)
      let result: Result<[UInt8], CodecError> = image.bytes.withUnsafeBytes { bytes in
        Result { () throws(CodecError) in
          guard let base = bytes.baseAddress else { throw .encoding("the picture has no pixels") }
          return try encoder.encode(
            rows: image.size.height, layout: image.layout, from: base,
            bytesPerRow: image.layout.bytesPerRow(width: image.size.width))
        }
      }
      return try result.get()
    }
  }
}
