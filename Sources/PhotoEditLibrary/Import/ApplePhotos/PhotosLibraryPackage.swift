// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The folder of another program's photo library, from which no derived files are imported.
///
/// It also contains renderings, thumbnails and a database, which are not separate photos.
enum PhotosLibraryPackage {
  /// A library of Apple Photos 5 or later.
  case photos
  /// A library of Apple Photos up to version 4, iPhoto or Aperture.
  case masters

  /// Recognizes a library by the contents of the folder; returns nil for any other folder.
  init?(_ folder: String, _ names: [String]) {
    func has(_ path: String) -> Bool { FileSystem.itemExists(folder + "/" + path) }
    let names = Set(names)
    // Without any original on this computer, there is no folder of originals either.
    if has("database/Photos.sqlite") {
      self = .photos
    } else if names.contains("Masters"),
      has("database/photos.db") || has("database/Library.apdb") || has("AlbumData.xml")
        || has("Database/apdb")
    {
      self = .masters
    } else {
      return nil
    }
  }

  private var originals: String {
    switch self {
    case .photos: "originals"
    case .masters: "Masters"
    }
  }

  /// Returns the reason for skipping an item of the folder; nil for the originals.
  ///
  /// - Parameter hasDatabase: Whether the photos are imported according to the database.
  func reasonToPass(_ name: String, hasDatabase: Bool) -> String? {
    if hasDatabase {
      return ["originals", "database"].contains(name)
        ? nil : "derived files of a photo library are not imported"
    }
    return name == originals
      ? nil : "only the files in \(originals) of a photo library are imported"
  }
}
