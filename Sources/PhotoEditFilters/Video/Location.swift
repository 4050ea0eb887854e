// SPDX-License-Identifier: Apache-2.0

public struct Location: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "location", "Sets the location of a video.",
    equivalents: "exiftool -Keys:GPSCoordinates; ffmpeg -metadata location",
    formula: "sets com.apple.quicktime.location.ISO6709 and ©xyz",
    source: "ISO 6709, annex H; QuickTime File Format, metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "latitude", \.latitude, unit: .degrees, in: -90...90, identity: 0,
        "Latitude in degrees north."),
      Parameter(
        "longitude", \.longitude, unit: .degrees, in: -180...180, identity: 0,
        "Longitude in degrees east."),
      Parameter(
        "altitude", \.altitude, counts: [0, 1], in: -100_000...100_000,
        "Altitude in meters above sea level, or empty."),
    ])

  public var latitude = 0.0
  public var longitude = 0.0
  /// Meters above sea level; empty if unknown.
  public var altitude: [Double] = []

  public init() {}

  /// Creates the operation.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude.map { [$0] } ?? []
  }
}
