// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Bytes that differ where picture, recipe or quality do.
  ///
  /// - Parameter scan: What came of pixels that no recipe tells; nil where there is one.
  func instance(of scan: Digest?) -> [UInt8] {
    let parts =
      picture.digest.bytes + graph.digest.bytes + Array(options.quality.description.utf8)
      + (scan?.bytes ?? [])
    return Array(Digest(of: parts).bytes.prefix(16))
  }

  /// Where the points of the stored picture lie in the rendering; nil where no such map is affine.
  var geometry: RenderingGeometry? {
    guard isGeometryKnown else { return nil }
    let stored = picture.header.size
    if pixels != nil { return .turn(picture.metadata.orientation) }
    guard !isChain else {
      // A picture that was decoded small is cut in other pixels.
      return decodingScale == .full ? operations.geometry(stored: stored) : nil
    }
    // Where several pictures meet, only those that stay in their places are sure to show the same.
    let stays = parts.allSatisfy { part in part.operations.allSatisfy { !$0.movesPixels } }
    return stays ? .turn(picture.metadata.orientation) : nil
  }
}

extension [FilterOperation] {
  /// The map from the stored picture to the result, as unit squares; nil when it is not affine.
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
