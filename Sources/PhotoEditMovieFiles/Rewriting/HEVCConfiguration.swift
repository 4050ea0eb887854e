// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The decoder configuration of HEVC: the content of an "hvcC" box.
///
/// QuickTime plays "hvc1" only, whose parameter sets are here. In "hev1", they may be in the frames
/// instead.
///
/// Source: ISO/IEC 14496-15, 8.3.2.
struct HEVCConfiguration {
  private(set) var bytes: [UInt8]
  /// The NAL units that it contains, by type.
  private var units: [UInt8: [[UInt8]]] = [:]

  /// Video, sequence and picture parameter sets; ITU-T H.265, table 7-1.
  private static let parameterSets: ClosedRange<UInt8> = 32...34

  /// Reads a configuration; nil for anything else.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var cursor = BoxReader(bytes, name: "hvcC")
    do throws(MovieError) {
      guard try cursor.u8() == 1 else { return nil }
      try cursor.skip(Self.countOffset - 1)
      for _ in 0..<(try cursor.u8()) {
        let type = try cursor.u8() & 0x3f
        for _ in 0..<(try cursor.u16()) {
          let count = Int(try cursor.u16())
          let unit = bytes[cursor.position...].prefix(count)
          try cursor.skip(count)
          units[type, default: []].append(Array(unit))
        }
      }
    } catch {
      return nil
    }
  }

  private static let countOffset = 22

  /// Indicates whether a decoder needs no parameter sets from the frames.
  var isComplete: Bool { Self.parameterSets.allSatisfy { units[$0] != nil } }

  /// Returns whether a decoder is configured in the same way.
  ///
  /// Since version 7, libavformat derives the bytes before the parameter sets from them.
  func hasSameParameterSets(as other: HEVCConfiguration) -> Bool {
    Self.parameterSets.allSatisfy { units[$0] == other.units[$0] }
  }

  /// Adopts the parameter sets at the beginning of a frame that it does not contain.
  ///
  /// - Parameter frame: The length-prefixed NAL units of a frame, or the first of them.
  mutating func adoptParameterSets(of frame: [UInt8]) {
    let lengthSize = Int(bytes[Self.countOffset - 1] & 3) + 1
    var found: [UInt8: [[UInt8]]] = [:]
    var rest = frame[...]
    while rest.count > lengthSize {
      let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthSize)
      guard length > 0, length <= rest.count, length <= UInt16.max else { break }
      let type = rest[rest.startIndex] >> 1 & 0x3f
      if Self.parameterSets.contains(type) {
        found[type, default: []].append(Array(rest.prefix(length)))
      }
      rest = rest.dropFirst(length)
    }
    for (type, sets) in found.sorted(by: { $0.key < $1.key }) where units[type] == nil {
      guard bytes[Self.countOffset] < 255 else { return }
      bytes[Self.countOffset] += 1
      // All sets of this type are here, as far as the first frame says.
      bytes.append(0x80 | type)
      bytes.append(u16: UInt16(clamping: sets.count))
      for unit in sets {
        bytes.append(u16: UInt16(clamping: unit.count))
        bytes += unit
      }
      units[type] = sets
    }
  }
}

/// Renaming of HEVC sample descriptions to the form that QuickTime plays.
extension EditableMovie {
  /// Moves the parameter sets of HEVC into the sample descriptions; no frame changes.
  mutating func describeHEVC(_ file: borrowing OpenFile) throws(MovieError) {
    for index in tracks.indices where tracks[index].layout.hasHEVCSetsInFrames {
      if try !tracks[index].describeHEVC(file) {
        losses.append(RemuxPlan.playback(of: tracks[index].label))
      }
    }
  }
}

extension TrackLayout {
  /// Indicates whether the frames are HEVC that may contain the parameter sets.
  var hasHEVCSetsInFrames: Bool { kind == .video && quickTimeNames[codec] != nil }
}

/// The forms of HEVC and of Dolby Vision based on it that QuickTime plays.
private let quickTimeNames: [FourCC: FourCC] = ["hev1": "hvc1", "dvhe": "dvh1"]

extension EditableTrack {
  /// Renames the sample descriptions whose parameter sets are known.
  ///
  /// - Returns: Whether these are all.
  fileprivate mutating func describeHEVC(
    _ file: borrowing OpenFile
  ) throws(MovieError) -> Bool {
    guard let box = tree.descendant("mdia", "minf", "stbl", "stsd") else { return false }
    var cursor = BoxReader(leaf: box)
    try cursor.skip(8)
    var output = Array(box.bytes.prefix(8))
    var isComplete = true
    var number: UInt32 = 0
    while let entry = try cursor.nextBox() {
      number += 1
      var name = entry.type
      var content = Array(cursor.bytes[entry.body])
      if let better = quickTimeNames[name] {
        let frame = try firstFrame(ofDescription: number, file)
        if let complete = try Self.completed(cursor.reader(entry), with: frame) {
          (name, content) = (better, complete)
        } else {
          isComplete = false
        }
      }
      try BoxTree(name, content).write(to: &output)
    }
    try tree.change("mdia", "minf", "stbl", "stsd") { $0.bytes = output[...] }
    return isComplete
  }

  /// Returns a sample description with all parameter sets; nil if they are unknown.
  private static func completed(
    _ entry: BoxReader, with frame: [UInt8]
  ) throws(MovieError) -> [UInt8]? {
    var cursor = entry
    let start = cursor.position
    try cursor.skip(78)
    var content = Array(entry.bytes[start..<cursor.position])
    var isComplete = false
    while let box = try cursor.nextBox() {
      var bytes = Array(cursor.bytes[box.body])
      if box.type == "hvcC", var configuration = HEVCConfiguration(bytes) {
        if !configuration.isComplete { configuration.adoptParameterSets(of: frame) }
        isComplete = configuration.isComplete
        bytes = configuration.bytes
      }
      try BoxTree(box.type, bytes).write(to: &content)
    }
    return isComplete ? content + entry.bytes[cursor.position..<cursor.end] : nil
  }

  /// Returns the beginning of the first frame of a sample description; empty if it has no frames.
  private func firstFrame(
    ofDescription number: UInt32, _ file: borrowing OpenFile
  ) throws(MovieError) -> [UInt8] {
    var sample = 0
    for chunk in samples.chunks {
      if chunk.description == number {
        let size = try samples.sizes.bytes(of: sample..<(sample + 1))
        // Parameter sets come first, and are far smaller.
        return try file.bytes(at: chunk.offset, atMost: min(size, MovieLimits.maximumTagBytes))
      }
      sample += chunk.count
    }
    return []
  }
}
