// SPDX-License-Identifier: Apache-2.0
import PhotoEditRendering
import PhotoEditStorage

/// Exported copies for the web or for print.
extension Exporter {
  /// Returns the files that remain if photos are exported as copies: no videos of Live Photos.
  static func choose(copiesOf resources: [ResourceRecord]) -> [ResourceRecord] {
    let stills = resources.filter(\.isStill)
    return stills.isEmpty ? resources : stills
  }

  /// The note about a video that is exported along with photos whose metadata is removed.
  static let keptMetadata =
    "its metadata is not removed, because videos are written as they are; the filter "
    + "removeLocation removes the location"

  /// Writes a copy of a photo, with the properties of its asset.
  func write(
    _ shape: CopyShape, of resource: ResourceRecord, at path: String,
    with embedded: EmbeddedMetadata?, to staged: String
  ) throws(LibraryError) -> EmbeddedMetadata.Written {
    let bytes = try EmbeddedMetadata.read(resource, path)
    let rendering = try translating({ LibraryError($0 as RenderError, path: path) }) {
      () throws(RenderError) in
      var options = RenderOptions()
      options.isCancelled = isCancelled
      return try shape.render(try ImageSource(bytes), options: options)
    }
    if let maximum = shape.maximumBytes, rendering.jpeg.count > maximum {
      throw LibraryError(
        .invalidResource, path: path,
        "a copy has \(rendering.jpeg.count) bytes at quality \(CopyShape.lowestQuality), more than "
          + "\(maximum)",
        hint: "reduce its size")
    }
    let (jpeg, note) = embedded?.embed(into: rendering.jpeg) ?? (rendering.jpeg, nil)
    return try EmbeddedMetadata.write(jpeg, note, to: staged)
  }
}
