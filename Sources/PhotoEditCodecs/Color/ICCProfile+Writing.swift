// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ICCProfile {
  /// Creates a version 4.3 RGB display profile; nil if the primaries cannot produce white.
  ///
  /// The same values give the same bytes. The media white is D50, and the primaries are adapted to
  /// it by the Bradford transform, which is stored in "chad"; together they add up to exactly D50.
  /// Values are off by at most 1.1·10⁻⁵ because they are stored in units of 2⁻¹⁶.
  ///
  /// - Parameters:
  ///   - description: The display name; 1 to 100 characters are kept.
  /// - Source: ICC.1:2022, 8.3.3 (required tags), 9.2.15, 9.2.44, 9.2.46, 10.15, 10.18, 10.31.
  package static func matrix(
    primaries: ColorPrimaries, transfer: TransferFunction, description: String
  ) -> ICCProfile? {
    guard let primaryMatrix = primaries.matrix,
      let adaptation = ColorMatrix.adaptation(from: primaries.white.tristimulus, to: whitePoint)
    else { return nil }
    let adapted = ColorMatrix.product(adaptation, primaryMatrix)
    let curve = transfer.curve
    guard
      ([curve.g, curve.a, curve.b, curve.c, curve.d] + adapted.joined() + adaptation.joined())
        .allSatisfy({ abs($0) < 30_000 })
    else { return nil }
    let colorants = fixedColorants(adapted)
    return ICCProfile(
      colorSpace: "RGB ",
      tags: [
        ("desc", text(description)), ("cprt", text("CC0")),
        ("wtpt", type("XYZ ") + whitePoint.flatMap { fixed($0) }),
        ("chad", type("sf32") + adaptation.joined().flatMap { fixed($0) }),
        ("rXYZ", type("XYZ ") + colorants[0]), ("gXYZ", type("XYZ ") + colorants[1]),
        ("bXYZ", type("XYZ ") + colorants[2]), ("rTRC", curve.tag), ("gTRC", curve.tag),
        ("bTRC", curve.tag),
      ])
  }

  /// Creates a version 4.3 profile for a grayscale image.
  ///
  /// - Source: ICC.1:2022, 8.3.4 (monochrome displays).
  package static func gray(transfer: TransferFunction, description: String) -> ICCProfile? {
    let curve = transfer.curve
    guard abs(curve.g) < 30_000 else { return nil }
    return ICCProfile(
      colorSpace: "GRAY",
      tags: [
        ("desc", text(description)), ("cprt", text("CC0")),
        ("wtpt", type("XYZ ") + whitePoint.flatMap { fixed($0) }), ("kTRC", curve.tag),
      ])
  }

  /// The profile for sRGB.
  package static let sRGB = matrix(primaries: .sRGB, transfer: .sRGB, description: "sRGB")

  /// A profile for Display P3.
  package static let displayP3 = matrix(
    primaries: .displayP3, transfer: .sRGB, description: "Display P3")

  /// The profile for images marked as Adobe RGB in EXIF; its gamma is 563/256.
  package static let adobeRGB = matrix(
    primaries: .adobeRGB, transfer: .gamma(2.199_218_75),
    description: "Compatible with Adobe RGB (1998)")

  /// Returns the profile of H.273 codes; nil for reserved primaries.
  package static func matrix(
    primariesCode: Int, transferCode: Int
  ) throws(TransferFunction.Refusal) -> ICCProfile? {
    let transfer = try TransferFunction(codePoint: transferCode, primariesCode: primariesCode)
    guard let primaries = ColorPrimaries(codePoint: primariesCode) else { return nil }
    if primaries == .sRGB, transfer == .sRGB { return sRGB }
    let name =
      primaries == .displayP3 && transfer == .sRGB
      ? "Display P3" : "Primaries \(primariesCode), transfer \(transferCode) of H.273"
    return matrix(primaries: primaries, transfer: transfer, description: name)
  }

  /// D50 as encoded in profiles: X, Y, Z of the white of the profile connection space.
  package static let whitePoint = [63_190.0 / 65_536, 1, 54_061.0 / 65_536]

  /// Creates a profile from tags; equal contents are stored once.
  package init(colorSpace: String, tags: [(signature: String, content: [UInt8])]) {
    var body: [UInt8] = []
    var table: [UInt8] = Self.number(tags.count)
    var offsets: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for (signature, content) in tags {
      let offset = offsets[content] ?? start + body.count
      if offsets.updateValue(offset, forKey: content) == nil {
        body += content
        while body.count % 4 != 0 { body.append(0) }
      }
      table += Array(signature.utf8) + Self.number(offset) + Self.number(content.count)
    }
    var header = Self.number(start + body.count) + Self.number(0) + [4, 0x30, 0, 0]
    header += Array("mntr\(colorSpace)XYZ ".utf8)
    // A fixed date, so that the same values give the same bytes.
    for part in [2026, 1, 1, 0, 0, 0] { header += Self.number(part).suffix(2) }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += Self.whitePoint.flatMap { Self.fixed($0) }
    header += [UInt8](repeating: 0, count: 128 - header.count)
    bytes = header + table + body
  }

  /// Encodes colorants, primary by primary, as integers that add up to the white point.
  private static func fixedColorants(_ rows: [[Double]]) -> [[UInt8]] {
    var values = rows.map { row in row.map { Int(($0 * 65_536).rounded()) } }
    for (row, white) in whitePoint.enumerated() {
      let missing = Int(white * 65_536) - values[row].reduce(0, +)
      // At most one unit is missing; it is added to the value with the largest opposite rounding
      // error.
      guard missing != 0 else { continue }
      let errors = (0..<3).map { rows[row][$0] * 65_536 - Double(values[row][$0]) }
      let index = (0..<3).max { errors[$0] * Double(missing) < errors[$1] * Double(missing) } ?? 1
      values[row][index] += missing
    }
    return (0..<3).map { primary in values.flatMap { number($0[primary]) } }
  }

  package static func type(_ signature: String) -> [UInt8] { Array(signature.utf8) + number(0) }

  package static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  package static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }

  /// Encodes a text in one language.
  package static func text(_ text: String) -> [UInt8] {
    let units = text.prefix(100).utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
    return type("mluc") + number(1) + number(12) + Array("enUS".utf8) + number(units.count)
      + number(28) + units
  }
}

extension ParametricCurve {
  /// The curve as a "para" element of the shortest function type that can represent it.
  fileprivate var tag: [UInt8] {
    let isPlain = e == 0 && f == 0
    let values = isPower ? [g] : isPlain ? [g, a, b, c, d] : [g, a, b, c, d, e, f]
    let kind: UInt8 = isPower ? 0 : isPlain ? 3 : 4
    return ICCProfile.type("para") + [0, kind, 0, 0] + values.flatMap { ICCProfile.fixed($0) }
  }
}
