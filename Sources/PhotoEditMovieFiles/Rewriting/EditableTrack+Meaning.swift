// SPDX-License-Identifier: Apache-2.0

/// Tracks whose samples are understood: moments and time codes.
extension EditableTrack {
  /// The keys of a timed metadata track; empty for any other.
  var metadataKeys: [String] { layout.metadataKeys }

  /// Whether the track marks a moment, so that half of it means nothing.
  var isMoment: Bool { metadataKeys.contains(stillImageTimeKey) }

  /// Counts the first sample of a time code up by ticks of its media.
  mutating func countUpTimecode(by ticks: Int) throws(MovieError) {
    guard layout.codec == "tmcd", var entry = description, !samples.chunks.isEmpty else { return }
    // Reserved, reference, reserved, flags, ticks a second, ticks a frame.
    try entry.skip(16)
    let scale = Int(try entry.u32())
    let frame = Int(try entry.u32())
    guard scale > 0, frame > 0 else { return }
    timecodeAdvance += scaled(ticks, by: scale, over: timescale) / frame
  }
}
