// SPDX-License-Identifier: Apache-2.0

/// The bytes of an ICC profile with a validated header.
///
/// - Source: ICC.1:2022, 7.2, 7.3, 10.15 (multiLocalizedUnicodeType) and annex B.4 (JPEG);
///   ICC.1:2001, 6.5.17 (textDescriptionType).
package struct ICCProfile: Sendable, Hashable {
  /// The entire profile without trailing bytes.
  package let bytes: [UInt8]

  /// A problem with a profile, described in a sentence.
  package struct Damage: Error {
    package let sentence: String
  }

  package init(validating bytes: [UInt8]) throws(Damage) {
    guard let length = bytes.unsigned32(at: 0), length >= 128, length <= bytes.count else {
      throw Damage(sentence: "The ICC profile is shorter than its header states; it is ignored.")
    }
    guard bytes.has(Array("acsp".utf8), at: 36) else {
      throw Damage(sentence: "The ICC profile lacks its signature; it is ignored.")
    }
    // Writers pad; bytes after the stated length are not part of the profile.
    self.bytes = length == bytes.count ? bytes : Array(bytes[..<length])
  }

  /// Joins the parts of a profile from JPEG segments in any order.
  static func joining(_ segments: [JPEGSegment]) throws(Damage) -> ICCProfile {
    var parts: [Int: ArraySlice<UInt8>] = [:]
    var total: Int?
    let header = JPEGSegment.Signature.icc.count
    for segment in segments {
      guard segment.payload.count >= header + 2 else {
        throw Damage(sentence: "A segment of the ICC profile is too short; the profile is ignored.")
      }
      let number = Int(segment.payload[header])
      let count = Int(segment.payload[header + 1])
      guard count > 0, count == total ?? count, (1...count).contains(number) else {
        throw Damage(
          sentence: "The ICC profile's segments are numbered incorrectly; the profile is ignored.")
      }
      guard parts.updateValue(segment.payload[(header + 2)...], forKey: number) == nil else {
        throw Damage(
          sentence: "Segment \(number) of the ICC profile is duplicated; the profile is ignored.")
      }
      total = count
    }
    var joined: [UInt8] = []
    for number in 1...(total ?? 1) {
      guard let part = parts[number] else {
        throw Damage(
          sentence: "Segment \(number) of the ICC profile is missing; the profile is ignored.")
      }
      joined += part
    }
    return try ICCProfile(validating: joined)
  }

  /// Splits a profile into JPEG segments; nil if 255 of them cannot hold it.
  package static func segments(for bytes: [UInt8]) -> [JPEGSegment]? {
    let signature = JPEGSegment.Signature.icc
    let capacity = JPEGSegment.maximumPayloadCount - signature.count - 2
    let count = (bytes.count + capacity - 1) / capacity
    guard let last = UInt8(exactly: count), last > 0 else { return nil }
    return (1...last).map { number in
      let start = (Int(number) - 1) * capacity
      let part = bytes[start..<min(start + capacity, bytes.count)]
      return JPEGSegment(marker: 0xE2, payload: signature + [number, last] + part)
    }
  }

  /// The four characters of the data color space: "RGB ", "GRAY", "CMYK", "Lab ".
  var colorSpace: String { MetadataText.latin1(bytes[16..<20]) }

  /// The name of the profile, from its "desc" tag.
  package var description: String? {
    guard let count = bytes.unsigned32(at: 128) else { return nil }
    for i in 0..<min(count, 100) {
      let entry = 132 + 12 * i
      guard bytes.has(Array("desc".utf8), at: entry) else { continue }
      guard let start = bytes.unsigned32(at: entry + 4), let size = bytes.unsigned32(at: entry + 8),
        start <= bytes.count, size <= bytes.count - start
      else { return nil }
      return text(in: bytes[start..<(start + size)])
    }
    return nil
  }

  private func text(in tag: ArraySlice<UInt8>) -> String? {
    let start = tag.startIndex
    if tag.has(Array("desc".utf8), at: start) {
      guard let length = tag.unsigned32(at: start + 8) else { return nil }
      return MetadataText.clean(String(untilZero: tag.dropFirst(12).prefix(min(length, 1024))))
    }
    // The first record is in the profile's own language; the others are translations.
    guard tag.has(Array("mluc".utf8), at: start), let length = tag.unsigned32(at: start + 20),
      let offset = tag.unsigned32(at: start + 24)
    else { return nil }
    let units = tag.dropFirst(offset).prefix(min(length, 2048))
    let codeUnits = stride(from: units.startIndex, to: units.endIndex - 1, by: 2).map {
      UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
    }
    return MetadataText.clean(String(decoding: codeUnits, as: UTF16.self))
  }

  /// Returns whether the bytes are a profile equivalent to sRGB.
  static func isSRGB(_ bytes: [UInt8]) -> Bool {
    (try? ICCProfile(validating: bytes))?.isSRGB == true
  }

  /// Indicates whether the profile is equivalent to sRGB, judged by its values: no tables, the sRGB
  /// curve within an eighth of a level, and the sRGB primaries.
  ///
  /// - Source: IEC 61966-2-1, adapted to D50 by Bradford's method; ICC.1:2022, 10.31.
  package var isSRGB: Bool {
    guard unsupportedReason(for: "RGB ") == nil, let transfers = ChannelTransfer.channels(of: self),
      transfers.allSatisfy(\.isSRGB)
    else { return false }
    let expected = [
      [0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606], [0.0139, 0.0971, 0.7141],
    ]
    return colorants.map { rows in
      zip(rows.joined(), expected.joined()).allSatisfy { abs($0 - $1) < 0.003 }
    } ?? false
  }
}
