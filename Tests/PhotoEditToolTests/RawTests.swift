// SPDX-License-Identifier: Apache-2.0
#if RAW
  import PhotoEditCodecs
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @Suite("Raw files on the command line", .runsPrograms)
  struct RawTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for name in ["raw-bayer.dng", "raw-portrait.dng"] {
        try folder.write(try TestImages.bytes(name), to: name)
      }
    }

    private func run(_ arguments: String...) throws -> Tool.Result {
      try Tool.run(arguments, in: folder.path)
    }

    private func size(_ name: String) throws -> PixelSize {
      try ImageDecoders.open(FileBytes.reading(folder.path(name))).header.size
    }

    private func graph(_ name: String) throws -> JSONValue {
      let shown = try run("show", "--json", name).jsonLines().first
      return try #require(shown?["graph"])
    }

    @Test func `apply without a filter develops raw files, and no others`() throws {
      let result = try run("apply", "raw-bayer.dng", "raw-portrait.dng")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try size("raw-bayer.edited.jpg") == PixelSize(width: 240, height: 160))
      #expect(try size("raw-portrait.edited.jpg") == PixelSize(width: 96, height: 128))
      let metadata = try ImageMetadata.read(
        FileBytes.reading(folder.path("raw-portrait.edited.jpg")))
      #expect(metadata.orientation == .up && metadata.summary.model == "Scene")
      let original = try FileBytes.reading(folder.path("raw-bayer.dng")).array
      #expect(try original == TestImages.bytes("raw-bayer.dng"))
      try folder.write(try TestImages.bytes("photo-64.jpg"), to: "photo.jpg")
      #expect(try run("apply", "photo.jpg").exitCode == 64)
    }

    @Test func `the edit names the decoder, is resumed, and keeps the curve`() throws {
      #expect(try run("apply", "--filter", "sepia", "raw-bayer.dng").exitCode == 0)
      let next = try run("apply", "--filter", "exposure:ev=-0.5", "--json", "raw-bayer.dng")
      #expect(next.exitCode == 0, "\(next.errors)")
      let report = try #require(try next.jsonLines().first)
      #expect(report["resumed"] == true && report["losses"] == [])
      let graph = try graph("raw-bayer.dng")
      #expect(
        graph["nodes"]?.arrayValue?.compactMap { $0["filter"]?.stringValue }
          == ["exposure", "curve", "sepia"])
      #expect(graph["source"]?["decoder"]?.stringValue?.hasPrefix("libraw ") == true)
      #expect(graph["source"]?["wb"] == [2, 1, 1.6])
      #expect(try run("apply", "--update", "--filter", "sepia", "raw-bayer.dng").exitCode == 0)
      let again = try run("apply", "--update", "--filter", "sepia", "--json", "raw-bayer.dng")
      #expect(try again.jsonLines().first?["outcome"] == "unchanged")
    }

    @Test func `thumbnails, inspect, automatic adjustment, copies and pipes develop`() throws {
      #expect(try run("thumbnail", "raw-bayer.dng", "raw-portrait.dng").exitCode == 0)
      #expect(try size("raw-portrait.thumb.jpg") == PixelSize(width: 96, height: 128))
      let facts = try run("inspect", "--verify", "--json", "raw-bayer.dng").jsonLines().first
      #expect(facts?["format"] == "raw" && facts?["losses"] == [])
      #expect(try run("apply", "--auto", "raw-bayer.dng").exitCode == 0)
      #expect(
        try run("apply", "--fit", "100", "--srgb", "-o", "web/", "raw-bayer.dng").exitCode == 0)
      #expect(try size("web/raw-bayer.edited.jpg").longEdge == 100)
      #expect(try run("render", "raw-bayer.dng", "-o", "out.jpg").exitCode == 0)
      #expect(try size("out.jpg") == PixelSize(width: 240, height: 160))
    }

    @Test func `a pair shows its JPEG, or its raw file on request`() throws {
      let library = try ToolLibrary()
      for name in ["a", "b"] {
        try library.write(try ImageFile().jpeg(name == "a" ? 1 : 2), to: "\(name)/DSC_1.JPG")
        var photo = RawPhoto(width: 64, height: 48)
        photo.orientation = name == "a" ? 1 : 3
        try library.write(photo.bytes { _, _ in [0.2, 0.2, 0.2] }, to: "\(name)/DSC_1.DNG")
      }
      _ = try library.lines("asset", "import", "a")
      _ = try library.lines("asset", "import", "--raw", "b")
      let photos = try library.list().map { asset in
        try library.files(asset).mapValues { FileSystem.splitName($0).fileExtension }
      }
      #expect(photos.contains([1: "jpg", 4: "dng"]) && photos.contains([1: "dng", 4: "jpg"]))
      for asset in try library.list() {
        #expect(try library.run("apply", "--filter", "sepia", asset).exitCode == 0)
      }
      try library.expectOrder()
    }
  }
#endif
