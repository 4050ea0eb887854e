// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditSQLite

/// The names of places, which follow from the locations of assets whose files state none.
extension ChangeTransaction {
  func place(at location: LocationCoordinate?) -> String? {
    guard let location else { return nil }
    return placeIndex()?.nearest(latitude: location.latitude, longitude: location.longitude)?.text
  }

  struct LocatedPlace {
    var location: LocationCoordinate?
    var place: String?
  }

  func locatedPlace(of row: Int64) throws(LibraryError) -> LocatedPlace {
    try database.first(
      "SELECT latitude, longitude, place FROM asset WHERE id = ?", [.integer(row)]
    ) { LocatedPlace($0) } ?? LocatedPlace()
  }

  /// Updates the place of an asset whose location may have changed.
  ///
  /// A place other than that of the previous location was stated by the file and is kept.
  func updatePlace(of row: Int64, from old: LocatedPlace) throws(LibraryError) {
    let location = try locatedPlace(of: row).location
    guard location != old.location, old.place == nil || old.place == place(at: old.location)
    else { return }
    try database.run(
      "UPDATE asset SET place = ? WHERE id = ?", [.init(place(at: location)), .integer(row)])
  }
}

extension ChangeTransaction.LocatedPlace {
  init(_ row: Row) {
    if let latitude = row.optionalReal(0), let longitude = row.optionalReal(1) {
      location = LocationCoordinate(latitude: latitude, longitude: longitude)
    }
    place = row.optionalText(2)
  }
}

extension PhotoLibrary {
  /// Returns the names of an asset's place: those of its location or of its XMP file, if they are
  /// what the library has.
  ///
  /// The original has its own names.
  func placeNames(of asset: Asset, _ resources: [ResourceRecord]) -> PlaceNames? {
    guard let text = asset.place else { return nil }
    let located = asset.location.flatMap {
      configuration.placeIndex()?.nearest(latitude: $0.latitude, longitude: $0.longitude)
    }
    if let located, located.text == text { return located.names }
    let stated = (try? layout.sidecar(in: resources))?.place
    return DeviceProperties.place(stated) == text ? stated : nil
  }
}
