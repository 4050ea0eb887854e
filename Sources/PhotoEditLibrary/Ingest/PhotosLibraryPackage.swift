// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The folder of another program's photo library, of which an import takes the originals alone.
///
/// Beside them are renderings, thumbnails and a database, which are no photos of their own.
enum PhotosLibraryPackage {
  /// A library of Apple's Photos 5 and later.
  case photos
  /// A library of Apple's Photos up to 4, of iPhoto or of Aperture.
  case masters

  /// Recognizes a folder by what is in it; nil for any other.
  init?(_ folder: String, _ names: [String]) {
    func has(_ path: String) -> Bool { FileSystem.isThere(folder + "/" + path) }
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

  /// Why something in the folder is passed over; nil for the originals.
  func reasonToPass(_ name: String) -> String? {
    name == originals
      ? nil : "the folder is a photo library, of which only the files in \(originals) are imported"
  }
}
