// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

extension UnsupportedMedia {
  /// The error of a file that the user wanted to import.
  func error(_ path: String) -> LibraryError {
    let verdict = kind == .archive ? "it is not imported" : "the format is not supported"
    return LibraryError(.invalidResource, path: path, "\(format); \(verdict)", hint: hint)
  }

  /// Returns the report about a file of no supported format.
  static func line(_ path: String, _ head: [UInt8]) -> ImportedFile {
    guard let media = UnsupportedMedia(head, name: FileSystem.lastName(of: path)) else {
      return ImportedFile(path, .skipped, reason: "not a photo or video")
    }
    return ImportedFile(path, .refused, error: media.error(path))
  }

  private var hint: String {
    switch kind {
    case .image: "convert it to TIFF, PNG or JPEG, and import the result"
    case .video: "convert it to QuickTime, MP4 or Matroska, and import the result"
    case .audio: "convert it to M4A, and import the result"
    case .archive: "specify the archive itself, or unpack it and import the folder"
    }
  }
}
