// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("FloatDifference")
struct FloatDifferenceTests {
  private let plane: [Float] = (0..<64).map { Float($0) / 48 - 0.1 }

  @Test(
    arguments: [
      (0, true, true), (0.019, true, true), (0.03, false, true), (-0.03, false, true),
      (0.049, false, true), (0.06, false, false), (1, false, false),
    ] as [(Float, Bool, Bool)])
  func `allows a fiftieth of a level for points and a twentieth for areas`(
    _ levels: Float, _ point: Bool, _ spatial: Bool
  ) throws {
    var other = plane
    other[17] += levels / 255
    let difference = try FloatDifference(plane, other)
    #expect(difference.isAccepted(.point) == point)
    #expect(difference.isAccepted(.spatial) == spatial)
    #expect((difference.failure(.point) == nil) == point)
    #expect(difference.maximumIndex == (levels == 0 ? nil : 17))
    #expect(abs(difference.maximum - Double(abs(levels))) < 1e-4)
    #expect(abs(difference.meanSigned - Double(levels) / 64) < 1e-5)
    #expect(abs(difference.mean - Double(abs(levels)) / 64) < 1e-5)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func `a sample that is not finite is never accepted`(_ value: Float) throws {
    var other = plane
    other[5] = value
    for first in [plane, other] {
      let difference = try FloatDifference(first, other)
      #expect(difference.maximum == .infinity && difference.maximumIndex == 5)
      #expect(!difference.isAccepted(.spatial))
    }
  }

  @Test func `the message contains value, position and limit`() throws {
    let difference = try FloatDifference([0, 0.5], [0, 0.501])
    let sentence = "F: largest difference is 0.255 levels at sample 1 (allowed: at most 0.02)"
    #expect(difference.failure(.point) == sentence)
  }

  @Test func `planes of different or zero length are rejected`() {
    #expect(throws: ComparisonError.differentCounts(1, 2)) { try FloatDifference([0], [0, 1]) }
    #expect(throws: ComparisonError.differentCounts(0, 0)) { try FloatDifference([], []) }
  }
}
