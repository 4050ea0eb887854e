// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import Testing

@testable import PhotoEditFilters

/// Matrices computed by colour-science from the primaries of the spaces.
@Suite("Working color space")
struct WorkingSpaceTests {
  static let spaces: [(String, ColorPrimaries, luminance: [Double], longCones: [Double])] = [
    ("sRGB", .sRGB, [0.212639, 0.715169, 0.072192], [0.412177, 0.536274, 0.051440]),
    ("Display P3", .displayP3, [0.228975, 0.691739, 0.079287], [0.481327, 0.462068, 0.056496]),
    ("Adobe RGB", .adobeRGB, [0.297345, 0.627364, 0.075291], [0.576369, 0.369873, 0.053649]),
    (
      "ProPhoto",
      ColorPrimaries(
        red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404), blue: .init(0.0366, 0.0001),
        white: .init(0.3457, 0.3585)), [0.268318, 0.715123, 0.016559],
      [0.715364, 0.352759, -0.068233]
    ),
    (
      "BT.2020",
      ColorPrimaries(
        red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046),
        white: .init(0.3127, 0.3290)), [0.262700, 0.677998, 0.059302],
      [0.616688, 0.360159, 0.023043]
    ),
  ]

  private static func space(_ primaries: ColorPrimaries) -> WorkingSpace {
    primaries.matrixToD65XYZ.map { WorkingSpace(toXYZ: ColorTransform(rows: $0)) } ?? .sRGB
  }

  @Test(arguments: spaces.indices)
  func `luminance and cone responses follow from the primaries`(index: Int) {
    let (name, primaries, luminance, longCones) = Self.spaces[index]
    let space = Self.space(primaries)
    let responses = space.toXYZ.followed(by: Oklab.coneResponseOfXYZ)
    for (found, expected) in zip(space.luminance + responses.rows[0], luminance + longCones) {
      #expect(abs(found - expected) < 1.1e-6, "\(name): \(found)")
    }
    // Red, green and blue together are D65, with equal responses.
    let white = space.toXYZ.applied(to: SIMD3(1, 1, 1))
    #expect(abs(white.x - 0.3127 / 0.329) < 1e-12 && abs(white.y - 1) < 1e-12)
    #expect(abs(white.z - 0.3583 / 0.329) < 1e-12)
    for row in Oklab.coneResponse(of: space).rows { #expect(abs(row.reduce(0, +) - 1) < 1e-12) }
  }

  @Test func `Oklab in sRGB matches the published values`() {
    let rows = zip(Oklab.coneResponse(of: .sRGB).rows, Oklab.coneResponse.rows)
    for (found, published) in rows {
      for (a, b) in zip(found, published) { #expect(abs(a - b) < 2e-4) }
    }
  }

  @Test func `sRGB colors keep their values in sRGB, and grays everywhere`() throws {
    let color = try #require(Background("#3366cc")).levels
    #expect(WorkingSpace.sRGB.numbers(of: color) == color)
    for (_, primaries, _, _) in Self.spaces {
      let gray = SIMD3(repeating: 0.3)
      #expect(Self.space(primaries).numbers(of: gray) == gray)
    }
    let p3 = Self.space(.displayP3).numbers(of: SIMD3(1, 0, 0)) * 255
    for (found, expected) in zip([p3.x, p3.y, p3.z], [233.959327, 51.073136, 35.332951]) {
      #expect(abs(found - expected) < 1e-5)
    }
  }

  @Test func `an edit of the first version can be upgraded to the second`() throws {
    var graph = try FilterGraph([Oklch(chroma: 1.2)])
    let text = String(decoding: graph.canonicalBytes(), as: UTF8.self)
      .replacing("\"v\":2", with: "\"v\":1").replacing("@2\"", with: "@1\"")
    let newest = graph
    graph = try FilterGraph(json: Array(text.utf8))
    #expect(graph != newest && graph.nodes[0].version == 1)
    let old = try graph.nodes[0].resolved()
    #expect(old.values == Oklch(chroma: 1.2).values)
    // Another value changes the version.
    try graph.set(node: "oklch", parameter: "chroma", argument: "1.3")
    #expect(graph.nodes[0].version == 1)
    try graph.set(node: "oklch", parameter: "chroma", argument: "1.2")
    #expect(try graph.upgrade(node: "oklch"))
    #expect(graph == newest)
  }
}
