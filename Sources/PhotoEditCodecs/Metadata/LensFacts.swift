// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// Facts by which the correction of a lens is decided.
extension ImageMetadata {
  /// Indicates that the settings of Camera Raw, with which the file was developed, correct the lens.
  package var hasCorrectedLens: Bool {
    MetadataSources(segments).xmp?.text(.cameraRaw, "LensProfileEnable") == "1"
  }

  /// The size that EXIF states, which cropping with other programs often leaves as it was.
  package var statedSize: PixelSize? {
    guard let exif = MetadataSources(segments).exif,
      let directory = exif.directory(pointedToBy: ExifTag.exifDirectory, in: exif.main),
      let width = directory.entry(ExifTag.pixelXDimension).flatMap({ exif.integer($0) }),
      let height = directory.entry(ExifTag.pixelYDimension).flatMap({ exif.integer($0) }),
      width > 0, height > 0
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}
