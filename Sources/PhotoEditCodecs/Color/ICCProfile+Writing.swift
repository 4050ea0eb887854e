// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ICCProfile {
  /// A profile of version 4.3 for a display of three lights; nil when they make no white.
  ///
  /// The same numbers give the same bytes. Media white is D50 and the lights are adapted to it by
  /// Bradford's transform, which "chad" states; together they make D50 exactly. Values are off by
  /// 1.1·10⁻⁵ at most, for they are stored in units of 2⁻¹⁶.
  ///
  /// - Parameters:
  ///   - description: The name that programs show; 1 to 100 characters are kept.
  /// - Source: ICC.1:2022, 8.3.3 (required tags), 9.2.15, 9.2.44, 9.2.46, 10.15, 10.18, 10.31.
  package static func matrix(
    primaries: ColorPrimaries, transfer: TransferFunction, description: String
  ) -> ICCProfile? {
    guard let lights = primaries.matrix,
      let adaptation = ColorMatrix.adaptation(from: primaries.white.tristimulus, to: whitePoint)
    else { return nil }
    let adapted = ColorMatrix.product(adaptation, lights)
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

  /// A profile of version 4.3 for a picture without colour.
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

  /// The profile for what is sRGB.
  package static let sRGB = matrix(primaries: .sRGB, transfer: .sRGB, description: "sRGB")

  /// The profile for what says by EXIF that it is Adobe RGB; its gamma is 563/256.
  package static let adobeRGB = matrix(
    primaries: .adobeRGB, transfer: .gamma(2.199_218_75),
    description: "Compatible with Adobe RGB (1998)")

  /// The profile of H.273 codes; nil for primaries that are reserved.
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

  /// D50 as profiles have it: X, Y, Z of the profile connection space's white.
  package static let whitePoint = [63_190.0 / 65_536, 1, 54_061.0 / 65_536]

  /// A profile of tags; equal contents are stored once.
  package init(colorSpace: String, tags: [(signature: String, content: [UInt8])]) {
    var body: [UInt8] = []
    var table: [UInt8] = Self.number(tags.count)
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for (signature, content) in tags {
      let offset = places[content] ?? start + body.count
      if places.updateValue(offset, forKey: content) == nil {
        body += content
        while body.count % 4 != 0 { body.append(0) }
      }
      table += Array(signature.utf8) + Self.number(offset) + Self.number(content.count)
    }
    var header = Self.number(start + body.count) + Self.number(0) + [4, 0x30, 0, 0]
    header += Array("mntr\(colorSpace)XYZ ".utf8)
    // A fixed date: the same numbers give the same bytes.
    for part in [2026, 1, 1, 0, 0, 0] { header += Self.number(part).suffix(2) }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += Self.whitePoint.flatMap { Self.fixed($0) }
    header += [UInt8](repeating: 0, count: 128 - header.count)
    bytes = header + table + body
  }

  /// Colorants, light by light, as whole numbers that add up to the white point.
  private static func fixedColorants(_ rows: [[Double]]) -> [[UInt8]] {
    var values = rows.map { row in row.map { Int(($0 * 65_536).rounded()) } }
    for (row, white) in whitePoint.enumerated() {
      let missing = Int(white * 65_536) - values[row].reduce(0, +)
      // At most one unit, and the value that was rounded farthest the other way takes it.
      guard missing != 0 else { continue }
      let errors = (0..<3).map { rows[row][$0] * 65_536 - Double(values[row][$0]) }
      let index = (0..<3).max { errors[$0] * Double(missing) < errors[$1] * Double(missing) } ?? 1
      values[row][index] += missing
    }
    return (0..<3).map { light in values.flatMap { number($0[light]) } }
  }

  package static func type(_ signature: String) -> [UInt8] { Array(signature.utf8) + number(0) }

  package static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  package static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }

  /// A text in one language.
  package static func text(_ text: String) -> [UInt8] {
    let units = text.prefix(100).utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
    return type("mluc") + number(1) + number(12) + Array("enUS".utf8) + number(units.count)
      + number(28) + units
  }
}

extension ParametricCurve {
  /// The curve as a "para" element of the shortest function type that says it.
  fileprivate var tag: [UInt8] {
    let isPlain = e == 0 && f == 0
    let values = isPower ? [g] : isPlain ? [g, a, b, c, d] : [g, a, b, c, d, e, f]
    let kind: UInt8 = isPower ? 0 : isPlain ? 3 : 4
    return ICCProfile.type("para") + [0, kind, 0, 0] + values.flatMap { ICCProfile.fixed($0) }
  }
}
