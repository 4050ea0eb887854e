// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The color information in a profile.
///
/// - Source: ICC.1:2022, 7.2, 7.3, 8.3 to 8.5, 10.6 (curveType), 10.18 (parametricCurveType).
extension ICCProfile {
  /// The device class: "mntr", "scnr", "prtr", "spac", "link", "abst" or "nmcl".
  var deviceClass: String { MetadataText.latin1(bytes[12..<16]) }
  /// The profile connection space: "XYZ " or "Lab ".
  var connectionSpace: String { MetadataText.latin1(bytes[20..<24]) }

  /// Returns the element of a tag; nil if it is missing or not inside the profile.
  func tag(_ signature: String) -> ArraySlice<UInt8>? {
    guard let count = bytes.unsigned32(at: 128), count <= 1000 else { return nil }
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard bytes.has(Array(signature.utf8), at: entry) else { continue }
      guard let start = bytes.unsigned32(at: entry + 4), let size = bytes.unsigned32(at: entry + 8),
        start >= 128, start <= bytes.count, size <= bytes.count - start
      else { return nil }
      return bytes[start..<(start + size)]
    }
    return nil
  }

  /// Indicates whether colors are defined by multidimensional lookup tables.
  var hasLookupTables: Bool {
    ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"].contains { tag($0) != nil }
  }

  /// Returns the reason why the profile cannot be used for an image of a color space; nil if it
  /// can.
  ///
  /// - Parameter expected: The data color space of the image's samples.
  func unsupportedReason(for expected: String) -> String? {
    switch deviceClass {
    case "mntr", "scnr", "prtr", "spac": break
    case "link": return "is a device link, which does not describe colors"
    case "abst": return "is an abstract profile, which does not describe a device"
    case "nmcl": return "is a list of named colors"
    default: return "has an unknown class"
    }
    guard connectionSpace == "XYZ " || connectionSpace == "Lab " else {
      return "has an unknown connection space"
    }
    guard colorSpace == expected else {
      let found = MetadataText.clean(colorSpace) ?? "?"
      return "is for \(found), but the image is \(MetadataText.clean(expected) ?? "?")"
    }
    if hasLookupTables { return nil }
    let needed: [String] =
      switch expected {
      case "RGB ": ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
      case "GRAY": ["kTRC"]
      default: ["A2B0"]
      }
    if let missing = needed.first(where: { tag($0) == nil }) { return "lacks its \(missing) tag" }
    return nil
  }

  /// Returns the curve of a tag; nil if it is missing or damaged.
  func curve(_ signature: String) -> TransferCurve? {
    guard let element = tag(signature) else { return nil }
    let start = element.startIndex
    if element.has(Array("curv".utf8), at: start) { return Self.sampledCurve(element) }
    guard element.has(Array("para".utf8), at: start),
      let kind = element.unsigned16(at: start + 8)
    else { return nil }
    let counts = [1, 3, 4, 5, 7]
    guard kind < counts.count else { return nil }
    var v: [Double] = []
    for index in 0..<counts[kind] {
      guard let number = element.unsigned32(at: start + 12 + 4 * index) else { return nil }
      v.append(Double(Int32(truncatingIfNeeded: number)) / 65_536)
    }
    guard v[0] > 0, kind == 0 || v[1] != 0 else { return nil }
    switch kind {
    case 0: return .parametric(ParametricCurve(g: v[0]))
    // Below −b/a the base of the power is negative, so zero is used instead.
    case 1: return .parametric(ParametricCurve(g: v[0], a: v[1], b: v[2], d: -v[2] / v[1]))
    case 2:
      let low = -v[2] / v[1]
      return .parametric(ParametricCurve(g: v[0], a: v[1], b: v[2], d: low, e: v[3], f: v[3]))
    case 3: return .parametric(ParametricCurve(g: v[0], a: v[1], b: v[2], c: v[3], d: v[4]))
    default:
      return .parametric(
        ParametricCurve(g: v[0], a: v[1], b: v[2], c: v[3], d: v[4], e: v[5], f: v[6]))
    }
  }

  private static func sampledCurve(_ element: ArraySlice<UInt8>) -> TransferCurve? {
    let start = element.startIndex
    guard let count = element.unsigned32(at: start + 8), count <= 65_536,
      element.count - 12 >= 2 * count
    else { return nil }
    let entries = (0..<count).map { element.unsigned16(at: start + 12 + 2 * $0) ?? 0 }
    switch count {
    case 0: return .parametric(ParametricCurve(g: 1))
    case 1: return entries[0] == 0 ? nil : .parametric(ParametricCurve(g: Double(entries[0]) / 256))
    default: return SampledCurve(entries.map { Double($0) / 65_535 }).map { .sampled($0) }
    }
  }
}
