// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Returns an identifier that depends on image, graph and quality.
  ///
  /// - Parameter scan: The digest of the encoded data if no graph describes the pixels; nil
  ///   otherwise.
  func instance(of scan: SHA256Digest?) -> [UInt8] {
    let parts =
      image.digest.bytes + graph.digest.bytes + Array(options.quality.description.utf8)
      + (scan?.bytes ?? [])
    return Array(SHA256Digest(of: parts).bytes.prefix(16))
  }

  /// The map from the stored image to the rendering; nil if it is not affine.
  var geometry: RenderingGeometry? {
    guard isGeometryKnown else { return nil }
    let stored = image.header.size
    if pixels != nil { return .orientation(image.metadata.orientation) }
    guard !isChain else {
      // An image that was decoded small is cropped in other pixels.
      return decodingScale == .full ? operations.geometry(stored: stored) : nil
    }
    // When several images are combined, only unmoved ones are known to show the same content.
    let isUnmoved = parts.allSatisfy { part in part.operations.allSatisfy { !$0.movesPixels } }
    return isUnmoved ? .orientation(image.metadata.orientation) : nil
  }
}

extension [FilterOperation] {
  /// Returns the map from the stored image to the result, as unit squares; nil if it is not affine.
  func geometry(stored: PixelSize) -> RenderingGeometry? {
    var map = RenderingGeometry.identity
    var size = stored
    for operation in self {
      switch operation {
      case .orient(let orientation): map = map.rotated(by: orientation)
      case .crop(let region): map = map.cropped(to: region, of: size)
      case .resample(let resampling):
        guard resampling.isOfWholeImage else { return nil }
        if resampling.size != size { map.isResampled = true }
      case .area(.pad(let padding)):
        map = map.cropped(
          to: Region(
            x: -padding.left, y: -padding.top, width: padding.size.width,
            height: padding.size.height),
          of: size)
      default: if operation.movesPixels { return nil }
      }
      size = operation.outputSize(of: size)
    }
    return map
  }
}
