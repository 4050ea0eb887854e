// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Color conversion with Little CMS")
struct ColorConversionTests {
  private func cmykProfile(_ bytes: [UInt8]) throws -> any ImageDecoder {
    var options = DecoderOptions()
    options.deliversCMYK = true
    return try ImageDecoders.open(FileBytes(bytes), options: options)
  }

  /// The same image without the Adobe marker.
  private static let plain = Array(JPEGFixture.cmyk[..<2] + JPEGFixture.cmyk[18...])

  @Test func `CMYK components are zero for no colorant, with and without a marker`() throws {
    for file in [JPEGFixture.cmyk, Self.plain] {
      let image = try ImageDecoders.decode(try cmykProfile(file))
      #expect(image.layout.channels.count == 4)
      for (found, component) in zip(image.bytes, [51, 102, 153, 26]) {
        #expect(abs(Int(found) - component) <= 2)
      }
    }
  }

  @Test func `CMYK components are converted with the table of the profile`() throws {
    let conversion = try ColorConversion(
      from: .profile(TestProfiles.cmykProfile), bytesPerSample: 1)
    let decoded = try ImageDecoders.decode(try cmykProfile(JPEGFixture.cmyk))
    #expect(conversion.accepts(decoded.layout) && !conversion.accepts(RowLayout(channels: .rgb)))
    #expect(conversion.layout == RowLayout(channels: .rgb, bytesPerSample: 2))
    var image = ImageBuffer(size: decoded.size, layout: conversion.layout)
    let count = decoded.size.pixelCount
    decoded.bytes.withUnsafeBytes { from in
      image.bytes.withUnsafeMutableBytes { into in
        guard let from = from.baseAddress, let into = into.baseAddress else { return }
        conversion.convert(count, from: from, into: into)
      }
    }
    let component = [51.0, 102, 153, 26].map { $0 / 255 }
    for channel in 0..<3 {
      let light =
        (1 - 0.9 * component[channel]) * (1 - 0.95 * component[3])
        * (1 - 0.1 * component[(channel + 1) % 3])
      let expected = TransferFunction.sRGB.curve.inverse(light)
      let found = Double(image[x: 5, y: 5, channel: channel]) / 65_535
      // The grid of five is coarse and the JPEG is off by a level.
      #expect(abs(found - expected) < 0.012, "\(channel): \(found), \(expected)")
    }
    #expect(!conversion.exceedsSRGB)
  }

  @Test func `colors outside sRGB are detected`() throws {
    let primaries = try #require(ColorPrimaries(codePoint: 9))
    let wide = try #require(
      ICCProfile.matrix(primaries: primaries, transfer: .bt709, description: "x"))
    #expect(try ColorConversion(from: .profile(wide), bytesPerSample: 1).exceedsSRGB)
    #expect(
      try !ColorConversion(from: .profile(TestProfiles.camera), bytesPerSample: 1).exceedsSRGB)
  }

  @Test(arguments: [1, 2])
  func `sRGB and alpha values stay unchanged`(bytesPerSample: Int) throws {
    let profile = try #require(ICCProfile.sRGB)
    let conversion = try ColorConversion(
      from: .profile(profile), hasAlpha: true, bytesPerSample: bytesPerSample)
    var source: [UInt8] = []
    for level in stride(from: 0, through: 255, by: 5) {
      for value in [level, 255 - level, level / 2, level] {
        source += [UInt8](repeating: UInt8(value), count: bytesPerSample)
      }
    }
    let count = source.count / 4 / bytesPerSample
    var target = [UInt16](repeating: 1, count: 4 * count)
    source.withUnsafeBytes { from in
      target.withUnsafeMutableBytes { into in
        guard let from = from.baseAddress, let into = into.baseAddress else { return }
        conversion.convert(count, from: from, into: into)
      }
    }
    for (index, value) in target.enumerated() {
      let expected = Int(source[index * bytesPerSample]) * 257
      #expect(abs(Int(value) - expected) <= (index % 4 == 3 ? 0 : 24), "\(index)")
    }
  }

  @Test func `a lightness of one half is the middle gray`() throws {
    let conversion = try ColorConversion(from: .lab, bytesPerSample: 1)
    var target = [UInt16](repeating: 0, count: 6)
    target.withUnsafeMutableBytes { into in
      guard let into = into.baseAddress else { return }
      conversion.convert(2, from: [128, 128, 128, 255, 128, 128] as [UInt8], into: into)
    }
    let middle = TransferFunction.sRGB.curve.inverse(0.18586)
    for value in target[..<3] { #expect(abs(Double(value) / 65_535 - middle) < 0.004) }
    for value in target[3...] { #expect(value > 65_300) }
  }

  @Test func `threads can share a conversion`() async throws {
    let conversion = try ColorConversion(from: .profile(TestProfiles.camera), bytesPerSample: 1)
    let source = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    @Sendable func convert() -> [UInt16] {
      var target = [UInt16](repeating: 0, count: source.count)
      target.withUnsafeMutableBytes { into in
        guard let into = into.baseAddress else { return }
        conversion.convert(1000, from: source, into: into)
      }
      return target
    }
    let expected = convert()
    await withTaskGroup(of: [UInt16].self) { group in
      for _ in 0..<16 { group.addTask { convert() } }
      for await result in group { #expect(result == expected) }
    }
  }

  @Test func `a profile with a missing table is rejected with a reason`() throws {
    let cmykProfile = TestProfiles.patched(TestProfiles.cmykProfile, 132 + 24, "junk")
    #expect(throws: ColorConversion.Failure.self) {
      try ColorConversion(from: .profile(cmykProfile), bytesPerSample: 1)
    }
  }

  @Test func `out of memory is not reported as a profile error, and messages may hold any bytes`() {
    // The codes are those of pe_lcms.h; the bytes are those of "é".
    let message = ([0xC3, 0xA9, 0, 65] as [UInt8]).map { CChar(truncatingIfNeeded: $0) }
    #expect(
      ColorConversion.failure(1, message) == .missingLibrary(package: "liblcms2-2", reason: "é"))
    #expect(ColorConversion.failure(2, message) == .unusable(reason: "é"))
    #expect(ColorConversion.failure(3, message) == .outOfMemory)
  }
}
