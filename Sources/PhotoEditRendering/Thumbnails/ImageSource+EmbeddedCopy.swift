// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

extension ImageSource {
  /// Returns the thumbnail in EXIF that is best for a size, with the orientation of the image.
  ///
  /// Cameras store thumbnails with black bars in files with another aspect ratio; those are not
  /// used.
  ///
  /// - Parameter longEdge: The requested length of the longer side; the smallest thumbnail of at
  ///   least that length is used, or otherwise the longest one.
  /// - Returns: Nil if there is no readable thumbnail with the image's aspect ratio.
  func embeddedCopy(longEdge: Int, limits: ImageLimits) -> ImageSource? {
    let copies = metadata.embeddedPreviews.compactMap { bytes -> ImageSource? in
      // An unreadable thumbnail is ignored.
      guard let copy = try? ImageSource(FileBytes(bytes), limits: limits),
        copy.frame != nil, hasShape(of: copy.header.size)
      else { return nil }
      return copy
    }
    let bySize = copies.sorted { $0.size.longEdge < $1.size.longEdge }
    guard var copy = bySize.first(where: { $0.size.longEdge >= longEdge }) ?? bySize.last else {
      return nil
    }
    copy.setOrientation(metadata.orientation)
    return copy
  }

  /// Returns whether a size has the aspect ratio of the stored image, within one pixel of rounding.
  private func hasShape(of copy: PixelSize) -> Bool {
    let (width, height) = (Double(header.size.width), Double(header.size.height))
    let expected = Double(copy.width) * height / width
    return abs(expected - Double(copy.height)) <= max(1, height / width)
  }
}
