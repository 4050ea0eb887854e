// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

extension Picture {
  /// The small copy in EXIF that is best for a size, turned like the picture.
  ///
  /// Cameras put copies with black bars into files of another shape; those are not taken.
  ///
  /// - Parameter longEdge: How long the longer side is wanted; the smallest copy that is as long is
  ///   taken, or else the longest one.
  /// - Returns: Nil where there is no copy of the picture's shape that can be read.
  func embeddedCopy(longEdge: Int, limits: ImageLimits) -> Picture? {
    let copies = metadata.embeddedPreviews.compactMap { bytes -> Picture? in
      // What cannot be read is no copy.
      guard let copy = try? Picture(FileBytes(bytes), limits: limits),
        copy.frame != nil, hasShape(of: copy.header.size)
      else { return nil }
      return copy
    }
    let bySize = copies.sorted { $0.size.longEdge < $1.size.longEdge }
    guard var copy = bySize.first(where: { $0.size.longEdge >= longEdge }) ?? bySize.last else {
      return nil
    }
    copy.turn(metadata.orientation)
    return copy
  }

  /// Whether a size has the shape of the stored picture, up to a pixel of rounding.
  private func hasShape(of copy: PixelSize) -> Bool {
    let (width, height) = (Double(header.size.width), Double(header.size.height))
    let expected = Double(copy.width) * height / width
    return abs(expected - Double(copy.height)) <= max(1, height / width)
  }
}
