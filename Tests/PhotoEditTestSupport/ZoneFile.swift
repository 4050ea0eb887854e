// SPDX-License-Identifier: Apache-2.0

/// A file of the time zone database.
package struct ZoneFile {
  package var version: UInt8 = 0x32
  /// The times of transitions in seconds since 1970, each with the number of its type.
  package var transitions: [(time: Int, type: UInt8)] = []
  /// The offsets from UTC in seconds.
  package var types: [Int]
  package var footer: String

  package init(
    version: UInt8 = 0x32, transitions: [(time: Int, type: UInt8)] = [], types: [Int],
    footer: String
  ) {
    (self.version, self.transitions) = (version, transitions)
    (self.types, self.footer) = (types, footer)
  }

  /// A zone with two transitions of the past, and a rule.
  package static let berlin = ZoneFile(
    transitions: [(-2_422_054_408, 1), (-800_067_600, 1)], types: [3208, 3600],
    footer: "CET-1CEST,M3.5.0,M10.5.0/3"
  ).bytes

  package var bytes: [UInt8] {
    func part(_ count: Int, _ transitions: [(time: Int, type: UInt8)]) -> [UInt8] {
      let numbers = [0, 0, 0, transitions.count, types.count, 4]
      return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        + numbers.flatMap { ImageFile.big($0, 4) }
        + transitions.flatMap { ImageFile.big($0.time, count) } + transitions.map(\.type)
        + types.flatMap { ImageFile.big($0, 4) + [0, 0] } + Array("LMT\0".utf8)
    }
    return part(4, []) + part(8, transitions) + Array("\n\(footer)\n".utf8)
  }
}
