// SPDX-License-Identifier: Apache-2.0
import Database

extension PhotoLibrary {
  /// The files of an asset as they are now, by PhotoKit's numbers of their types.
  func resources(of asset: Asset) throws(LibraryError) -> [ResourceRecord] {
    try read { database throws(LibraryError) in
      try database.all(
        """
        SELECT type, file, digest, size, uniformType, filename FROM resource
        WHERE asset = ? ORDER BY type
        """, [.integer(asset.row)]
      ) { row in
        AssetResourceType(rawValue: Int(row.int(0))).map {
          ResourceRecord(
            type: $0, file: row.text(1), digest: row.blob(2), size: Int(row.int(3)),
            uniformType: row.text(4), filename: row.text(5))
        }
      }.compactMap { $0 }
    }
  }
}
