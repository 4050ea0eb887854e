// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

extension LibraryRebuild {
  /// Finds the names of all places again.
  ///
  /// Originals are read only for places that do not follow from the location: their files may state
  /// them.
  func recomputePlaceNames(_ placeIndex: PlaceIndex) throws(LibraryError) {
    let rows = try database.integers(
      "SELECT id FROM asset WHERE state < 2 AND (latitude IS NOT NULL OR place IS NOT NULL)")
    var changes = 0
    for row in rows {
      let located = try commit.locatedPlace(of: row)
      var place = located.location.flatMap {
        placeIndex.nearest(latitude: $0.latitude, longitude: $0.longitude)?.text
      }
      guard place != located.place else { continue }
      if let current = located.place {
        place = try statedPlace(of: row, unreadable: current) ?? place
      }
      guard place != located.place else { continue }
      try commit.touchAsset(row)
      try database.run(
        "UPDATE asset SET place = ? WHERE id = ?", [.init(place), .integer(row)])
      changes += 1
    }
    outcome.actions.append("places were found for \(changes) assets")
  }

  /// Returns the place that the original or its XMP states.
  ///
  /// - Parameter unreadable: The result if the original cannot be read.
  private func statedPlace(
    of row: Int64, unreadable: String
  ) throws(LibraryError) -> String? {
    let resources = try database.resources(of: row)
    guard let original = resources.original, layout.isFile(original.file) else {
      return unreadable
    }
    return stated(by: original, resources).place
  }
}
