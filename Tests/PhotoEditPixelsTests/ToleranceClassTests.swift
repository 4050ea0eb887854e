// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import Testing

@Suite("ToleranceClass")
struct ToleranceClassTests {
  struct Defect: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var accepted: [ToleranceClass]
    var change: @Sendable (_ x: Int, _ y: Int, _ c: Int, _ value: Int) -> Int
  }

  private static let scene = SmallImages.make(64, 48, .rgb, SmallImages.scene)

  private static let defects = [
    Defect(testDescription: "none", accepted: [.E1, .T1, .T2, .F, .P]) { $3 },
    Defect(
      testDescription: "a level up or down in a third of the samples", accepted: [.T1, .T2, .P]
    ) { x, y, c, value in value + [0, 1, 0, 0, -1, 0][(x * 5 + y * 7 + c * 3) % 6] },
    Defect(testDescription: "one level more everywhere", accepted: [.P]) { $3 + 1 },
    Defect(testDescription: "one level less in the red of most pixels", accepted: [.T2, .P]) {
      x, _, c, value in c == 0 && x % 5 < 3 ? value - 1 : value
    },
    Defect(testDescription: "two levels in a tenth of the samples", accepted: [.T2, .P]) {
      x, y, c, value in (x + 3 * y + c) % 10 == 0 ? value + 2 : value
    },
    Defect(testDescription: "three levels more everywhere", accepted: []) { $3 + 3 },
    Defect(testDescription: "one pixel 100 levels brighter", accepted: [.P]) { x, y, _, value in
      x == 20 && y == 30 ? value + (value < 156 ? 100 : -100) : value
    },
    Defect(testDescription: "a 16×16 patch four levels brighter", accepted: []) {
      x, y, _, value in (16..<32).contains(x) && (16..<32).contains(y) ? value + 4 : value
    },
    Defect(testDescription: "saturation five per cent up", accepted: [.P]) { x, y, c, value in
      let luma = luma(x, y)
      return Int((luma + (Double(value) - luma) * 1.05).rounded())
    },
    Defect(testDescription: "gamma two per cent up", accepted: [.P]) {
      Int((pow(Double($3) / 255, 1.02) * 255).rounded())
    },
    Defect(testDescription: "red and blue swapped", accepted: []) { x, y, c, _ in
      SmallImages.scene(x, y, 2 - c)
    },
    Defect(testDescription: "a pixel to the right", accepted: []) { x, y, c, _ in
      SmallImages.scene(max(x - 1, 0), y, c)
    },
    Defect(testDescription: "blurred in linear instead of encoded light", accepted: []) {
      x, y, c, _ in blurred(x, y, c, gamma: 2.2)
    },
  ]

  /// The reference of the linear-light blur is the gamma-encoded blur.
  private static func reference(of defect: Defect) -> ImageBuffer {
    guard defect.testDescription.hasPrefix("blurred") else { return scene }
    return SmallImages.changed(scene) { x, y, c, _ in blurred(x, y, c, gamma: 1) }
  }

  private static func luma(_ x: Int, _ y: Int) -> Double {
    0.299 * Double(SmallImages.scene(x, y, 0)) + 0.587 * Double(SmallImages.scene(x, y, 1))
      + 0.114 * Double(SmallImages.scene(x, y, 2))
  }

  private static func blurred(_ x: Int, _ y: Int, _ c: Int, gamma: Double) -> Int {
    var sum = 0.0
    for dx in -2...2 {
      // An added checkerboard gives edges whose blur depends on the transfer encoding.
      let column = min(max(x + dx, 0), 63)
      let value = SmallImages.scene(column, y, c) / 2 + (column / 4 % 2 == 0 ? 0 : 120)
      sum += pow(Double(value) / 255, gamma) / 5
    }
    return Int((pow(sum, 1 / gamma) * 255).rounded())
  }

  @Test(arguments: defects)
  func `accepts small defects and rejects large ones`(_ defect: Defect) throws {
    let reference = Self.reference(of: defect)
    let difference = try ImageDifference(reference, SmallImages.changed(reference, defect.change))
    for tolerance in ToleranceClass.allCases {
      let failure = tolerance.failure(of: difference)
      #expect(
        tolerance.accepts(difference) == defect.accepted.contains(tolerance),
        "\(tolerance): \(failure ?? "accepted") \(difference)")
      #expect((failure == nil) == tolerance.accepts(difference))
    }
  }

  @Test func `a change of alpha that a white background hides is still a change`() throws {
    let first = SmallImages.make(8, 8, .rgba) { _, _, _ in 255 }
    let second = SmallImages.changed(first) { x, y, c, value in (x, y, c) == (3, 3, 3) ? 100 : value
    }
    let difference = try ImageDifference(first, second)
    #expect(difference.maximum == 0)
    #expect(!ToleranceClass.E1.accepts(difference))
    #expect(!ToleranceClass.T2.accepts(difference))
    let sentence = "E1: largest difference of alpha is 155 (allowed: at most 0)"
    #expect(ToleranceClass.E1.failure(of: difference) == sentence)
  }

  @Test(arguments: [(5, true), (6, false)])
  func `16-bit images are compared in fractions of a level`(
    _ step: Int, _ isAccepted: Bool
  ) throws {
    // 5/257 is 0.0195 levels, 6/257 is 0.0233.
    let first = SmallImages.make(8, 8, .gray, bytesPerSample: 2) { x, y, _ in 1000 * (x + y) }
    let second = SmallImages.changed(first) { x, y, _, value in x == y ? value + step : value }
    let difference = try ImageDifference(first, second)
    #expect(ToleranceClass.F.accepts(difference) == isAccepted)
    #expect(!ToleranceClass.E1.accepts(difference))
  }

  @Test func `the message names every failed limit with values and position`() throws {
    let second = SmallImages.changed(Self.scene) { x, y, c, value in
      (x, y, c) == (12, 40, 0) ? value + 57 : value + 1
    }
    let difference = try ImageDifference(Self.scene, second)
    #expect(
      ToleranceClass.T2.failure(of: difference)
        == "T2: largest difference is 57 at (12, 40) (allowed: at most 2); "
        + "mean difference is 1.006 (allowed: at most 0.5)")
    let bias = try #require(ToleranceClass.T1.failure(of: difference))
    #expect(bias.contains("mean signed difference is 1.018 red, 1 green, 1 blue"))
  }

  @Test func `classes have the names of the command line`() {
    #expect(ToleranceClass.allCases.map(\.rawValue) == ["E1", "T1", "T2", "F", "P"])
    #expect(ToleranceClass(rawValue: "T1") == .T1)
    #expect(ToleranceClass(rawValue: "t1") == nil)
  }
}
