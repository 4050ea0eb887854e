// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// A file of an asset: what it is, where it lies, and what must be in it.
package struct AssetFile: Sendable, Hashable {
  package let type: AssetResourceType
  /// The whole path.
  package let path: String
  package let digest: Digest
  /// Bytes.
  package let size: Int
  /// Such as "public.jpeg".
  package let uniformType: String
  /// The name that it came with.
  package let filename: String
}

extension PhotoLibrary {
  /// The files of an asset, originals first; refused where one is a link that leads elsewhere.
  package func files(of asset: Asset) throws(LibraryError) -> [AssetFile] {
    var files: [AssetFile] = []
    for resource in try resources(of: asset) {
      guard let digest = Digest(bytes: resource.digest) else { continue }
      let path = try inFiles(layout.unlinkedPath(resource.file))
      files.append(
        AssetFile(
          type: resource.type, path: path, digest: digest, size: resource.size,
          uniformType: resource.uniformType, filename: resource.filename))
    }
    return files
  }
}
