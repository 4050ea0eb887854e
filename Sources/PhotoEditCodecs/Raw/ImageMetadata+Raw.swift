// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

extension ImageMetadata {
  /// Reads the metadata of a camera raw file.
  ///
  /// The orientation is always `.up`, because it is applied when the file is developed. Previews,
  /// and tags that describe the sensor, do not belong to the developed image and are not losses.
  static func read(raw bytes: FileBytes, limits: ImageLimits) -> ImageMetadata {
    // Damaged metadata is not a reason to reject the image.
    var metadata = (try? CameraRawFormat(bytes, limits: limits))??.metadata ?? ImageMetadata()
    metadata.segments.removeAll { $0.kind == .icc || $0.kind == .mpf }
    (metadata.icc, metadata.iccColorSpace, metadata.iccDescription) = (nil, nil, nil)
    metadata.orientation = .up
    metadata.statedColor = .developed
    metadata.losses.removeAll { ![.damagedMetadata, .exif, .xmp].contains($0.kind) }
    (metadata.gainMapRange, metadata.motionPhotoRange) = (nil, nil)
    return metadata
  }
}

extension DeclaredColorSpace {
  /// The linear light of developed raw files.
  static let developed = DeclaredColorSpace(
    origin: "development", name: "Display P3", primaries: .displayP3, transfer: .linear,
    precedesProfile: true)
}
