// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// Lookup of assets and originals by content.
extension PhotoLibrary {
  /// Returns the local identifier of the asset with an original of these bytes, or nil if there is
  /// none that this process may access.
  package func identifier(
    ofOriginal digest: SHA256Digest
  ) throws(LibraryError) -> String? {
    try reader.read { database throws(LibraryError) in
      try database.asset(withOriginal: digest)
    }.flatMap { reader.visibleName($0) }
  }

  /// Returns the path and the digest of an asset's original, or nil if it has none.
  package func original(
    of asset: Asset
  ) throws(LibraryError) -> (path: String, digest: SHA256Digest)? {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset),
      let original = try reader.versions(of: identifier).original,
      let digest = SHA256Digest(bytes: original.digest)
    else { return nil }
    return (reader.layout.path(original.file), digest)
  }
}
