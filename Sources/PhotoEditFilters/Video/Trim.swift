// SPDX-License-Identifier: Apache-2.0

public struct Trim: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "trim", "Trims a video; starts at the preceding key frame.",
    aliases: ["cut"],
    equivalents: "ffmpeg -ss/-to -c copy; avconvert --start/--duration",
    formula: "out(t) = in(k + t), k = the last key frame at or before start",
    source: "ISO/IEC 14496-12, 8.6 (sample times and key frames)", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "start", \.start, unit: .seconds, in: 0...1_000_000, ui: 0...60, identity: 0,
        "Start time."),
      Parameter(
        "end", \.end, unit: .seconds, in: 0...1_000_000, ui: 0...60, identity: 0,
        "End time; 0 keeps the end of the video."),
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
      throw conflict("end (\(end) s) must be after start (\(start) s)")
    }
  }
}
