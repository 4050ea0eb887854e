// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// A file of an asset as recorded in the rows.
struct StoredFile {
  let file: String
  let digest: [UInt8]
  /// The size in bytes.
  let size: Int
  /// The type; nil for a file that only undo and redo need.
  let type: AssetResourceType?
  /// The date of a commit, in seconds since 1970, no earlier than that which added the file.
  fileprivate(set) var date = 0.0

  /// Returns whether a version of the file may have been written after the commit.
  ///
  /// A file that was added later than the other files of its asset counts as well, and so does a
  /// copy of the library that did not preserve times. The precision of file systems differs.
  func isWritten(_ version: FileVersion) -> Bool { version.modificationTime > date + 0.001 }
}

extension LibraryDatabase {
  /// Returns all files of an asset, with the dates to compare their modification times with.
  func storedFiles(of asset: Int64) throws(LibraryError) -> [StoredFile] {
    let dates = try first(
      "SELECT addedDate, contentModificationDate FROM asset WHERE id = ?", [.integer(asset)]
    ) { (added: $0.real(0), edited: max($0.real(0), $0.real(1))) }
    var files = try resources(of: asset).map {
      StoredFile(file: $0.file, digest: $0.digest, size: $0.size, type: $0.type)
    }
    files += try journalFiles(of: asset).map {
      StoredFile(file: $0.file, digest: $0.digest, size: $0.size, type: nil)
    }
    for i in files.indices {
      let isOriginal = AssetFolder.derivedType(of: FileSystem.lastName(of: files[i].file)) == nil
      files[i].date = (isOriginal ? dates?.added : dates?.edited) ?? 0
    }
    return files
  }
}

extension AssetResourceType {
  var isDecodedByChecks: Bool {
    switch self {
    case .photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto: true
    default: false
    }
  }
}
