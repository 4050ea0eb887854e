// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// The originals of a library as a manifest for `plan`.
struct RunManifestWriter {
  let library: PhotoLibrary
  /// Indicates whether edited photos are included; the result would replace their edit.
  let includesEdited: Bool

  /// Writes a line for each photo, and warns about what is omitted.
  func write(
    _ assets: FetchResult<Asset>, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var (editedCount, otherCount) = (0, 0)
    for asset in assets {
      try environment.checkCancellation()
      guard asset.mediaType == .image, !asset.mediaSubtypes.contains(.photoLive),
        let original = try inLibrary(library.original(of: asset))
      else {
        otherCount += 1
        continue
      }
      guard includesEdited || !asset.hasAdjustments else {
        editedCount += 1
        continue
      }
      let path = try mapFileErrors(FileSystem.resolved(original.path))
      var fields: [String: JSONValue] = [
        "id": .string(asset.localIdentifier), "src": .string("file://" + path),
        "sha256": .string(original.digest.hex),
      ]
      if let size = FileVersion(path)?.size { fields["bytes"] = .whole(size) }
      environment.output.write(try JSONValue.object(fields).canonicalText() + "\n")
    }
    if otherCount > 0 { environment.warn("\(otherCount) videos and Live Photos were omitted") }
    if editedCount > 0 {
      environment.warn("\(editedCount) edited photos were omitted; --replace includes them")
    }
  }
}
