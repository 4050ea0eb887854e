// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

/// The expected numbers follow from those of the database by its documented definitions, and those
/// were compared with the coordinates and the gains that the library computes.
@Suite(
  "Lenses of the database",
  .enabled(if: LensDatabase.refusal == nil, "liblensfun1 or liblensfun-data-v1 is not installed"))
struct LensTests {
  private static func photo(
    _ make: String = "Canon", _ model: String = "Canon EOS 5D Mark III",
    _ lens: String? = "EF24-105mm f/4L IS USM", focalLength: Int = 24, size: [Int] = [],
    xmp: String = ""
  ) throws -> ImageSource {
    var file = ImageFile()
    file.main = [.text(0x010F, make), .text(0x0110, model)]
    file.exif = [.fractions(0x829D, [(4, 1)]), .fractions(0x920A, [(focalLength, 1)])]
    if let lens { file.exif.append(.text(0xA434, lens)) }
    if size.count == 2 { file.exif += [.long(0xA002, size[0]), .long(0xA003, size[1])] }
    file.xmp = xmp
    return try ImageSource(FileBytes(file.jpeg(1)))
  }

  @Test func `a correction has the coefficients of the lens, in halves of the diagonal`() throws {
    let lens = try LensDatabase.correction(of: Self.photo())
    #expect(lens.profile == "Canon EF 24-105mm f/4L IS USM")
    // The diagonal of 36 × 24 mm is √3.25 times as long as the shorter side.
    let (square, cube) = (3.25, 3.25 * 3.25.squareRoot())
    let expected: [([Double], [Double])] = [
      (lens.model, [1.031981, 0, -0.049244 * square, 0.017263 * cube, 0]),
      (lens.red, [1.0011673, 0, -0.0000336 * square]),
      (lens.blue, [1.000182, 0, -0.0000857 * square]),
    ]
    for (found, expected) in expected {
      for (one, other) in zip(found, expected) { #expect(abs(one - other) <= 5e-6, "\(found)") }
    }
    // The light of the corner is less than a sixth.
    let gain = 1 / (1 + lens.falloff.reduce(0, +))
    #expect(abs(gain - 6.8027) <= 0.0005, "\(lens.falloff)")
    // At a longer focal length, it is another lens.
    let tele = try LensDatabase.correction(of: Self.photo(focalLength: 70))
    #expect(tele.model[0] < 1 && tele.profile == lens.profile)
  }

  @Test(arguments: [
    ("Acme", "X1", "L", 24, "camera not in the database"),
    ("Canon", "Canon EOS 5D Mark III", "Acme 24mm", 24, "lens not in the database"),
    ("Canon", "Canon EOS 5D Mark III", "EF24-105mm f/4L IS USM", 300, "lens not in the database"),
    ("SONY", "ILCE-7M3", "FE 24-105mm F4 G OSS", 24, "corrected by the camera"),
  ])
  func `an unknown lens is left alone`(
    make: String, model: String, lens: String, focalLength: Int, reason: String
  ) throws {
    let refusal = #expect(throws: LensDatabase.Refusal.self) {
      try LensDatabase.correction(of: Self.photo(make, model, lens, focalLength: focalLength))
    }
    #expect(refusal?.reason.hasPrefix(reason) == true, "\(String(describing: refusal))")
  }

  @Test func `several lenses that fit are named, and none is chosen`() throws {
    let refusal = #expect(throws: LensDatabase.Refusal.self) {
      try LensDatabase.correction(
        of: Self.photo("Canon", "Canon EOS 5D Mark III", "EF", focalLength: 50))
    }
    #expect(refusal?.reason.contains("several lenses fit: Canon EF 50mm") == true)
  }

  @Test func `a photo that was cropped or corrected is left alone`() throws {
    let cropped = #expect(throws: LensDatabase.Refusal.self) {
      try LensDatabase.correction(of: Self.photo(size: [6000, 2000]))
    }
    #expect(cropped?.reason == "cropped")
    let corrected = #expect(throws: LensDatabase.Refusal.self) {
      try LensDatabase.correction(
        of: Self.photo(
          xmp: "xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\" "
            + "crs:LensProfileEnable=\"1\""))
    }
    #expect(corrected?.reason == "already corrected")
  }

  @Test func `a lens is corrected first, and once`() throws {
    let image = try Self.photo()
    var graph = try FilterGraph([Exposure(ev: 1)])
    for _ in 0..<2 {
      let adjustment = try Renderer.automaticAdjustment(
        of: image, after: graph.beforeAutomaticNodes, kinds: [.lens, .light])
      try graph.apply(adjustment)
      let names = graph.nodes.map(\.filter)
      #expect(names.first == "lens" && names.count { $0 == "lens" } == 1, "\(names)")
    }
    let again = try Renderer.automaticAdjustment(of: image, after: graph, kinds: [.lens])
    #expect(again.unchanged.map(\.reason) == ["already corrected"])
  }
}
