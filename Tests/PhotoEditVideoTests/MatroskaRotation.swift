// SPDX-License-Identifier: Apache-2.0

/// Adds a rotation to the frames of a Matroska file.
///
/// Source: RFC 9559, "Projection" and "ProjectionPoseRoll"; RFC 8794 for numbers.
enum MatroskaRotation {
  /// The bytes of a file whose video tracks are rotated by degrees.
  static func rotated(_ bytes: [UInt8], by degrees: Float) -> [UInt8] {
    let roll = element([0x76, 0x75], degrees.bitPattern.bytes)
    let projection = element([0x76, 0x70], element([0x76, 0x71], [0]) + roll)
    return adding(projection, at: ancestors[...], to: bytes[...])
  }

  /// The identifiers of Segment, Tracks, TrackEntry, Video.
  private static let ancestors: [[UInt8]] = [
    [0x18, 0x53, 0x80, 0x67], [0x16, 0x54, 0xae, 0x6b], [0xae], [0xe0],
  ]
  /// An index of other elements, which would no longer be correct.
  private static let seekHead: [UInt8] = [0x11, 0x4d, 0x9b, 0x74]

  private static func adding(
    _ new: [UInt8], at ancestors: ArraySlice<[UInt8]>, to bytes: ArraySlice<UInt8>
  ) -> [UInt8] {
    guard let next = ancestors.first else { return bytes + new }
    var output: [UInt8] = []
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let name = Array(bytes[position..<(position + length(bytes[position]))])
      position += name.count
      let digits = length(bytes[position])
      var size = Int(bytes[position]) & ((1 << (8 - digits)) - 1)
      for byte in bytes[(position + 1)..<(position + digits)] { size = size << 8 | Int(byte) }
      let isUnknown = size == 1 << (7 * digits) - 1
      position += digits
      let end = isUnknown ? bytes.endIndex : position + size
      if name == next {
        let content = adding(new, at: ancestors.dropFirst(), to: bytes[position..<end])
        output +=
          isUnknown
          ? name + [1] + [UInt8](repeating: 255, count: 7) + content
          : element(name, content)
      } else if name != seekHead {
        output += element(name, Array(bytes[position..<end]))
      }
      position = end
    }
    return output
  }

  private static func length(_ first: UInt8) -> Int { first.leadingZeroBitCount + 1 }

  private static func element(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    name + (UInt64(content.count) | 1 << 56).bytes + content
  }
}

extension FixedWidthInteger {
  /// Big-endian bytes.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
