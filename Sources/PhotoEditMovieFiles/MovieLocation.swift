// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// A geographic location.
public struct MovieLocation: Sendable, Hashable, CustomStringConvertible {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// Meters above sea level; nil if unknown.
  public let altitude: Double?

  /// Creates a location; nil outside the ranges, and for an altitude over ±100 km.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, abs(altitude ?? 0) <= 100_000 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// The location in the notation of ISO 6709, annex H: "+48.8577+002.2950+035.000/".
  public var description: String {
    Self.text(latitude, whole: 2, fraction: 4) + Self.text(longitude, whole: 3, fraction: 4)
      + (altitude.map { Self.text($0, whole: 3, fraction: 3) } ?? "") + "/"
  }

  private static func text(_ value: Double, whole: Int, fraction: Int) -> String {
    var unit = 1
    for _ in 0..<fraction { unit *= 10 }
    let number = Int((value.magnitude * Double(unit)).rounded())
    return (value < 0 && number > 0 ? "-" : "+") + zeroPadded(number / unit, whole) + "."
      + zeroPadded(number % unit, fraction)
  }
}
