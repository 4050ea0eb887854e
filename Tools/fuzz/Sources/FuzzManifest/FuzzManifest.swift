// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditContainers
@testable import PhotoEditFilters
@testable import PhotoEditLibrary

/// Reads the manifest of an asset or of an album; what is read must be written, and read back as the
/// same, and may name files of its own folder only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSONValue(parsing: bytes, limits: LibraryLayout.manifestLimits) else {
    return 0
  }
  if let asset = AssetManifest(json) {
    precondition(AssetManifest(asset.json) == asset, "a manifest of an asset is not read back")
    for name in asset.resources.map(\.file) + asset.journal.map(\.file) {
      precondition(!name.contains("/") && name != "..", "a manifest names a file elsewhere")
    }
  }
  if let collection = CollectionManifest(json) {
    let written = try? JSONValue(
      parsing: Array(collection.text.utf8), limits: LibraryLayout.manifestLimits)
    precondition(
      written.flatMap { CollectionManifest($0) } == collection, "a collection is not read back")
  }
  return 0
}
