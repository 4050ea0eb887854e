// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPixels

extension VideoTrack {
  /// How frames are turned upright; nil for transforms that are no quarter turns and mirrorings.
  var orientation: Orientation? {
    guard let matrix else { return .up }
    switch (matrix.a.signum(), matrix.b.signum(), matrix.c.signum(), matrix.d.signum()) {
    case (1, 0, 0, 1): return .up
    case (-1, 0, 0, 1): return .upMirrored
    case (-1, 0, 0, -1): return .down
    case (1, 0, 0, -1): return .downMirrored
    case (0, 1, 1, 0): return .leftMirrored
    case (0, 1, -1, 0): return .right
    case (0, -1, -1, 0): return .rightMirrored
    case (0, -1, 1, 0): return .left
    default: return nil
    }
  }
}
