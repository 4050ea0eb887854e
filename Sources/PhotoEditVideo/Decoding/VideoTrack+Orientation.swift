// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPixels

extension VideoTrack {
  /// The orientation to apply to frames; nil for transformation matrices other than 90° rotations
  /// and flips.
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
