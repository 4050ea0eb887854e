// SPDX-License-Identifier: Apache-2.0

public struct Trim: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "trim", "Keeps a stretch of a movie, from the key frame at or before its start.",
    aliases: ["cut"],
    peers: "ffmpeg -ss/-to -c copy; avconvert --start/--duration",
    formula: "out(t) = in(k + t), k = the last key frame at or before start",
    source: "ISO/IEC 14496-12, 8.6 (times and key frames of samples)", family: .movie,
    tolerance: "packets are kept as they are",
    parameters: [
      Parameter(
        "start", \.start, unit: .seconds, in: 0...1_000_000, ui: 0...60, neutral: 0,
        "Where to begin."),
      Parameter(
        "end", \.end, unit: .seconds, in: 0...1_000_000, ui: 0...60, neutral: 0,
        "Where to end; 0 keeps the end of the movie."),
    ])

  public var start = 0.0
  public var end = 0.0

  public init() {}

  /// Creates the operation.
  public init(start: Double, end: Double = 0) {
    self.start = start
    self.end = end
  }

  public func validate() throws(ParameterError) {
    guard end == 0 || end > start else {
      throw conflict("its end at \(end) s is not after \(start) s")
    }
  }
}
