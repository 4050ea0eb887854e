// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditTestSupport
import PhotoEditTesting
import Testing

@Suite("Expectations of goldens")
struct ExpectGoldenTests {
  private let folder: TemporaryFolder
  private let image = GoldenToleranceTests.image()

  init() throws { folder = try TemporaryFolder() }

  private func golden(_ name: String = "ramp") throws -> GoldenImage {
    try GoldenImage(named: name, in: folder.path("Goldens"))
  }

  private func check(
    _ image: ImageBuffer, _ tolerance: GoldenTolerance = .exact,
    _ environment: [String: String] = [:]
  ) throws -> GoldenCheck.Failure? {
    GoldenCheck(image, try golden(), tolerance, environment: environment).failure()
  }

  private func names() throws -> [String] {
    let path = folder.path("Goldens")
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func `a missing golden fails and leaves a candidate`() throws {
    let failure = try #require(try check(image))
    #expect(failure.message.hasPrefix("there is no golden 'ramp' ("))
    #expect(failure.message.contains("PHOTOEDIT_RECORD_GOLDENS=all"))
    #expect(failure.images.map(\.kind) == ["actual"])
    #expect(try names() == ["ramp.candidate.png"])
    // Another run does not accept it.
    #expect(try check(image) != nil)
  }

  @Test(arguments: [ChannelLayout.gray, .grayAlpha, .rgb, .rgba], [1, 2])
  func `a recorded image matches with all of its bits`(channels: ChannelLayout, bytes: Int) throws {
    let image = GoldenToleranceTests.image(channels, bytes: bytes)
    let failure = try #require(try check(image, .exact, ["PHOTOEDIT_RECORD_GOLDENS": "missing"]))
    #expect(failure.message.hasPrefix("recorded the golden 'ramp' ("))
    #expect(try names() == ["ramp.png"])
    #expect(try golden().image() == image)
    #expect(try check(image) == nil)
    #expect(try check(image, .exact, ["PHOTOEDIT_RECORD_GOLDENS": "all"]) == nil)
    let changed = GoldenToleranceTests.image(channels, bytes: bytes, off: 1, channel: 0)
    #expect(try check(changed) != nil)
    #expect(try check(changed, .steps(1)) == nil)
  }

  @Test func `a difference leaves a candidate until the image matches again`() throws {
    try golden().record(image)
    let changed = GoldenToleranceTests.image(off: 7)
    let failure = try #require(try check(changed, .steps(6)))
    #expect(
      failure.message.hasPrefix(
        "'ramp' does not match its golden: largest difference is 7 of 255 at (2, 1), channel 1"))
    #expect(failure.images.map(\.kind) == ["expected", "actual", "difference"])
    #expect(failure.images.map(\.image)[0...1] == [image, changed])
    #expect(failure.images[2].image[x: 2, y: 1, channel: 1] == 16 * 7)
    #expect(try names() == ["ramp.candidate.png", "ramp.difference.candidate.png", "ramp.png"])
    #expect(try GoldenImage(named: "ramp.candidate", in: golden().folder).image() == changed)
    #expect(try check(image) == nil)
    #expect(try names() == ["ramp.png"])
    #expect(try golden().image() == image)
  }

  @Test func `other sizes, channels and depths never match`() throws {
    try golden().record(image)
    for other in [
      GoldenToleranceTests.image(.gray), GoldenToleranceTests.image(bytes: 2),
      ImageBuffer(size: PixelSize(width: 2, height: 3), layout: image.layout),
    ] {
      let failure = try #require(try check(other, .deltaE(mean: 100, maximum: 100)))
      #expect(failure.message.contains("instead of 3×2 rgb of 8 bits"))
      #expect(failure.images.map(\.kind) == ["expected", "actual"])
    }
  }

  @Test func `only recording of all replaces a golden`() throws {
    try golden().record(image)
    let changed = GoldenToleranceTests.image(off: 1)
    #expect(try check(changed, .exact, ["PHOTOEDIT_RECORD_GOLDENS": "missing"]) != nil)
    #expect(try golden().image() == image)
    // Even a permitted difference is recorded.
    let failure = try check(changed, .steps(1), ["PHOTOEDIT_RECORD_GOLDENS": "all"])
    #expect(failure?.message.hasPrefix("recorded") == true)
    #expect(try golden().image() == changed)
  }

  @Test func `nothing is written in continuous integration`() throws {
    let recording = ["PHOTOEDIT_RECORD_GOLDENS": "all", "CI": "true"]
    #expect(try check(image, .exact, recording)?.message.hasPrefix("CI is set") == true)
    let failure = try #require(try check(image, .exact, ["CI": "true"]))
    #expect(failure.message.hasSuffix("; see the attachments"))
    #expect(try names() == [])
  }

  @Test func `an unknown value of the variable fails`() throws {
    let failure = try check(image, .exact, ["PHOTOEDIT_RECORD_GOLDENS": "1"])
    #expect(
      failure?.message == "PHOTOEDIT_RECORD_GOLDENS is '1' (allowed: missing, all)")
  }

  @Test(arguments: ["", "../a", "a/b", ".a", "a b", "-a"])
  func `a name that could be a path is rejected`(name: String) {
    #expect(throws: GoldenError.invalidName(name)) { try GoldenImage(named: name, in: "/tmp") }
    withKnownIssue {
      expectGolden(image, named: name, in: folder.path)
    } matching: {
      $0.comments.map(\.rawValue).joined().contains("is not a valid name of a golden")
    }
  }

  @Test func `a damaged golden fails and stays`() throws {
    try golden().record(image)
    try folder.write([1, 2, 3], to: "Goldens/ramp.png")
    #expect(try check(image)?.message.contains("the golden cannot be read") == true)
    #expect(try Data(contentsOf: folder.url("Goldens/ramp.png")) == Data([1, 2, 3]))
  }

  @Test func `pixels of any type and files are compared`() throws {
    let pixels = PixelBuffer<UInt16>(GoldenToleranceTests.image(bytes: 2), arrangement: .planar)
    try golden("sixteen").record(GoldenToleranceTests.image(bytes: 2))
    try golden().record(image)
    let goldens = folder.path("Goldens")
    #expect(expectGolden(pixels, named: "sixteen", in: goldens))
    #expect(expectGolden(pixels.converted(to: Float.self), named: "sixteen", in: goldens))
    #expect(expectGolden(pixels.converted(to: UInt8.self), named: "ramp", in: goldens))
    let file = folder.url("ramp.png")
    try image.write(to: file)
    #expect(expectGolden(contentsOf: file, named: "ramp", in: goldens))
    withKnownIssue {
      expectGolden(contentsOf: folder.url("none.png"), named: "ramp", in: goldens)
    } matching: {
      $0.comments.map(\.rawValue).joined().contains("the image of the golden 'ramp'")
    }
  }

  @Test func `a difference is an issue at the line of the test`() throws {
    try golden().record(image)
    withKnownIssue {
      expectGolden(GoldenToleranceTests.image(off: 9), named: "ramp", in: folder.path("Goldens"))
    } matching: { issue in
      issue.sourceLocation?.fileID.hasSuffix("ExpectGoldenTests.swift") == true
        && issue.comments.map(\.rawValue).joined().contains("does not match its golden")
    }
  }

  /// `Goldens/ramp.png` next to this file.
  @Test func `the goldens of a file are next to it`() {
    expectGolden(image, named: "ramp")
  }
}
