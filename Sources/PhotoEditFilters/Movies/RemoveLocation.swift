// SPDX-License-Identifier: Apache-2.0

public struct RemoveLocation: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "removeLocation", "Takes every place out of a movie.",
    peers: "exiftool -Keys:GPSCoordinates= -UserData:GPSCoordinates=",
    formula: "no key, no user data and no track tells a place",
    source: "ISO 6709, annex H; QuickTime File Format, metadata keys", family: .movie,
    tolerance: "packets are kept as they are", parameters: [])

  public init() {}
}
