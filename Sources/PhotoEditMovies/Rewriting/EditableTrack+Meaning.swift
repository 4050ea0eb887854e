// SPDX-License-Identifier: Apache-2.0

/// Tracks whose samples are understood: moments and time codes.
extension EditableTrack {
  /// The keys of a timed metadata track; empty for any other.
  var metadataKeys: [String] {
    guard layout.codec == "mebx", var cursor = description else { return [] }
    var names: [String] = []
    do throws(MovieError) {
      try cursor.skip(8)
      for box in try cursor.boxes() where box.type == "keys" {
        let list = cursor.reader(box)
        for key in try list.boxes() {
          let inner = list.reader(key)
          for part in try inner.boxes() where part.type == "keyd" {
            names.append(
              String(decoding: inner.bytes[part.body].dropFirst(4), as: UTF8.self))
          }
        }
      }
    } catch {
      // Keys that cannot be read name nothing that is asked for.
      return []
    }
    return names
  }

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

/// The key of the track that says which moment of a Live Photo its still picture shows.
let stillImageTimeKey = "com.apple.quicktime.still-image-time"
