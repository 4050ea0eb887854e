// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@Suite("Properties of an editing input")
struct InputFactsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func input(_ bytes: [UInt8], _ name: String = "photo.jpg") async throws -> EditingInput {
    try folder.write(bytes, to: name)
    return try await SidecarStore(photo: URL(filePath: folder.path(name))).editingInput()
  }

  @Test func `a file with metadata has a date, a location and a media subtype`() async throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:02:29 23:30:00"), .text(0x9011, "+05:30"), .short(0xA401, 6)]
    file.gps = [
      .text(1, "S"), .fractions(2, [(33, 1), (30, 1), (0, 1)]),
      .text(3, "E"), .fractions(4, [(151, 1), (0, 1), (0, 1)]),
    ]
    let input = try await input(file.jpeg())
    #expect(input.mediaType == .image && input.mediaSubtypes == .photoPanorama)
    #expect(input.creationDate == Date(timeIntervalSince1970: 1_709_229_600))
    #expect(input.location == LocationCoordinate(latitude: -33.5, longitude: 151))
    #expect(input.uniformTypeIdentifier == "public.jpeg")
  }

  @Test func `a file without metadata has no date and no location`() async throws {
    let input = try await input(TestImages.bytes("inputs/chart-ramp.png"), "a.jpg")
    #expect(input.creationDate == nil && input.location == nil && input.mediaSubtypes == [])
    #expect(input.uniformTypeIdentifier == "public.png", "by content, not by name")
  }

  @Test(arguments: [
    (PixelSize(width: 32, height: 32), PixelSize(width: 32, height: 24)),
    (PixelSize(width: 500, height: 500), nil),
  ])
  func `the display-size image fits the box and is never enlarged`(
    box: PixelSize, expected: PixelSize?
  ) async throws {
    let input = try await input(TestImages.bytes("inputs/photo-64.jpg"))
    let image = try await input.displaySizeImage(fitting: box)
    #expect(image.size == expected ?? input.size)
    // The mean of an image is preserved when it is downscaled.
    let whole = try await input.pixels(as: UInt8.self)
    func mean(_ samples: [UInt8]) -> Double {
      Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
    }
    #expect(abs(mean(image.samples) - mean(whole.samples)) < 2)
    #expect(image.colorSpace == whole.colorSpace)
  }
}
