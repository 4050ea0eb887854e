// SPDX-License-Identifier: Apache-2.0

public struct Mute: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "mute", "Takes the sound out of a movie.",
    peers: "ffmpeg -an -c copy",
    formula: "the tracks of sound are left out",
    source: "ISO/IEC 14496-12, 8.3 (tracks)", family: .movie,
    tolerance: "packets are kept as they are", parameters: [])

  public init() {}
}
