// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A populated place: its name, its region, and the ISO 3166 code of its country.
package struct Place: Sendable, Hashable {
  package let name: String
  package let region: String
  package let country: String
}

/// A reason why bytes are not an index of places.
package enum PlaceFileError: Error, Hashable, CustomStringConvertible {
  case unknownFormat
  case damaged

  package var description: String {
    switch self {
    case .unknownFormat: "not a file of places"
    case .damaged: "file of places is damaged"
    }
  }
}

/// The populated places of a file that Tools/places writes, by cells of one degree.
///
/// The header is checked at opening, everything else when it is read: damaged cells and names give
/// no place.
package struct PlaceIndex: Sendable {
  /// The maximum distance of a place in meters.
  package static let farthest = 50_000.0
  package let count: Int

  private let bytes: [UInt8]
  private let cellCount: Int
  private let entries: Range<Int>
  private let names: Range<Int>

  package init(_ bytes: [UInt8]) throws(PlaceFileError) {
    guard bytes.starts(with: "PEdPlac1".utf8) else { throw .unknownFormat }
    guard bytes.count >= Self.headerSize else { throw .damaged }
    let header = (0..<6).map { Self.integer(bytes, at: 8 + $0 * 4, size: 4) }
    let (cells, start, end) = (header[1], header[3], header[4])
    guard header[2] == Self.headerSize, cells <= 180 * 360, header[5] == bytes.count,
      start == Self.headerSize + cells * Self.cellSize, start <= end, end <= bytes.count
    else { throw .damaged }
    self.bytes = bytes
    (count, cellCount) = (header[0], cells)
    (entries, names) = (start..<end, end..<bytes.count)
  }

  /// Returns the nearest place by great circle; nil if none is within 50 km.
  ///
  /// Latitude and longitude 0 are what cameras write for an unknown location, so they have no place.
  package func nearest(latitude: Double, longitude: Double) -> Place? {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      latitude != 0 || longitude != 0
    else { return nil }
    var search = PlaceSearch(latitude: latitude, longitude: longitude)
    for row in [search.row, search.row - 1, search.row + 1] where (0..<180).contains(row) {
      guard search.enter(row: row) else { continue }
      for step in 0...search.reach {
        if search.reaches(step) { visit(row, search.column + step, &search) }
        let isOther = step > 0 && step < 180
        if isOther, search.reaches(-step) { visit(row, search.column - step, &search) }
      }
    }
    return search.found.flatMap { place(at: $0) }
  }

  // MARK: Cells

  private static let headerSize = 32
  private static let cellSize = 8

  private static func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
  }

  /// Searches the places of one cell; columns continue across the antimeridian.
  private func visit(_ row: Int, _ column: Int, _ search: inout PlaceSearch) {
    let column = (column + 360) % 360
    guard let entry = cell(row * 360 + column) else { return }
    let members = Self.integer(bytes, at: entry + 2, size: 2)
    let offset = Self.integer(bytes, at: entry + 4, size: 4)
    guard offset <= entries.count else { return }
    var reader = PlaceReader(bytes, entries.lowerBound + offset, entries.upperBound)
    var (latitude, longitude) = (row * 10_000 - 900_000, column * 10_000 - 1_800_000)
    for _ in 0..<members {
      guard let up = reader.number(), let aside = reader.number() else { return }
      latitude += up
      longitude += aside & 1 == 0 ? aside >> 1 : -(aside >> 1) - 1
      // Places are ordered by latitude.
      guard !search.isPast(latitude) else { return }
      search.visit(latitude, longitude, at: reader.position)
      guard reader.skipDetails() else { return }
    }
  }

  /// Returns the position of the entry of a cell; nil for a cell without places.
  private func cell(_ number: Int) -> Int? {
    var range = 0..<cellCount
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let entry = Self.headerSize + middle * Self.cellSize
      let found = Int(bytes[entry]) | Int(bytes[entry + 1]) << 8
      if found == number { return entry }
      range = found < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  // MARK: Names

  private func place(at position: Int) -> Place? {
    var reader = PlaceReader(bytes, position, entries.upperBound)
    guard let name = reader.number(), let region = reader.number(),
      let country = reader.text(length: 2), let name = text(at: name), !name.isEmpty,
      let region = text(at: region)
    else { return nil }
    return Place(name: name, region: region, country: country.filter { $0 != " " })
  }

  private func text(at offset: Int) -> String? {
    guard offset < names.count else { return nil }
    var reader = PlaceReader(bytes, names.lowerBound + offset, names.upperBound)
    guard let length = reader.number(), length <= 200 else { return nil }
    return reader.text(length: length)
  }
}
