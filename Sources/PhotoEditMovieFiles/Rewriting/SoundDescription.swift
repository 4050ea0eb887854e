// SPDX-License-Identifier: Apache-2.0

/// Conversion of MPEG-4 sound descriptions to the QuickTime form.
extension BoxTree {
  /// Converts MPEG-4 sound descriptions to version 1 of QuickTime's, whose configuration data is in
  /// `wave`.
  ///
  /// Source: QuickTime File Format, "sound sample descriptions", version 1.
  mutating func convertAudioDescriptions(samplesPerPacket: Int) throws(MovieError) {
    var cursor = BoxReader(leaf: self)
    try cursor.skip(8)
    var output = Array(bytes.prefix(8))
    while let entry = try cursor.nextBox() {
      let content = Array(cursor.bytes[entry.body])
      guard let setup = setups[entry.type], content.count >= 28, content[8] == 0, content[9] == 0
      else {
        try BoxTree(entry.type, content).write(to: &output)
        continue
      }
      var audioEntry = content
      // Version 1, 16 bits, "variable compression" instead of a compression identifier.
      audioEntry[9] = 1
      audioEntry.replaceSubrange(
        16..<28, with: content[16..<18] + [0, 16, 0xff, 0xfe, 0, 0] + content[24..<28])
      audioEntry.removeSubrange(28...)
      audioEntry.append(u32: UInt32(clamping: samplesPerPacket))
      // Bytes per packet and per frame vary; decoded samples have two.
      for number: UInt32 in [0, 0, 2] { audioEntry.append(u32: number) }
      var wave: [UInt8] = []
      try BoxTree("frma", entry.type.value.bigEndianBytes).write(to: &wave)
      if entry.type == "mp4a" { try BoxTree("mp4a", [0, 0, 0, 0]).write(to: &wave) }
      var inner = cursor.reader(entry)
      try inner.skip(28)
      var others: [UInt8] = []
      while let box = try inner.nextBox() {
        let tree = BoxTree(box.type, Array(inner.bytes[box.body]))
        if box.type == setup { try tree.write(to: &wave) } else { try tree.write(to: &others) }
      }
      // An empty box ends the list.
      try BoxTree(FourCC(0), []).write(to: &wave)
      try BoxTree("wave", wave).write(to: &audioEntry)
      try BoxTree(entry.type, audioEntry + others).write(to: &output)
    }
    bytes = output[...]
  }
}

/// The configuration boxes of codecs whose packets vary in size.
private let setups: [FourCC: FourCC] = [
  "mp4a": "esds", "alac": "alac", "ac-3": "dac3", "ec-3": "dec3",
]

extension BoxReader {
  /// Returns the object type in the configuration data of a sample description; nil if absent.
  ///
  /// - Parameter head: The number of bytes before the boxes of the description.
  /// - Source: ISO/IEC 14496-1, "ES descriptor" and "decoder configuration descriptor".
  func objectType(afterHead head: Int) throws(MovieError) -> UInt8? {
    var cursor = self
    try cursor.skip(head)
    guard let box = try cursor.boxes().first(where: { $0.type == "esds" }) else { return nil }
    var setup = cursor.reader(box)
    try setup.skip(4)
    guard try setup.descriptor() == 3 else { return nil }
    try setup.skip(2)
    let flags = try setup.u8()
    if flags & 0x80 != 0 { try setup.skip(2) }
    if flags & 0x40 != 0 { try setup.skip(Int(try setup.u8())) }
    if flags & 0x20 != 0 { try setup.skip(2) }
    guard try setup.descriptor() == 4 else { return nil }
    return try setup.u8()
  }

  /// Skips the header of a descriptor; returns its tag.
  private mutating func descriptor() throws(MovieError) -> UInt8 {
    let tag = try u8()
    // The length: seven bits in each of at most four bytes.
    for _ in 0..<4 where try u8() & 0x80 == 0 { break }
    return tag
  }
}
