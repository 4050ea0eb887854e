// SPDX-License-Identifier: Apache-2.0

public struct RemoveLocation: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "removeLocation", "Removes all location data from a video.",
    equivalents: "exiftool -Keys:GPSCoordinates= -UserData:GPSCoordinates=",
    formula: "removes keys, user data and tracks that contain a location",
    source: "ISO 6709, annex H; QuickTime File Format, metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged", parameters: [])

  public init() {}
}
