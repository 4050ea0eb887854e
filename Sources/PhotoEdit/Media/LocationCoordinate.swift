// SPDX-License-Identifier: Apache-2.0

/// A location on Earth, in WGS 84.
public struct LocationCoordinate: Sendable, Hashable, Codable {
  /// Degrees north, from −90 to 90.
  public var latitude: Double
  /// Degrees east, from −180 to 180.
  public var longitude: Double
  /// Meters above sea level; nil if not known.
  public var altitude: Double?

  /// Creates a location; nil if a coordinate is out of range or not a number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      altitude?.isFinite != false
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

extension LocationCoordinate {
  /// Creates a location from ISO 6709 text such as "+37.3318-122.0312+010.00/": degrees, or
  /// degrees, minutes, and seconds without a separator.
  package init?(iso6709 text: String) {
    var numbers: [(digits: String, value: Double)] = []
    var current = ""
    func appendNumber() -> Bool {
      guard !current.isEmpty else { return true }
      guard let value = Double(current), value.isFinite else { return false }
      numbers.append((current, value))
      return true
    }
    for character in text.utf8.prefix(100) {
      switch character {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard appendNumber() else { return nil }
        current = character == UInt8(ascii: "-") ? "-" : "+"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        guard !current.isEmpty else { return nil }
        current.unicodeScalars.append(Unicode.Scalar(character))
      default:
        // The reference system or the slash ends the coordinates.
        guard appendNumber(), numbers.count >= 2 else { return nil }
        current = ""
      }
      if current.isEmpty { break }
    }
    guard appendNumber(), numbers.count >= 2 else { return nil }
    self.init(
      latitude: Self.degrees(numbers[0], whole: 2), longitude: Self.degrees(numbers[1], whole: 3),
      altitude: numbers.count > 2 ? numbers[2].value : nil)
  }

  /// Converts a number such as "+4852.5" to degrees; the number of digits determines its format.
  private static func degrees(_ number: (digits: String, value: Double), whole: Int) -> Double {
    let digits = number.digits.dropFirst().prefix { $0 != "." }.count
    let magnitude = abs(number.value)
    let sign = number.value < 0 ? -1.0 : 1
    switch digits - whole {
    case 2:
      return sign
        * ((magnitude / 100).rounded(.down)
          + magnitude.truncatingRemainder(dividingBy: 100) / 60)
    case 4:
      let minutes = (magnitude / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
      return sign
        * ((magnitude / 10_000).rounded(.down) + minutes / 60
          + magnitude.truncatingRemainder(dividingBy: 100) / 3600)
    default: return number.value
    }
  }
}
