// SPDX-License-Identifier: Apache-2.0

extension ImageMetadata {
  /// The JPEGs inside of the EXIF data: the thumbnail, and previews in maker notes; at most 16.
  package var embeddedPreviews: [[UInt8]] {
    guard hasPreviews, let exif = segments.first(where: { $0.kind == .exif }) else { return [] }
    return EmbeddedPreview.ranges(in: exif.payload).prefix(16).map { Array(exif.payload[$0]) }
  }
}
