// SPDX-License-Identifier: Apache-2.0

public struct Mute: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "mute", "Removes the audio tracks.",
    equivalents: "ffmpeg -an -c copy",
    formula: "audio tracks are left out",
    source: "ISO/IEC 14496-12, 8.3 (tracks)", dependency: .movie,
    tolerance: "packets are copied unchanged", parameters: [])

  public init() {}
}
