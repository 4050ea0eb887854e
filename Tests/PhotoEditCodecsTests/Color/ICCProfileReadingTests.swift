// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Reading ICC profiles")
struct ICCProfileReadingTests {
  private func profile(_ curve: [UInt8]) -> ICCProfile { TestProfiles.rgb([curve, curve, curve]) }

  @Test func `every parametric function type is read`() throws {
    let g = 2.4, a = 0.948, b = 0.052, c = 0.0774, d = 0.0405, e = 0.01, f = 0.02
    let x = 0.3
    let expected: [(UInt8, [Double], Double)] = [
      (0, [g], pow(x, g)), (1, [g, a, b], pow(a * x + b, g)),
      (2, [g, a, b, e], pow(a * x + b, g) + e), (3, [g, a, b, c, d], pow(a * x + b, g)),
      (4, [g, a, b, c, d, e, f], pow(a * x + b, g) + e),
    ]
    for (kind, values, result) in expected {
      let curve = try #require(profile(TestProfiles.para(kind, values)).curve("gTRC"))
      #expect(abs(curve(x) - result) < 1e-4, "type \(kind)")
    }
    let low = try #require(profile(TestProfiles.para(4, [g, a, b, c, d, e, f])).curve("rTRC"))
    #expect(abs(low(0.02) - (c * 0.02 + f)) < 1e-4)
  }

  @Test func `a curve with no entry is linear, with one a power, with more a table`() throws {
    let straight = try #require(profile(TestProfiles.curv([])).curve("rTRC"))
    #expect(straight(0.3) == 0.3)
    let power = try #require(profile(TestProfiles.curv([512])).curve("rTRC"))
    #expect(power(0.5) == 0.25)
    let table = try #require(profile(TestProfiles.curv([0, 13_107, 65_535])).curve("rTRC"))
    #expect(abs(table(0.5) - 0.2) < 1e-6)
    #expect(abs(table(0.25) - 0.1) < 1e-6)
  }

  @Test(arguments: [
    TestProfiles.curv([0]), Array("curv".utf8), TestProfiles.curv([1, 2, 3]).dropLast(1),
    TestProfiles.para(5, [1, 1, 1, 1, 1, 1, 1]), TestProfiles.para(3, [2.4, 1, 0]),
    TestProfiles.para(0, [-1]), TestProfiles.para(1, [2, 0, 1]), TestProfiles.curv([9, 5, 7]),
    Array("mft1".utf8) + [UInt8](repeating: 0, count: 40),
  ])
  func `a damaged curve is not read`(curve: [UInt8]) {
    #expect(profile(curve).curve("rTRC") == nil)
  }

  @Test func `a curve of four billion entries is rejected before allocation`() {
    var bytes = TestProfiles.curv([1, 2])
    bytes.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(profile(bytes).curve("rTRC") == nil)
  }

  @Test(arguments: [
    (12, "link", "device link"), (12, "abst", "abstract"), (12, "nmcl", "named"),
    (12, "xxxx", "class"), (20, "Luv ", "connection space"), (16, "CMYK", "CMYK"),
  ])
  func `an unsuitable profile gives the reason`(offset: Int, text: String, reason: String) throws {
    let good = profile(TestProfiles.curv([512]))
    #expect(good.unsupportedReason(for: "RGB ") == nil)
    let bad = TestProfiles.patched(good, offset, text)
    let stated = try #require(bad.unsupportedReason(for: "RGB "))
    #expect(stated.contains(reason))
  }

  @Test(arguments: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"])
  func `a profile that lacks a tag names the tag`(tag: String) throws {
    let good = profile(TestProfiles.curv([512]))
    for entry in 0..<20 where good.bytes.has(Array(tag.utf8), at: 132 + 12 * entry) {
      let bad = TestProfiles.patched(good, 132 + 12 * entry, "junk")
      let stated = try #require(bad.unsupportedReason(for: "RGB "))
      #expect(stated.contains(tag))
      return
    }
    Issue.record("the profile has no \(tag)")
  }

  @Test(arguments: [
    ICCProfile.sRGB, .matrix(primaries: .displayP3, transfer: .sRGB, description: "P3"),
  ])
  func `the sRGB curve is recognized`(profile: ICCProfile?) throws {
    let profile = try #require(profile)
    let channels = try #require(ChannelTransfer.channels(of: profile))
    #expect(channels.allSatisfy { $0.isSRGB })
  }

  @Test func `a table of the sRGB curve is recognized, a power curve is not`() throws {
    let srgb = TransferFunction.sRGB.curve
    for count in [256, 1024, 4096] {
      let table = profile(TestProfiles.table(count) { srgb($0) })
      let channels = try #require(ChannelTransfer.channels(of: table))
      #expect(channels.allSatisfy { $0.isSRGB })
    }
    let power = profile(TestProfiles.curv([563]))
    let channels = try #require(ChannelTransfer.channels(of: power))
    #expect(channels.allSatisfy { !$0.isSRGB })
  }

  @Test func `gray profiles with a Lab connection space return linear values`() throws {
    let profile = TestProfiles.gray(TestProfiles.curv([]), connection: "Lab ")
    let channel = try #require(ChannelTransfer.channels(of: profile)?.first)
    // L* = 50 is 18.4 % of the linear light.
    #expect(abs(channel(0.5) - 0.18418651851) < 1e-6)
    #expect(abs(channel(1) - 1) < 1e-12)
    #expect(abs(channel(0.04) - 0.04 * 2700 / 24_389) < 1e-9)
  }
}
