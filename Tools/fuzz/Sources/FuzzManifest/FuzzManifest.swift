// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditContainers
@testable import PhotoEditFilters
@testable import PhotoEditLibrary

/// Parses the manifest of an asset or album; it must survive a round trip and may name only files
/// of its own folder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSONValue(parsing: bytes, limits: LibraryLayout.manifestLimits) else {
    return 0
  }
  if let asset = AssetManifest(json) {
    precondition(AssetManifest(asset.json) == asset, "an asset manifest changed")
    for name in asset.resources.map(\.file) + asset.journal.map(\.file) {
      precondition(!name.contains("/") && name != "..", "a manifest names a file in another folder")
    }
  }
  if let collection = CollectionManifest(json) {
    let written = try? JSONValue(
      parsing: Array(collection.text.utf8), limits: LibraryLayout.manifestLimits)
    precondition(
      written.flatMap { CollectionManifest($0) } == collection, "a collection changed")
  }
  return 0
}
