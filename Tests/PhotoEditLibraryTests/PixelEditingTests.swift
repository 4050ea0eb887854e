// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Editing the pixels of assets")
struct PixelEditingTests {
  private let owner: TestLibrary
  private var library: PhotoLibrary { owner.library }

  init() throws { owner = try TestLibrary() }

  /// Inverts the still of an asset in an editing session.
  private func invert(_ asset: Asset, keepsMovie: Bool = false) async throws -> PixelBuffer<Float> {
    let input = try await library.contentEditingInput(for: asset, options: EditorB.options)
    var pixels = try await input.pixels(as: Float.self, arrangement: .planar)
    for i in pixels.samples.indices { pixels.samples[i] = 1 - pixels.samples[i] }
    let output = try await library.contentEditingOutput(for: input)
    try await output.write(pixels, quality: .ijg(100))
    if keepsMovie {
      try Data(contentsOf: #require(input.audiovisualURL))
        .write(to: #require(output.pairedVideoURL))
    }
    output.adjustmentData = try EditorB.data("inverted")
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
    return pixels
  }

  /// The current media and pixels of an asset, and the version that the editor would resume from.
  private func facts(
    _ asset: Asset
  ) async throws -> (
    media: EditingMediaType, pixels: PixelBuffer<Float>, base: EditingInput.Version
  ) {
    let asset = try owner.refetched(asset)
    let shown = try await library.contentEditingInput(for: asset)
    let base = try await library.contentEditingInput(for: asset, options: EditorB.options)
    #expect(try base.adjustmentData == EditorB.data("inverted"))
    return (shown.media, try await shown.pixels(arrangement: .planar), base.version)
  }

  @Test func `a pixel edit of an asset is current and reopens from the original`() async throws {
    let asset = try owner.addPhoto("photo-64.jpg")
    let made = try await invert(asset)
    let (_, shown, base) = try await facts(asset)
    let differences = zip(made.samples, shown.samples).map { abs($0 - $1) }
    #expect(made.size == shown.size && differences.reduce(0, +) / Float(made.samples.count) < 0.02)
    #expect(base == .original)
    try owner.checkFiles(asset)
  }

  @Test(arguments: [true, false])
  func `a pixel edit of a Live Photo keeps the video only if one is written`(
    keepsMovie: Bool
  ) async throws {
    let asset = try owner.create([
      (.photo, try ImageFile.live("L", seed: 1)), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    _ = try await invert(asset, keepsMovie: keepsMovie)
    #expect(try await facts(asset).media == (keepsMovie ? .livePhoto : .photo))
  }

  @Test func `an editing input reports the library's properties instead of the file's`()
    async throws
  {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:02:29 18:00:00"), ImageFile.appleNote(content: "L")]
    let asset = try owner.create([
      (.photo, try file.jpeg()), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    let coordinate = try #require(LocationCoordinate(latitude: 1, longitude: 2))
    let date = Date(timeIntervalSince1970: 5)
    let before = try await library.contentEditingInput(for: asset)
    #expect(before.creationDate == Date(timeIntervalSince1970: 1_709_229_600))
    #expect(before.location == nil && before.mediaSubtypes == .photoLive)
    try await library.performChanges { changes in
      let request = try changes.change(asset)
      try request.setCreationDate(date)
      try request.setLocation(coordinate)
    }
    let after = try await library.contentEditingInput(for: owner.refetched(asset))
    #expect(after.creationDate == date && after.location == coordinate)
    #expect(after.mediaType == .image && after.uniformTypeIdentifier == "public.jpeg")
  }
}
