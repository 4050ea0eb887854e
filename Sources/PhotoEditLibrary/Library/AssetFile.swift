// SPDX-License-Identifier: Apache-2.0
import Database
package import Storage

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
  /// The files of an asset, originals first.
  package func files(of asset: Asset) throws(LibraryError) -> [AssetFile] {
    let layout = layout
    return try read { database throws(LibraryError) in
      try database.all(
        """
        SELECT type, file, lower(hex(digest)), size, uniformType, filename FROM resource
        WHERE asset = ? ORDER BY type
        """, [.integer(asset.row)]
      ) { row -> AssetFile? in
        guard let type = AssetResourceType(rawValue: Int(row.int(0))),
          let digest = Digest(row.text(2))
        else { return nil }
        return AssetFile(
          type: type, path: layout.path(row.text(1)), digest: digest, size: Int(row.int(3)),
          uniformType: row.text(4), filename: row.text(5))
      }.compactMap { $0 }
    }
  }
}
