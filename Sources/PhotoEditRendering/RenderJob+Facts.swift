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
  func instance(of scan: Digest?) -> [UInt8] {
    let parts =
      picture.digest.bytes + graph.digest.bytes + Array(options.quality.description.utf8)
      + (scan?.bytes ?? [])
    return Array(Digest(of: parts).bytes.prefix(16))
  }

  /// The map from the stored image to the rendering; nil if it is not affine.
  var geometry: RenderingGeometry? {
    guard isGeometryKnown else { return nil }
    let stored = picture.header.size
    if pixels != nil { return .turn(picture.metadata.orientation) }
    guard !isChain else {
      // An image that was decoded small is cropped in other pixels.
      return decodingScale == .full ? operations.geometry(stored: stored) : nil
    }
    // When several images are combined, only unmoved ones are certain to show the same.
    let stays = parts.allSatisfy { part in part.operations.allSatisfy { !$0.movesPixels } }
    return stays ? .turn(picture.metadata.orientation) : nil
  }
}

extension [FilterOperation] {
  /// Returns the map from the stored image to the result, as unit squares; nil if it is not affine.
  func geometry(stored: PixelSize) -> RenderingGeometry? {
    var map = RenderingGeometry.identity
    var size = stored
    for operation in self {
      switch operation {
      case .orient(let turn): map = map.turned(by: turn)
      case .crop(let region): map = map.cut(to: region, of: size)
      case .resample(let resampling):
        guard resampling.isOfWholePicture else { return nil }
        if resampling.size != size { map.isResampled = true }
      case .area(.pad(let padding)):
        map = map.cut(
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
