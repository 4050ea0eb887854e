// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

extension Definition {
  /// The illuminants in kelvin and tint, and the matrices of colour-science 0.4.7: Robertson 1968
  /// with D_uv = tint/3000, and Bradford.
  private static let adaptations: [(illuminants: [Int], matrix: [[Double]])] = [
    (
      [3200, 0, 6500, 0],
      [
        [0.811627593, -0.339975813, -0.077808224], [0.015842757, 1.117127499, -0.031757133],
        [0.037568111, 0.13992418, 2.604494574],
      ]
    ),
    (
      [5500, 40, 6500, 0],
      [
        [1.012491928, 0.054967375, -0.014063385], [-0.00300371, 0.960158699, -0.00972992],
        [0.008722584, 0.038136224, 1.401490934],
      ]
    ),
    (
      [4300, -60, 7000, 10],
      [
        [0.8237262714, -0.3635263259, -0.02194848279],
        [0.01795687205, 1.157146994, 0.0002142776877],
        [0.006155132723, 0.009939828689, 1.180157833],
      ]
    ),
  ]

  /// White balance in the version that clips highlights, and in the one that compresses them.
  static let whiteBalances: [Definition] = adaptations.flatMap { illuminants, matrix in
    let names = ["temperature", "tint", "targetTemperature", "targetTint"]
    let parameters = zip(names, illuminants).map { "\"\($0)\":\($1)" }.joined(separator: ",")
    return [
      Definition("whiteBalance 2 \(illuminants)", make("whiteBalance", version: 2, parameters)) {
        p in
        encoded(adapted(linear(p), matrix))
      },
      Definition("whiteBalance 3 \(illuminants)", make("whiteBalance", version: 3, parameters)) {
        p in
        balanced(linear(p), matrix)
      },
    ]
  }

  /// The encoded result of the matrix for a linear color.
  private static func balanced(_ light: SIMD3<Double>, _ matrix: [[Double]]) -> SIMD3<Double> {
    let sums = matrix.map { row in row.filter { $0 > 0 }.reduce(0, +) }
    let most = sums.max() ?? 0
    func f(_ x: Double) -> Double { rolledOff(x, knee: 0.75, white: most) }
    let color = adapted(light, matrix)
    let largest = color.max()
    let byRatio = color * (largest > 0 ? f(largest) / largest : 1)
    let rolled = 0.7 * byRatio + 0.3 * SIMD3(f(color.x), f(color.y), f(color.z))
    let t = min(max((light.min() - 0.7) / 0.23, 0), 1)
    let share = (3 - 2 * t) * t * t
    let gray = SIMD3(repeating: max(light.max(), rolled.max()))
    return encoded(rolled + share * (gray - rolled))
  }

  private static func linear(_ p: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(linear(p.x), linear(p.y), linear(p.z))
  }

  private static func encoded(_ p: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(encoded(p.x), encoded(p.y), encoded(p.z))
  }

  private static func adapted(_ p: SIMD3<Double>, _ matrix: [[Double]]) -> SIMD3<Double> {
    SIMD3(sum(matrix[0], p), sum(matrix[1], p), sum(matrix[2], p))
  }
}

@Suite("White balance of highlights")
struct WhiteBalanceTests {
  private static let illuminants = [
    "temperature=3000", "temperature=2000", "temperature=9500", "temperature=25000",
    "tint=150", "tint=-150", "temperature=4200,tint=30,targetTemperature=5500",
  ]

  /// The samples of a row of colors, 0 to 1.
  private func render(_ colors: [SIMD3<Double>], _ arguments: String) throws -> [SIMD3<Double>] {
    let image = Charts.image(colors.count, 1, .rgb, bytesPerSample: 2) { x, _, channel in
      Int((colors[x][channel] * 65535).rounded())
    }
    let planes = try raster(
      Charts.source(image), [FilterCatalog.filter(argument: "whiteBalance:" + arguments)]
    ).rgb
    return colors.indices.map {
      SIMD3(Double(planes[0][$0]), Double(planes[1][$0]), Double(planes[2][$0]))
    }
  }

  @Test(arguments: illuminants)
  func `blown highlights stay white`(_ light: String) throws {
    let blown = [SIMD3(1, 1, 1), SIMD3(0.97, 0.97, 0.97), SIMD3(1, 0.985, 0.97)]
    for (before, after) in zip(blown, try render(blown, light)) {
      #expect(after.max() - after.min() < 1e-5, "\(after)")
      #expect(after.min() >= before.max() - 1e-5 && after.max() < 1.001, "\(after)")
    }
  }

  @Test(arguments: illuminants)
  func `nothing is clipped, and a ramp of grays keeps its order`(_ light: String) throws {
    let ramp = try render((0...1000).map { SIMD3(repeating: Double($0) / 1000) }, light)
    for (darker, brighter) in zip(ramp, ramp.dropFirst()) {
      for channel in 0..<3 {
        #expect(darker[channel] < brighter[channel] || brighter[channel] < 0, "\(brighter)")
        // No step either, except that a curve is steep near black.
        #expect(darker[channel] < 0.2 || brighter[channel] - darker[channel] < 0.035)
      }
    }
    let colors = (0..<729).map { index in
      let (red, green, blue) = (index % 9, index / 9 % 9, index / 81)
      return SIMD3(Double(red), Double(green), Double(blue)) / 8
    }
    #expect(try render(colors, light).allSatisfy { $0.max() < 1.0001 })
  }

  @Test func `versions 1 and 2 match for sRGB`() throws {
    let image = try Charts.source(Charts.noise(31, 23))
    let parameters = #""temperature":4300,"tint":20"#
    let planes = try [1, 2].map {
      try raster(image, [Definition.make("whiteBalance", version: $0, parameters)]).planes
    }
    #expect(try difference(planes[0], planes[1]) < 0.02)
  }

  @Test func `midtones are adapted as before, and a gray is picked from bright paper`() throws {
    let colors = [SIMD3(0.5, 0.45, 0.3), SIMD3(0.1, 0.5, 0.2), SIMD3(0.02, 0.01, 0.6)]
    let after = try render(colors, "temperature=5000,tint=10")
    let earlier = Definition.make(
      "whiteBalance", version: 2,
      #""temperature":5000,"tint":10,"targetTemperature":6500,"targetTint":0"#)
    let image = Charts.image(3, 1, .rgb, bytesPerSample: 2) { x, _, channel in
      Int((colors[x][channel] * 65535).rounded())
    }
    let planes = try raster(Charts.source(image), [earlier]).rgb
    for (x, color) in after.enumerated() {
      for channel in 0..<3 { #expect(abs(color[channel] - Double(planes[channel][x])) < 1e-5) }
    }
    // Warm paper that is picked as gray.
    let paper = SIMD3(0.95, 0.9, 0.82)
    let picked = try #require(
      WhiteBalance(
        gray: SIMD3(
          SRGBTransfer.decode(paper.x), SRGBTransfer.decode(paper.y), SRGBTransfer.decode(paper.z)),
        in: .sRGB))
    let gray = try render(
      [paper], "temperature=\(picked.temperature),tint=\(picked.tint)")[0]
    #expect(gray.max() - gray.min() < 0.002, "\(gray)")
  }
}
