// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

extension ImageMetadata {
  /// Reads the metadata of a HEIC, HEIF or AVIF file.
  ///
  /// The orientation is always `.up`: the file's own rotations and mirrors are part of the image.
  public static func read(
    heif bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(MetadataError) -> ImageMetadata {
    let structure: HEIFStructure
    do throws(BoxError) {
      structure = try HEIFStructure(bytes.buffer)
    } catch {
      var metadata = ImageMetadata()
      metadata.notices = ["The metadata is not read: \(error.message)."]
      return metadata
    }
    var reader = HEIFMetadata(structure, limits: limits)
    try reader.read()
    // The EXIF orientation is compared with the boxes and then dropped.
    var metadata = try ImageMetadata(reader.container, limits: limits)
    metadata.reconcileOrientation(reader.orientation)
    metadata.motionPhotoRange = structure.motionMovie
    return metadata
  }

  /// Drops the EXIF orientation, and adds a notice if it contradicts the boxes.
  ///
  /// Cameras write the same orientation twice, for readers that support only one of the two.
  private mutating func reconcileOrientation(_ orientation: Orientation) {
    if self.orientation != .up, self.orientation != orientation {
      var findings = MetadataDiagnostics()
      findings.notice(
        "EXIF or XMP specifies orientation \(self.orientation.rawValue), the HEIF boxes "
          + "\(orientation.rawValue); the boxes are used.")
      notices += findings.notices
    }
    self.orientation = .up
  }
}
