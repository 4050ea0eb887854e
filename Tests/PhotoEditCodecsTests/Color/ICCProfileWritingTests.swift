// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@testable import PhotoEditCodecs

@Suite("ICC profiles from primaries and a transfer function")
struct ICCProfileWritingTests {
  /// The numbers of a tag after its type.
  private func fixed(_ signature: String, in profile: ICCProfile) -> [Double]? {
    let bytes = profile.bytes
    guard let count = bytes.unsigned32(at: 128) else { return nil }
    for entry in 0..<count where bytes.has(Array(signature.utf8), at: 132 + 12 * entry) {
      guard let start = bytes.unsigned32(at: 136 + 12 * entry),
        let size = bytes.unsigned32(at: 140 + 12 * entry), start + size <= bytes.count
      else { return nil }
      let first = bytes.has(Array("para".utf8), at: start) ? 12 : 8
      return stride(from: start + first, to: start + size, by: 4).map {
        Double(Int32(truncatingIfNeeded: bytes.unsigned32(at: $0) ?? 0)) / 65_536
      }
    }
    return nil
  }

  @Test func `the colorants of sRGB and Display P3 match the published values`() throws {
    let expected: [(ColorPrimaries, [[Double]])] = [
      (
        .sRGB,
        [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]]
      ),
      (
        .displayP3,
        [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]]
      ),
    ]
    for (primaries, colorants) in expected {
      let profile = try #require(
        ICCProfile.matrix(primaries: primaries, transfer: .sRGB, description: "x"))
      for (tag, colorant) in zip(["rXYZ", "gXYZ", "bXYZ"], colorants) {
        let found = try #require(fixed(tag, in: profile))
        for (a, b) in zip(found, colorant) { #expect(abs(a - b) < 3e-4, "\(tag): \(a) for \(b)") }
      }
    }
  }

  @Test(arguments: [1, 4, 5, 6, 8, 9, 11, 12, 22])
  func `the primaries of every code add up to the white of the connection space`(
    code: Int
  ) throws {
    let primaries = try #require(ColorPrimaries(codePoint: code))
    let profile = try #require(
      ICCProfile.matrix(primaries: primaries, transfer: .bt709, description: "x"))
    let illuminants = ["rXYZ", "gXYZ", "bXYZ"].compactMap { fixed($0, in: profile) }
    #expect(illuminants.count == 3)
    let sum = (0..<3).map { row in illuminants.reduce(0) { $0 + $1[row] } }
    #expect(sum == ICCProfile.whitePoint)
  }

  @Test func `a written profile is read back with its name and color space`() throws {
    let profile = try #require(ICCProfile.sRGB)
    let read = try ICCProfile(validating: profile.bytes)
    #expect(read == profile)
    #expect(read.colorSpace == "RGB ")
    #expect(read.description == "sRGB")
    #expect(profile.bytes.count < 500)
    #expect(ICCProfile.adobeRGB?.description == "Compatible with Adobe RGB (1998)")
  }

  @Test func `the shortest function type is chosen for the curve`() throws {
    let adobe = try #require(ICCProfile.adobeRGB)
    #expect(fixed("gTRC", in: adobe) == [2.199_218_75])
    let plain = try #require(ICCProfile.sRGB)
    let curve = try #require(fixed("bTRC", in: plain))
    #expect(curve.count == 5)
    #expect(abs(curve[4] - 0.04045) < 1e-5)
  }

  @Test func `primaries that cannot produce white give no profile`() {
    let point = ColorPrimaries.Chromaticity(0.3, 0.3)
    let line = ColorPrimaries(red: point, green: point, blue: point, white: point)
    #expect(ICCProfile.matrix(primaries: line, transfer: .linear, description: "x") == nil)
    let outside = ColorPrimaries(
      red: .init(0.64, 0.33), green: .init(0.3, 0.6), blue: .init(0.15, 0.06),
      white: .init(0.7, 0.2))
    #expect(ICCProfile.matrix(primaries: outside, transfer: .linear, description: "x") == nil)
  }

  @Test func `high dynamic range is rejected by name and reserved codes by number`() throws {
    #expect(throws: TransferFunction.Refusal.highDynamicRange(name: "PQ")) {
      try TransferFunction(codePoint: 16)
    }
    #expect(throws: TransferFunction.Refusal.highDynamicRange(name: "HLG")) {
      try TransferFunction(codePoint: 18)
    }
    #expect(throws: TransferFunction.Refusal.unsupported(code: 3)) {
      try TransferFunction(codePoint: 3)
    }
    #expect(ColorPrimaries(codePoint: 3) == nil)
  }

  @Test(arguments: [TransferFunction.sRGB, .bt709, .smpte240])
  func `two-piece curves are continuous and end at one`(function: TransferFunction) {
    let curve = function.curve
    #expect(abs(curve(curve.d) - curve(curve.d.nextDown)) < 1e-6)
    #expect(abs(curve(1) - 1) < 1e-12)
    #expect(curve(0) == 0)
  }
}
