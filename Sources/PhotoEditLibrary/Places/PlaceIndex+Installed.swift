// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

extension Place {
  /// The names as files state them.
  var names: PlaceNames? { PlaceNames(city: name, state: region, country: country) }

  /// The text that searches find, such as "Sintra, Lisbon, PT".
  package var text: String { names?.text ?? "" }
}

extension PlaceIndex {
  /// The environment variable with the path of the file of places.
  package static let variable = "PHOTOEDIT_PLACES"
  /// The source and the license of the places, which programs must show.
  package static let attribution = "GeoNames (geonames.org), CC BY 4.0"

  /// The file that the environment names, or the one of the package.
  static let path: String = {
    let named = ProcessInfo.processInfo.environment[variable] ?? ""
    return named.isEmpty ? "/usr/share/photoedit/places.bin" : named
  }()

  /// The places of this computer, read at the first use; nil without a valid file.
  package static let installed = try? open()

  /// Reads the places of this computer; nil without a file.
  static func open() throws(LibraryError) -> PlaceIndex? { try open(path) }

  /// Reads a file of places; nil if it does not exist.
  static func open(_ path: String) throws(LibraryError) -> PlaceIndex? {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(path, maximumBytes: maximumBytes)
    } catch {
      if error.kind == .missing { return nil }
      throw LibraryError(error)
    }
    return try translating(
      {
        LibraryError(
          .invalidResource, "\(path): \($0 as PlaceFileError)",
          hint: "write it again with Tools/places")
      }, PlaceIndex(bytes.array))
  }

  private static let maximumBytes = 64 << 20
}

extension LibraryError {
  static func noPlaceFile(_ path: String) -> LibraryError {
    LibraryError(
      .missingResource, "\(path): no file of places",
      hint: "install photoedit-places, or set \(PlaceIndex.variable) to a file of Tools/places")
  }
}
