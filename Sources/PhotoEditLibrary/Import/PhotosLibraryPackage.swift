// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The folder of another program's photo library, from which only originals are imported.
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
    if names.contains("originals"), has("database/Photos.sqlite") {
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
  func reasonToPass(_ name: String) -> String? {
    name == originals
      ? nil : "only the files in \(originals) of a photo library are imported"
  }
}
