// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A search for the place nearest to a point, with bounds that exclude most cells and places.
///
/// Distances are compared as the haversine of their angle.
struct PlaceSearch {
  /// The cell of the point.
  let row: Int
  let column: Int
  /// The number of columns to search on either side; degrees of longitude are short near the poles.
  let reach: Int
  /// The position of the nearest place in the file, so far.
  private(set) var found: Int?

  private let latitude: Double
  private let longitude: Double
  private let cosine: Double
  /// The smallest cosine of a latitude in the current row.
  private var rowCosine = 0.0
  private var nearest: Double
  /// The largest differences of nearer places, in the file's units; those of a row for longitudes.
  private var latitudeBound = 0.0
  private var longitudeBound = 0.0

  private static let radian = Double.pi / 180
  private static let unitsPerDegree = 10_000.0

  init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
    row = min(Int(latitude + 90), 179)
    column = min(Int(longitude + 180), 359)
    cosine = cos(latitude * Self.radian)
    let angle = PlaceIndex.farthest / GreatCircle.earthRadius
    let edge = abs(latitude) + angle / Self.radian
    let width = angle / Self.radian / cos(edge * Self.radian)
    reach = edge >= 90 || width > 179 ? 180 : Int(width.rounded(.up))
    nearest = GreatCircle.haversine(angle)
    setBounds()
  }

  /// Returns the angle of a haversine in units of the file, rounded up.
  private static func units(_ haversine: Double) -> Double {
    GreatCircle.angle(haversine: haversine) / radian * unitsPerDegree + 1
  }

  private mutating func setBounds() {
    latitudeBound = Self.units(nearest)
    longitudeBound = Self.units(min(1, nearest / max(cosine * rowCosine, 1e-12)))
  }

  /// Starts with a row of cells; returns false if it has no nearer place.
  mutating func enter(row: Int) -> Bool {
    let south = Double(row - 90)
    let distance = max(0, south - latitude, latitude - (south + 1))
    guard distance * Self.unitsPerDegree <= latitudeBound else { return false }
    rowCosine = max(0, min(cos(south * Self.radian), cos((south + 1) * Self.radian)))
    setBounds()
    return true
  }

  /// Returns whether the column at some steps to the east may have a nearer place.
  func reaches(_ steps: Int) -> Bool {
    guard steps != 0 else { return true }
    let west = Double(column - 180 + steps)
    let distance = steps > 0 ? west - longitude : longitude - (west + 1)
    // Beyond half a turn, the column is nearer in the other direction.
    return distance * Self.unitsPerDegree <= longitudeBound || distance >= 179
  }

  /// Returns whether a latitude and those north of it are too far north.
  func isPast(_ latitude: Int) -> Bool {
    Double(latitude) - self.latitude * Self.unitsPerDegree > latitudeBound
  }

  /// Adopts a place that is nearer.
  mutating func visit(_ latitude: Int, _ longitude: Int, at position: Int) {
    let up = Double(latitude) - self.latitude * Self.unitsPerDegree
    guard -up <= latitudeBound else { return }
    var aside = abs(Double(longitude) - self.longitude * Self.unitsPerDegree)
    aside = min(aside, abs(360 * Self.unitsPerDegree - aside))
    guard aside <= longitudeBound else { return }
    let scale = Self.radian / Self.unitsPerDegree
    let distance =
      GreatCircle.haversine(up * scale)
      + cosine * cos(Double(latitude) * scale) * GreatCircle.haversine(aside * scale)
    guard distance < nearest else { return }
    (nearest, found) = (distance, position)
    setBounds()
  }
}

/// A reader of the numbers and texts in a part of the file.
struct PlaceReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  init(_ bytes: [UInt8], _ position: Int, _ end: Int) {
    (self.bytes, self.position, self.end) = (bytes, position, end)
  }

  /// Returns the next number of at most 35 bits; nil if it is truncated or larger.
  mutating func number() -> Int? {
    var (value, shift) = (0, 0)
    while position < end, shift < 35 {
      let byte = Int(bytes[position])
      position += 1
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Skips the name, the region and the country of a place; returns false at the end.
  mutating func skipDetails() -> Bool {
    guard number() != nil, number() != nil, end - position >= 2 else { return false }
    position += 2
    return true
  }

  /// Returns the next text; nil if it is truncated or has control characters.
  mutating func text(length: Int) -> String? {
    guard length <= end - position else { return nil }
    defer { position += length }
    let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
    return text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : text
  }
}

/// Angles between points on a sphere, in radians, and the radius that makes them distances.
enum GreatCircle {
  /// Earth's mean radius in meters.
  static let earthRadius = 6_371_008.8

  static func haversine(_ angle: Double) -> Double {
    let sine = sin(angle / 2)
    return sine * sine
  }

  static func angle(haversine: Double) -> Double { 2 * asin(min(1, haversine.squareRoot())) }
}
