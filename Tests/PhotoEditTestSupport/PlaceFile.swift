// SPDX-License-Identifier: Apache-2.0
/// The bytes of a file of places, in the layout that Tools/places writes.
package struct PlaceFile {
  /// A place in units of 1/10000 degree.
  package typealias Member = (
    latitude: Int, longitude: Int, name: String, region: String, country: String
  )

  package private(set) var bytes: [UInt8] = []

  package init(_ members: [Member]) {
    let cells = Dictionary(grouping: members) { place in
      let row = min((place.latitude + 900_000) / 10_000, 179)
      return row * 360 + min((place.longitude + 1_800_000) / 10_000, 359)
    }
    var (table, entries, names): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var offsets: [String: Int] = [:]
    for text in members.flatMap({ [$0.name, $0.region] }) where offsets[text] == nil {
      offsets[text] = names.count
      names += Self.number(text.utf8.count) + Array(text.utf8)
    }
    for (cell, members) in cells.sorted(by: { $0.key < $1.key }) {
      table += Self.little(cell, 2) + Self.little(members.count, 2) + Self.little(entries.count, 4)
      var (latitude, longitude) = (
        cell / 360 * 10_000 - 900_000, cell % 360 * 10_000 - 1_800_000
      )
      for place in members.sorted(by: { $0.latitude < $1.latitude }) {
        let aside = place.longitude - longitude
        entries += Self.number(place.latitude - latitude)
        entries += Self.number(aside >= 0 ? aside * 2 : -aside * 2 - 1)
        entries += [place.name, place.region].flatMap { Self.number(offsets[$0] ?? 0) }
        entries += Array(place.country.utf8)
        (latitude, longitude) = (place.latitude, place.longitude)
      }
    }
    let start = 32 + table.count
    let header = [
      members.count, cells.count, 32, start, start + entries.count,
      start + entries.count + names.count,
    ]
    bytes = Array("PEdPlac1".utf8) + header.flatMap { Self.little($0, 4) } + table + entries + names
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private static func number(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + number(value >> 7)
  }

  /// Some places, of which two are across the antimeridian and one is near a pole.
  package static let sample = PlaceFile([
    (387_263, -91_484, "Lisbon", "Lisbon", "PT"), (388_029, -93_817, "Sintra", "Lisbon", "PT"),
    (386_979, -94_210, "Cascais", "Lisbon", "PT"),
    (-168_000, 1_799_900, "Western", "Fiji", "FJ"), (-168_000, -1_799_000, "Eastern", "Fiji", "FJ"),
    (899_000, 1_000_000, "Ice Camp", "", "NO"), (1_000, 1_000, "Buoy", "", "ST"),
  ])
}
