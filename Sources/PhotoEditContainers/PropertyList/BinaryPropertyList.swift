// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Reads a binary property list with limits on the depth, number and size of the objects.
///
/// Objects refer to each other by index and may be referenced repeatedly, so that a file of a few
/// hundred bytes can represent a tree of any size. Here every object counts each time it is
/// reached.
///
/// - Source: the "bplist00" layout as published in Apple's CoreFoundation (CFBinaryPList.c).
package struct BinaryPropertyList {
  /// The maximum number of objects that a list may expand to.
  package static let maximumObjects = 200_000
  /// The maximum number of bytes of text and data that a list may expand to in excess of its own
  /// length.
  package static let maximumSurplus = 16 << 20

  private static let signature: [UInt8] = Array("bplist0".utf8)
  private static let trailerLength = 32

  private let bytes: [UInt8]
  private let offsetLength: Int
  private let referenceLength: Int
  private let objectCount: Int
  private let table: Int
  private var remainingObjects = Self.maximumObjects
  private var remainingBytes: Int

  /// Returns whether bytes begin with the signature of a binary property list.
  package static func hasSignature(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Returns the root object of a list.
  package static func value(of bytes: [UInt8]) throws(PropertyList.NotReadable) -> PropertyListValue
  {
    var (reader, root) = try Self.opened(bytes)
    return try reader.object(root, depth: 0)
  }

  private static func opened(
    _ bytes: [UInt8]
  ) throws(PropertyList.NotReadable) -> (BinaryPropertyList, root: Int) {
    let end = bytes.count - trailerLength
    guard hasSignature(bytes), end > signature.count else { throw .init() }
    let (offsetLength, referenceLength) = (Int(bytes[end + 6]), Int(bytes[end + 7]))
    guard [1, 2, 4, 8].contains(offsetLength), [1, 2, 4, 8].contains(referenceLength),
      let count = number(bytes, at: end + 8, length: 8), count > 0,
      let root = number(bytes, at: end + 16, length: 8), root < count,
      let table = number(bytes, at: end + 24, length: 8), table <= end,
      count <= (end - table) / offsetLength
    else { throw .init() }
    return (
      BinaryPropertyList(
        bytes: bytes, offsetLength: offsetLength, referenceLength: referenceLength,
        objectCount: count, table: table, remainingBytes: maximumSurplus + bytes.count),
      root
    )
  }

  /// Returns an integer of up to eight bytes; nil if it is out of bounds or too large.
  private static func number(_ bytes: [UInt8], at start: Int, length: Int) -> Int? {
    guard start >= 0, length <= 8, start <= bytes.count - length else { return nil }
    let value = bytes[start..<(start + length)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  // MARK: Objects

  private mutating func object(
    _ index: Int, depth: Int
  ) throws(PropertyList.NotReadable) -> PropertyListValue {
    remainingObjects -= 1
    // Objects are stored before the offset table.
    guard index < objectCount, depth <= PropertyListNesting.limit, remainingObjects >= 0,
      let start = Self.number(bytes, at: table + index * offsetLength, length: offsetLength),
      start < table
    else { throw .init() }
    let (kind, info) = (bytes[start] >> 4, Int(bytes[start] & 15))
    switch kind {
    case 0x0 where info == 8 || info == 9: return .bool(info == 9)
    case 0x1: return .integer(try integer(at: start + 1, length: info))
    case 0x2: return .real(try real(at: start + 1, length: info))
    case 0x3 where info == 3:
      let seconds = try real(at: start + 1, length: 3)
      // Years outside this range have no XML representation.
      guard abs(seconds) < 1e11 else { throw .init() }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case 0x8:
      guard let value = Self.number(bytes, at: start + 1, length: info + 1) else { throw .init() }
      return .dictionary(["CF$UID": .integer(Int64(value))])
    default: break
    }
    let (count, content) = try count(info, at: start + 1)
    switch kind {
    case 0x4: return .data(Data(try slice(content, count)))
    case 0x5:
      let text = try slice(content, count)
      guard text.allSatisfy({ $0 < 0x80 }) else { throw .init() }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x6:
      let (length, overflow) = count.multipliedReportingOverflow(by: 2)
      if overflow { throw .init() }
      return .string(try text(try slice(content, length)))
    case 0xA, 0xC:
      var items: [PropertyListValue] = []
      for index in try references(content, count) {
        items.append(try object(index, depth: depth + 1))
      }
      return .array(items)
    case 0xD: return .dictionary(try dictionary(content, count, depth: depth))
    default: throw .init()
    }
  }

  private mutating func dictionary(
    _ start: Int, _ count: Int, depth: Int
  ) throws(PropertyList.NotReadable) -> [String: PropertyListValue] {
    let (length, overflow) = count.multipliedReportingOverflow(by: 2)
    if overflow { throw .init() }
    let references = try references(start, length)
    var entries: [String: PropertyListValue] = [:]
    for index in 0..<count {
      guard case .string(let key) = try object(references[index], depth: depth + 1),
        entries[key] == nil
      else { throw .init() }
      entries[key] = try object(references[count + index], depth: depth + 1)
    }
    return entries
  }

  /// Returns the number of items; fifteen means that the count is stored there as a separate
  /// integer.
  private func count(
    _ info: Int, at start: Int
  ) throws(PropertyList.NotReadable) -> (count: Int, content: Int) {
    if info < 15 { return (info, start) }
    guard start < table, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { throw .init() }
    let length = 1 << Int(bytes[start] & 15)
    guard let count = Self.number(bytes, at: start + 1, length: length) else { throw .init() }
    return (count, start + 1 + length)
  }

  private func references(
    _ start: Int, _ count: Int
  ) throws(PropertyList.NotReadable) -> [Int] {
    guard start <= table, count <= (table - start) / referenceLength, count <= remainingObjects
    else {
      throw .init()
    }
    var references: [Int] = []
    for index in 0..<count {
      guard
        let reference = Self.number(
          bytes, at: start + index * referenceLength, length: referenceLength)
      else { throw .init() }
      references.append(reference)
    }
    return references
  }

  private mutating func slice(
    _ start: Int, _ count: Int
  ) throws(PropertyList.NotReadable) -> ArraySlice<UInt8> {
    guard start <= table, count <= table - start, count <= remainingBytes else { throw .init() }
    remainingBytes -= count
    return bytes[start..<(start + count)]
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(PropertyList.NotReadable) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw .init() }
    return text
  }

  /// Reads an integer: one, two and four bytes are unsigned; eight are signed, and sixteen are a
  /// sign extension followed by eight.
  private func integer(at start: Int, length info: Int) throws(PropertyList.NotReadable) -> Int64 {
    guard info <= 4 else { throw .init() }
    let length = 1 << info
    guard start <= table - length else { throw .init() }
    func bits(_ start: Int, _ length: Int) -> UInt64 {
      bytes[start..<(start + length)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    if length < 16 { return Int64(bitPattern: bits(start, length)) }
    let value = Int64(bitPattern: bits(start + 8, 8))
    guard bits(start, 8) == (value < 0 ? .max : 0) else { throw .init() }
    return value
  }

  private func real(at start: Int, length info: Int) throws(PropertyList.NotReadable) -> Double {
    let length = 1 << info
    guard info == 2 || info == 3, start <= table - length,
      let high = Self.number(bytes, at: start, length: 4)
    else { throw .init() }
    if info == 2 { return Double(Float(bitPattern: UInt32(high))) }
    guard let low = Self.number(bytes, at: start + 4, length: 4) else { throw .init() }
    return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
  }
}
