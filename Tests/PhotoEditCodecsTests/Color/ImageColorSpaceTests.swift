// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Color properties of an image")
struct ImageColorSpaceTests {
  private func color(_ bytes: [UInt8]) throws -> ImageColorSpace {
    let file = FileBytes(bytes)
    return try ImageColorSpace(ImageDecoders.open(file).header, ImageMetadata.read(file))
  }

  private func png(_ channels: ChannelLayout = .rgb) throws -> [UInt8] {
    let image = ImageBuffer(
      size: PixelSize(width: 3, height: 2), layout: RowLayout(channels: channels))
    return try PNGEncoder.encode(image)
  }

  @Test func `an untagged image is treated as sRGB and not converted`() throws {
    for bytes in [try png(), try png(.gray), JPEGFixture.plain] {
      let color = try color(bytes)
      #expect(color.transfers.isEmpty && color.statedProfile == nil && color.conversion == nil)
      #expect(color.origin == .nowhere && color.description == "sRGB, assumed")
    }
  }

  @Test func `profiles with the sRGB curve are kept and need no conversion`() throws {
    let p3 = try #require(
      ICCProfile.matrix(primaries: .displayP3, transfer: .sRGB, description: "Display P3"))
    let color = try color(ProfiledFiles.png(png(), profile: p3))
    #expect(color.transfers.isEmpty && color.conversion == nil && color.notices.isEmpty)
    #expect(color.description == "Display P3, kept")
  }

  @Test func `profiles with other curves are kept and linearized with them`() throws {
    let profile = TestProfiles.rgb(
      [[563], [461], [256]].map { TestProfiles.curv($0) }, name: "Odd")
    let color = try color(ProfiledFiles.png(png(), profile: profile))
    #expect(color.transfers.count == 3 && color.conversion == nil)
    #expect(color.description == "Odd, kept")
  }

  @Test func `profiles with non-invertible curves are converted with a color table`() throws {
    let plateau = TestProfiles.curv([0, 30_000, 30_000, 30_000, 65_535])
    let falling = TestProfiles.curv([0, 40_000, 30_000, 65_535])
    for curve in [plateau, falling] {
      let profile = TestProfiles.rgb([curve, curve, curve])
      let color = try color(ProfiledFiles.png(png(), profile: profile))
      #expect(color.handling == .convertedForFilters && color.transfers.isEmpty)
    }
  }

  @Test func `CMYK with a profile is converted to sRGB, without one by a default`() throws {
    let profiled = try color(
      ProfiledFiles.jpeg(JPEGFixture.cmyk, profile: TestProfiles.cmykProfile))
    #expect(profiled.handling == .converted && profiled.conversion != nil)
    #expect(profiled.description == "Tested table, converted to sRGB")
    let plain = try color(JPEGFixture.cmyk)
    #expect(plain.handling == .converted && plain.conversion == nil)
  }

  @Test(arguments: [(12, "link"), (12, "nmcl"), (16, "GRAY"), (20, "xyz ")])
  func `an unusable profile is reported and ignored`(offset: Int, text: String) throws {
    let good = TestProfiles.rgb([
      TestProfiles.curv([563]), TestProfiles.curv([563]), TestProfiles.curv([563]),
    ])
    let color = try color(
      ProfiledFiles.png(png(), profile: TestProfiles.patched(good, offset, text)))
    #expect(color.transfers.isEmpty && color.conversion == nil && color.notices.count == 1)
    #expect(color.origin == .nowhere)
  }

  // MARK: Without a profile

  @Test(arguments: [
    (0xFF, "R03", true), (2, nil, true), (1, "R03", false), (1, nil, false), (0xFF, nil, false),
  ])
  func `Adobe RGB is detected from the interoperability index or the color space tag`(
    colorSpace: UInt8, index: String?, isAdobe: Bool
  ) throws {
    let segment = ProfiledFiles.exif(colorSpace: colorSpace, index: index)
    let color = try color(ProfiledFiles.jpeg(JPEGFixture.plain, adding: [segment]))
    #expect((color.statedProfile != nil) == isAdobe)
    #expect(color.description == (isAdobe ? "Adobe RGB (1998), kept" : "sRGB, assumed"))
  }

  @Test func `a profile takes precedence over EXIF`() throws {
    let segment = ProfiledFiles.exif(colorSpace: 2, index: nil)
    let profile = try #require(ICCProfile.sRGB)
    let bytes = ProfiledFiles.jpeg(JPEGFixture.plain, adding: [segment])
    let color = try color(ProfiledFiles.jpeg(bytes, profile: profile))
    #expect(color.origin == .profile && color.statedProfile == nil)
  }

  @Test(arguments: [(12, "link"), (16, "GRAY"), (20, "xyz ")])
  func `an unusable profile falls back to EXIF or gamma`(
    offset: Int, text: String
  ) throws {
    let good = TestProfiles.rgb([[563], [563], [563]].map { TestProfiles.curv($0) })
    let useless = TestProfiles.patched(good, offset, text)
    let segment = ProfiledFiles.exif(colorSpace: 2, index: nil)
    let camera = ProfiledFiles.jpeg(JPEGFixture.plain, adding: [segment])
    let adobe = try color(ProfiledFiles.jpeg(camera, profile: useless))
    #expect(adobe.origin == .stated("EXIF") && adobe.notices.count == 1)
    #expect(adobe.statedProfile == ICCProfile.adobeRGB)
    let chunks = ProfiledFiles.png(try png(), adding: [("gAMA", chunk([50_000]))])
    let gamma = try color(ProfiledFiles.png(chunks, profile: useless))
    #expect(gamma.origin == .stated("gAMA") && gamma.notices.count == 1)
    let usable = try color(ProfiledFiles.png(chunks, profile: good))
    #expect(usable.origin == .profile && usable.notices.isEmpty)
  }

  @Test func `an iCCP chunk that cannot be decompressed falls back to gamma`() throws {
    let color = try color(
      ProfiledFiles.png(
        png(), adding: [("iCCP", Array("x\0\0junk".utf8)), ("gAMA", chunk([50_000]))]))
    #expect(color.origin == .stated("gAMA"))
  }

  @Test(arguments: [[12, 3, 0, 1], [200, 13, 0, 1], [1, 13, 9, 1], [1, 13, 0, 0]])
  func `unsupported cICP codes of a PNG fall back to gamma`(codes: [Int]) throws {
    let bytes = ProfiledFiles.png(
      try png(),
      adding: [("cICP", codes.map { UInt8($0) }), ("gAMA", chunk([50_000]))])
    #expect(try color(bytes).origin == .stated("gAMA"))
    let losses = try ImageMetadata.read(FileBytes(bytes)).losses
    #expect(losses.map(\.kind) == [.colorTags])
  }

  @Test(arguments: [1, 6, 14, 15])
  func `video transfer codes mean the sRGB curve only with sRGB primaries`(code: Int) throws {
    for primaries in [1, 2] {
      let function = try TransferFunction(codePoint: code, primariesCode: primaries)
      #expect(function == .sRGB)
    }
    for primaries in [nil, 5, 9, 12] {
      let function = try TransferFunction(codePoint: code, primariesCode: primaries)
      #expect(function == .bt709)
    }
    let bytes = ProfiledFiles.png(try png(), adding: [("cICP", [1, UInt8(code), 0, 1])])
    let color = try color(bytes)
    #expect(color.transfers.isEmpty && color.description == "sRGB, kept")
  }

  private static let p3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
  private static let srgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]

  private func chunk(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { ICCProfile.number($0) } }

  @Test func `gamma and chromaticities of a PNG are read unless they match sRGB`() throws {
    func stated(_ chunks: [(String, [UInt8])], _ channels: ChannelLayout = .rgb) throws
      -> ImageColorSpace
    { try color(ProfiledFiles.png(png(channels), adding: chunks)) }
    #expect(try stated([("gAMA", chunk([45_455]))]).origin == .nowhere)
    #expect(try stated([("gAMA", chunk([0]))]).origin == .nowhere)
    #expect(try stated([("cHRM", chunk(Self.srgb)), ("gAMA", chunk([45_455]))]).origin == .nowhere)
    #expect(try stated([("sRGB", [0]), ("gAMA", chunk([100_000]))]).origin == .nowhere)
    let linear = try stated([("gAMA", chunk([100_000]))])
    #expect(linear.origin == .stated("gAMA"))
    #expect(linear.transfers.count == 3 && linear.transfers[0](0.25) == 0.25)
    let gray = try stated([("gAMA", chunk([50_000]))], .gray)
    #expect(gray.transfers.count == 1 && gray.statedProfile?.colorSpace == "GRAY")
    let wide = try stated([("cHRM", chunk(Self.p3))])
    #expect(wide.transfers.isEmpty && wide.statedProfile != nil)
    // Identical primaries cannot produce white.
    let dark = try stated([("cHRM", chunk([Int](repeating: 30_000, count: 8)))])
    #expect(dark.origin == .nowhere && dark.notices.count == 1)
  }

  @Test func `cICP codes of a PNG take precedence over its profile`() throws {
    let profile = try #require(ICCProfile.adobeRGB)
    let bytes = ProfiledFiles.png(
      ProfiledFiles.png(try png(), profile: profile), adding: [("cICP", [12, 13, 0, 1])])
    let color = try color(bytes)
    #expect(color.description == "Display P3, kept")
    #expect(color.statedProfile?.description == "Display P3")
  }

  @Test(arguments: [
    ([1, 8], "sRGB"), ([12, 8], "Display P3"), ([9, 8], "H.273 9/8 with the sRGB curve"),
  ])
  func `linear light is converted to the sRGB curve and keeps its primaries`(
    codes: [Int], name: String
  ) throws {
    let color = try color(
      ProfiledFiles.png(png(), adding: [("cICP", codes.map { UInt8($0) } + [0, 1])]))
    #expect(color.handling == .convertedCurve)
    #expect(color.transfers.count == 3 && color.transfers[0](0.25) == 0.25)
    let profile = try #require(color.statedProfile)
    let isSRGB = profile.isSRGB
    #expect(profile.description == name && isSRGB == (name == "sRGB"))
    let curves = try #require(ChannelTransfer.channels(of: profile))
    let areSRGB = curves.allSatisfy { $0.isSRGB }
    #expect(areSRGB)
  }

  @Test(arguments: [(100_000, true), (70_000, true), (60_000, false), (50_000, false)])
  func `nearly linear PNG gamma is converted to the sRGB curve`(gamma: Int, isReplaced: Bool) throws
  {
    let color = try color(ProfiledFiles.png(png(), adding: [("gAMA", chunk([gamma]))]))
    #expect(color.handling == (isReplaced ? .convertedCurve : .kept))
  }

  @Test func `a profile too large for a JPEG is reported as a loss`() throws {
    var container = ContainerMetadata()
    container.icc = [UInt8](repeating: 0, count: 17 << 20)
    let metadata = try ImageMetadata(container, limits: ImageLimits())
    #expect(metadata.icc == nil && metadata.losses.map(\.kind) == [.colorProfile])
  }

  @Test func `damage anywhere in a profile never traps`() throws {
    let p = TestProfiles.rgb([
      TestProfiles.curv([563]), TestProfiles.table(17) { $0 * $0 },
      TestProfiles.para(3, [2.4, 0.948, 0.052, 0.0774, 0.0405]),
    ])
    for profile in [p, TestProfiles.table("RGB ", channels: 3, grid: 2) { $0 }] {
      let header = ImageHeader(
        format: .png, size: PixelSize(width: 1, height: 1), layout: RowLayout(channels: .rgb),
        sourceColor: .rgb, bitsPerSample: 8, isProgressive: false)
      var state: UInt64 = 0x1234_5678_9ABC_DEF1
      var kept = 0
      for index in profile.bytes.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var flipped = profile.bytes
        flipped[index] ^= UInt8(truncatingIfNeeded: state >> 40) | 1
        let truncated = Array(profile.bytes[..<index])
        for bytes in [flipped, truncated] {
          var metadata = ImageMetadata()
          metadata.icc = bytes
          let color = ImageColorSpace(header, metadata)
          if color.origin == .profile { kept += 1 } else { #expect(!color.notices.isEmpty) }
        }
      }
      // Most bytes belong to numbers, for which any value is valid; no truncated profile is
      // accepted.
      #expect(kept > 0 && kept <= profile.bytes.count)
    }
  }
}
