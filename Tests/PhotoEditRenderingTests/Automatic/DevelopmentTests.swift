// SPDX-License-Identifier: Apache-2.0
#if RAW
  import PhotoEditCodecs
  import PhotoEditFilters
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditRendering

  @Suite("The beginning of an edit of a raw file")
  struct DevelopmentTests {
    private static func source(_ name: String) throws -> ImageSource {
      try ImageSource(FileBytes(TestImages.bytes(name)))
    }

    /// The square of the levels of a photo, in stops relative to it.
    private static func photo(red: Double = 1, light: Double = 0.5) throws -> ImageSource {
      let jpeg = try TestImages.bytes("photo-64.jpg")
      let levels = try ImageDecoders.decode(FileBytes(jpeg))
      var raw = RawPhoto(width: 64, height: 48)
      raw.preview = jpeg
      let bytes = raw.bytes { x, y in
        (0..<3).map { channel in
          let level = Double(levels.bytes[3 * (64 * y + x) + channel]) / 255
          return level * level * light * (channel == 0 ? red : 1)
        }
      }
      return try ImageSource(FileBytes(bytes))
    }

    /// The median of the luma of an image in sRGB.
    private static func median(_ image: ImageBuffer) -> Int {
      let luma = stride(from: 0, to: image.bytes.count, by: 3).map { start -> Int in
        let pixel = image.bytes[start..<(start + 3)].map { Int($0) }
        return (2 * pixel[0] + 5 * pixel[1] + pixel[2]) / 8
      }.sorted()
      return luma[luma.count / 2]
    }

    private static func rendered(_ image: ImageSource, _ graph: FilterGraph) throws -> ImageBuffer {
      var options = RenderOptions()
      options.convertsToSRGB = true
      options.quality = .ijg(95)
      return try ImageDecoders.decode(
        FileBytes(Renderer.render(image, graph, options: options).jpeg))
    }

    @Test(arguments: [1, 0.5, 0.125])
    func `the curve gives the image the brightness of the preview`(light: Double) throws {
      let image = try Self.photo(light: light)
      let initial = try Renderer.initialGraph(for: image)
      #expect(initial.graph.nodes.map(\.filter) == ["curve"])
      #expect(initial.notices.isEmpty, "\(initial.notices)")
      let own = Self.median(try Self.rendered(image, initial.graph))
      let camera = Self.median(
        try ImageDecoders.decode(FileBytes(TestImages.bytes("photo-64.jpg"))))
      #expect(abs(own - camera) <= 6, "\(own) is not \(camera)")
    }

    @Test func `without a preview, the exposure is that of most cameras`() throws {
      let initial = try Renderer.initialGraph(for: Self.source("raw-portrait.dng"))
      #expect(try initial.graph == FilterGraph(DevelopmentCurve(ev: 1.2)))
      #expect(try Renderer.initialGraph(for: Self.source("photo-64.jpg")).graph == FilterGraph())
    }

    @Test func `a white balance unlike the preview's is reported`() throws {
      let notices = try Renderer.initialGraph(for: Self.photo(red: 2)).notices
      #expect(notices.count == 1)
      #expect(notices.first?.contains("red by +") == true, "\(notices)")
    }

    @Test func `the rendering is Display P3, and light is not clipped before filters`() throws {
      // Twice the light that green can record; with the exposure lowered, red and blue differ.
      var raw = RawPhoto(width: 64, height: 48)
      raw.balance = [0.5, 1, 0.5]
      let image = try ImageSource(
        FileBytes(raw.bytes { x, _ in x < 32 ? [1, 1, 1] : [1.6, 1.6, 1.6] }))
      let graph = try FilterGraph([Exposure(ev: -1)])
      let pixels = try Self.rendered(image, graph)
      let (left, right) = (
        Int(pixels.bytes[3 * (24 * 64 + 10)]), Int(pixels.bytes[3 * (24 * 64 + 54)])
      )
      #expect(right > left + 10, "\(left), \(right)")
      let metadata = try ImageMetadata.read(
        FileBytes(Renderer.render(image, graph).jpeg))
      #expect(metadata.iccDescription == "Display P3")
    }

    @Test func `thumbnails are the camera's preview, or developed without one`() throws {
      let shape = ThumbnailShape(side: 96)
      let own = try Thumbnailer.thumbnail(of: Self.source("raw-bayer.dng"), shape: shape)
      let bytes = FileBytes(try TestImages.bytes("raw-bayer.dng"))
      let size = PixelSize(width: 240, height: 160)
      let preview = try #require(RawPreview(bytes, of: size, limits: ImageLimits()))
      #expect(try own == Thumbnailer.thumbnail(of: preview.jpeg, shape: shape))
      let developed = try Thumbnailer.thumbnail(of: Self.source("raw-portrait.dng"), shape: shape)
      #expect(developed.size == PixelSize(width: 72, height: 96))
      #expect(Self.median(developed.image) > 80)
      // Larger than the preview.
      let large = try Thumbnailer.thumbnail(
        of: Self.photo(), shape: ThumbnailShape(side: 64))
      #expect(large.size == PixelSize(width: 64, height: 48))
    }
  }
#endif
