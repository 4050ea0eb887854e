// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// An AAE file as written by Apple Photos, with any part of it changed.
struct AAEFixture {
  var identifier = "com.apple.photo"
  var version = "1.11"
  var data: [UInt8]
  /// XML between the other keys.
  var more = ""

  /// The adjustment data of some adjustments, deflated without compression.
  init(json: String) { data = Self.stored(Array(json.utf8)) }

  init(_ identifier: String, data: [UInt8]) {
    self.identifier = identifier
    self.data = data
  }

  /// Adjustments for an image of a size.
  init(adjustments: String, master: (Int, Int) = (0, 0), orientation: Int = 0) {
    self.init(
      json: """
        {"formatVersion":1,"metadata":{"masterWidth":\(master.0),"masterHeight":\(master.1),\
        "orientation":\(orientation)},"versionInfo":{"platform":"macOS"},\
        "adjustments":[\(adjustments)]}
        """)
  }

  /// A raw deflate stream of uncompressed blocks (RFC 1951, 3.2.4).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    return [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      + bytes
  }

  /// A raw deflate stream of one letter and repetitions of it, 258 bytes in 13 bits each.
  static func bomb(repetitions: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var (byte, filled) = (UInt8(0), 0)
    func write(_ bits: String) {
      for bit in bits {
        if bit == "1" { byte |= 1 << filled }
        filled += 1
        if filled == 8 {
          bytes.append(byte)
          (byte, filled) = (0, 0)
        }
      }
    }
    // Last block, fixed codes; the letter a.
    write("1" + "10" + "10010001")
    for _ in 0..<repetitions { write("11000101" + "00000") }
    write("0000000")
    return bytes + [byte]
  }

  /// The file in XML.
  var xml: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>adjustmentBaseVersion</key><integer>0</integer>
      <key>adjustmentData</key><data>\(Data(data).base64EncodedString())</data>
      <key>adjustmentEditorBundleID</key><string>com.apple.Photos</string>
      <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
      <key>adjustmentFormatVersion</key><string>\(version)</string>
      <key>adjustmentRenderTypes</key><integer>24576</integer>
      <key>adjustmentTimestamp</key><date>2024-06-01T22:19:30Z</date>\(more)</dict></plist>
      """.utf8)
  }

  /// The file as a binary property list.
  var binary: [UInt8] {
    BinaryList([
      .dictionary([
        ("adjustmentFormatIdentifier", .text(identifier)),
        ("adjustmentFormatVersion", .text(version)), ("adjustmentData", .data(data)),
        ("adjustmentBaseVersion", .number(0)),
      ])
    ]).bytes
  }
}

/// A binary property list, laid out by hand.
struct BinaryList {
  indirect enum Object {
    case number(Int)
    case text(String)
    case wide(String)
    case data([UInt8])
    case real(Double)
    case date(Double)
    case flag(Bool)
    case array([Object])
    case dictionary([(String, Object)])
    /// An array of objects already in the list, by their numbers.
    case references([Int])
  }

  /// The objects in file order, the root first.
  private var objects: [[UInt8]] = []
  private(set) var bytes: [UInt8] = []

  /// Lays out the objects; the first is the root.
  init(_ roots: [Object]) {
    // The roots have the first numbers, so that others can refer to them.
    objects = Array(repeating: [], count: roots.count)
    for (index, root) in roots.enumerated() { objects[index] = encoded(root) }
    bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += Self.big(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2]
    bytes += Self.big(objects.count, 8) + Self.big(0, 8) + Self.big(table, 8)
  }

  private mutating func add(_ object: Object) -> Int {
    objects.append([])
    let index = objects.count - 1
    objects[index] = encoded(object)
    return index
  }

  private mutating func encoded(_ object: Object) -> [UInt8] {
    switch object {
    case .number(let value): return [0x13] + Self.big(value, 8)
    case .text(let text): return Self.head(5, text.utf8.count) + Array(text.utf8)
    case .wide(let text):
      return Self.head(6, text.utf16.count) + text.utf16.flatMap { Self.big(Int($0), 2) }
    case .data(let bytes): return Self.head(4, bytes.count) + bytes
    case .real(let value): return [0x23] + Self.big(Int(bitPattern: UInt(value.bitPattern)), 8)
    case .date(let value): return [0x33] + Self.big(Int(bitPattern: UInt(value.bitPattern)), 8)
    case .flag(let value): return [value ? 9 : 8]
    case .array(let items):
      let indices = items.map { add($0) }
      return Self.head(10, items.count) + indices.flatMap { Self.big($0, 2) }
    case .dictionary(let pairs):
      let keys = pairs.map { add(.text($0.0)) }
      let values = pairs.map { add($0.1) }
      return Self.head(13, pairs.count) + (keys + values).flatMap { Self.big($0, 2) }
    case .references(let indices):
      return Self.head(10, indices.count) + indices.flatMap { Self.big($0, 2) }
    }
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + big(count, 4)
  }

  private static func big(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
