// SPDX-License-Identifier: Apache-2.0

extension EditableMovie {
  /// Takes the sound out.
  mutating func mute() throws(MovieError) {
    guard tracks.contains(where: { $0.kind != .audio }) else {
      throw .impossibleEdit(edit: "mute", reason: "there is nothing but sound in it")
    }
    let before = tracks.count
    try removeTracks { $0.kind == .audio }
    if tracks.count < before { try updateLengths() }
  }

  /// Makes the sound be played less loud; its samples stay as they are.
  ///
  /// Source: ISO/IEC 14496-12, 8.3.2 (track header): a number of 8 bits before the point and 8 behind
  /// it, 1 for full volume.
  mutating func scaleVolume(by share: Double) throws(MovieError) {
    guard (0...1).contains(share) else {
      throw .impossibleEdit(edit: "volume", reason: "\(share) is not between 0 and 1")
    }
    for place in tracks.indices where tracks[place].kind == .audio {
      try tracks[place].tree.change("tkhd") { box throws(MovieError) in
        let start = box.isWide ? 48 : 36
        let volume = UInt16((Double(try box.u32(at: start) >> 16) * share).rounded())
        try box.set(volume.bigEndianBytes, at: start)
      }
    }
  }
}
