// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCodecs

/// Generated ICC profiles of common kinds.
package enum TestProfiles {
  /// A curve: `[]` is the identity, one number a gamma in units of 1/256, more numbers a table.
  package static func curv(_ entries: [Int]) -> [UInt8] {
    ICCProfile.type("curv") + ICCProfile.number(entries.count)
      + entries.flatMap { ICCProfile.number($0).suffix(2) }
  }

  /// A parametric curve of function type 0 to 4 with its parameters.
  package static func para(_ kind: UInt8, _ values: [Double]) -> [UInt8] {
    ICCProfile.type("para") + [0, kind, 0, 0] + values.flatMap { ICCProfile.fixed($0) }
  }

  /// A table with entries from 0 to 65,535 of a function on 0 to 1.
  package static func table(_ count: Int, _ function: (Double) -> Double) -> [UInt8] {
    curv((0..<count).map { Int((function(Double($0) / Double(count - 1)) * 65_535).rounded()) })
  }

  /// A profile with Adobe RGB primaries and curves for red, green and blue.
  package static func rgb(
    _ curves: [[UInt8]], name: String = "Tested", order: [Int] = [0, 1, 2]
  ) -> ICCProfile {
    let primaries = [
      [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
    return ICCProfile(
      colorSpace: "RGB ",
      tags: [("desc", ICCProfile.text(name))]
        + zip(["rXYZ", "gXYZ", "bXYZ"], order).map { ($0, xyz(primaries[$1])) }
        + [("wtpt", xyz(ICCProfile.whitePoint))]
        + zip(["rTRC", "gTRC", "bTRC"], curves).map { ($0, $1) })
  }

  /// A profile for grayscale images; its curve maps to luminance or lightness.
  package static func gray(_ curve: [UInt8], connection: String = "XYZ ") -> ICCProfile {
    patched(
      ICCProfile(
        colorSpace: "GRAY",
        tags: [
          ("desc", ICCProfile.text("Tested gray")), ("wtpt", xyz(ICCProfile.whitePoint)),
          ("kTRC", curve),
        ]), 20, connection)
  }

  /// A profile with a color lookup table: linear sRGB for each grid point.
  package static func table(
    _ colorSpace: String, channels: Int, grid: Int, _ light: ([Double]) -> [Double]
  ) -> ICCProfile {
    let rows = [
      [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
      [0.0139322, 0.0971045, 0.7141733],
    ]
    func words(_ values: [Double]) -> [UInt8] {
      // 1 + 32767/32768 is the largest value in such tables.
      values.flatMap { ICCProfile.number(Int(($0 * 32_768).rounded())).suffix(2) }
    }
    var lut = ICCProfile.type("mft2") + [UInt8(channels), 3, UInt8(grid), 0]
    lut += [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { ICCProfile.fixed($0) }
    lut += [0, 2, 0, 2]
    for _ in 0..<channels { lut += [0, 0, 0xFF, 0xFF] }
    let count = (0..<channels).reduce(1) { n, _ in n * grid }
    for index in 0..<count {
      // The last channel varies fastest.
      var rest = index
      var point = [Double](repeating: 0, count: channels)
      for channel in (0..<channels).reversed() {
        point[channel] = Double(rest % grid) / Double(grid - 1)
        rest /= grid
      }
      let color = light(point)
      lut += words(rows.map { row in row[0] * color[0] + row[1] * color[1] + row[2] * color[2] })
    }
    for _ in 0..<3 { lut += [0, 0, 0xFF, 0xFF] }
    return ICCProfile(
      colorSpace: colorSpace,
      tags: [
        ("desc", ICCProfile.text("Tested table")), ("wtpt", xyz(ICCProfile.whitePoint)),
        ("A2B0", lut),
      ])
  }

  /// A CMYK profile in which each component absorbs slightly less than all of its primary.
  package static let cmykProfile = table("CMYK", channels: 4, grid: 5) {
    (component: [Double]) -> [Double] in
    (0..<3).map { (channel: Int) -> Double in
      let own: Double = 1 - 0.9 * component[channel]
      let other: Double = 1 - 0.1 * component[(channel + 1) % 3]
      let black: Double = 1 - 0.95 * component[3]
      return own * other * black
    }
  }

  /// A camera profile with a lookup table, with all colors within sRGB.
  package static let camera = table("RGB ", channels: 3, grid: 9) { (rgb: [Double]) -> [Double] in
    let light: [Double] = rgb.map { $0 * $0 }
    let rest: Double = 0.1 * (light[0] + light[1] + light[2])
    return light.map { (own: Double) -> Double in 0.7 * own + rest }
  }

  /// A profile with some bytes of its header replaced.
  package static func patched(_ profile: ICCProfile, _ offset: Int, _ text: String) -> ICCProfile {
    var bytes = profile.bytes
    bytes.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    return (try? ICCProfile(validating: bytes)) ?? profile
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    ICCProfile.type("XYZ ") + values.flatMap { ICCProfile.fixed($0) }
  }
}
