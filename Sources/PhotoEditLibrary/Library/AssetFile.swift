// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// A file of an asset: its type, its path, and its expected contents.
package struct AssetFile: Sendable, Hashable {
  package let type: AssetResourceType
  /// The full path.
  package let path: String
  package let digest: SHA256Digest
  /// The size in bytes.
  package let size: Int
  /// The uniform type identifier, such as "public.jpeg".
  package let uniformType: String
  /// The name with which it was imported.
  package let filename: String
}

extension PhotoLibrary {
  /// Returns the files of an asset, originals first; throws an error for a symbolic link.
  package func files(of asset: Asset) throws(LibraryError) -> [AssetFile] {
    var files: [AssetFile] = []
    for resource in try resources(of: asset) {
      guard let digest = SHA256Digest(bytes: resource.digest) else { continue }
      let path = try inFiles(layout.unlinkedPath(resource.file))
      files.append(
        AssetFile(
          type: resource.type, path: path, digest: digest, size: resource.size,
          uniformType: resource.uniformType, filename: resource.filename))
    }
    return files
  }
}
