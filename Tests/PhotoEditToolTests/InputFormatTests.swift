// SPDX-License-Identifier: Apache-2.0
#if WebP && TIFF && GIF
  import CPhotoEditImageWriters
  import PhotoEditCodecs
  import PhotoEditFilters
  import PhotoEditPlatform
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @Suite("Edits of WebP, TIFF and GIF", .runsPrograms)
  struct InputFormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let size = PixelSize(width: 48, height: 32)

    /// Smooth colors, which survive a JPEG.
    private static func pixels(channels: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          let pixel: [UInt8] = [UInt8(x * 5), UInt8(y * 7), UInt8(x + y), 255]
          bytes += pixel.prefix(channels)
        }
      }
      return bytes
    }

    private static func webP() -> [UInt8] {
      var count = 0
      let bytes = pixels(channels: 3).withUnsafeBufferPointer { rows in
        pe_writer_encode_webp(
          rows.baseAddress, UInt32(size.width), UInt32(size.height), 0, -1, &count)
      }
      defer { free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func tiff(orientation: Int) -> [UInt8] {
      var image = pe_writer_tiff()
      (image.width, image.height) = (UInt32(size.width), UInt32(size.height))
      (image.bits, image.samples, image.photometric) = (8, 3, 2)
      (image.compression, image.predictor, image.extra) = (8, 2, -1)
      (image.sample_format, image.rows_per_strip, image.pages) = (1, 8, 1)
      image.orientation = UInt16(orientation)
      var count = 0
      let bytes = pixels(channels: 3).withUnsafeBufferPointer { rows in
        pe_writer_encode_tiff(&image, rows.baseAddress, 3 * size.width, &count)
      }
      defer { free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Two frames of 2×2 pixels; the first is red, green, blue and white.
    private static let gif: [UInt8] = {
      var bytes: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x81, 0, 0]
      bytes += [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
      bytes += [0x21, 0xFE, 5] + Array("hello".utf8) + [0]
      let frame: [UInt8] = [
        0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0xA8, 0x15, 0,
      ]
      return bytes + frame + frame + [0x3B]
    }()

    @Test(arguments: ["photo.webp", "photo.tif", "photo.gif"])
    func `an edit is applied next to the unchanged original and reverted`(
      name: String
    ) throws {
      let bytes =
        switch name {
        case "photo.webp": Self.webP()
        case "photo.tif": Self.tiff(orientation: 6)
        default: Self.gif
        }
      try folder.write(bytes, to: name)
      let result = try Tool.run(["apply", "--json", "--filter", "invert", name], in: folder.path)
      try #require(result.exitCode == 0, "\(result.errors)")
      let report = try #require(try result.jsonLines().first)
      #expect(report["output"]?.stringValue == "photo.edited.jpg")
      #expect(try FileSystem.names(in: folder.path).contains("photo.edited.jpg"))
      #expect(try FileBytes.digest(of: folder.path(name)) == SHA256Digest(of: bytes))
      let reverted = try Tool.run(["revert", name], in: folder.path)
      #expect(reverted.exitCode == 0, "\(reverted.errors)")
      #expect(try !FileSystem.names(in: folder.path).contains("photo.edited.jpg"))
      #expect(try FileBytes.digest(of: folder.path(name)) == SHA256Digest(of: bytes))
    }

    @Test func `dropped animation frames are a loss that strict edits reject`() throws {
      try folder.write(Self.gif, to: "photo.gif")
      let words = ["apply", "--json", "--filter", "invert", "photo.gif"]
      let refused = try Tool.run(words + ["--strict"], in: folder.path)
      #expect(refused.exitCode == 65 && refused.errors.contains("frames"))
      let report = try #require(try Tool.run(words, in: folder.path).jsonLines().first)
      let kinds = try #require(report["losses"]?.arrayValue).map { $0["kind"]?.stringValue }
      #expect(kinds.contains("frames"))
    }

    @Test(arguments: 1...8)
    func `viewers show a TIFF and its rendering in the same orientation`(orientation: Int) throws {
      try folder.write(Self.tiff(orientation: orientation), to: "photo.tif")
      let result = try Tool.run(
        [
          "render", "photo.tif", "--filter", "invert", "--filter", "invert", "--quality", "100",
          "--output", "out.jpg",
        ], in: folder.path)
      try #require(result.exitCode == 0, "\(result.errors)")
      let bytes = try FileBytes.reading(folder.path("out.jpg"))
      #expect(try ImageMetadata.read(bytes).orientation == .up)
      let decoder = try ImageDecoders.open(bytes)
      let rotation = try #require(Orientation(rawValue: orientation))
      #expect(decoder.header.size == rotation.applied(to: Self.size))
      var rows = [UInt8](repeating: 0, count: 3 * decoder.header.size.pixelCount)
      let width = decoder.header.size.width
      let count = try rows.withUnsafeMutableBytes { rows in
        try decoder.readRows(
          decoder.header.size.height, into: rows.baseAddress!, bytesPerRow: 3 * width)
      }
      #expect(count == decoder.header.size.height)
      let source = Self.pixels(channels: 3)
      var worst = 0
      for y in 0..<count {
        for x in 0..<width {
          let from = rotation.storedPosition(x: x, y: y, stored: Self.size)
          for c in 0..<3 {
            let before = Int(source[3 * (from.y * Self.size.width + from.x) + c])
            worst = max(worst, abs(before - Int(rows[3 * (y * width + x) + c])))
          }
        }
      }
      #expect(worst <= 12)
    }

    // MARK: Metadata as another program reads it

    /// Runs exiftool, which the test setup installs.
    private func exiftool(_ arguments: [String]) throws -> String {
      let process = try ChildProcess(
        "/usr/bin/exiftool", arguments, folder: folder.path, variables: ["LC_ALL": "C.UTF-8"])
      let streams = process.exchange([], until: .now.advanced(by: Tool.timeLimit))
      let code = process.wait()
      guard code == 0 else {
        throw Tool.Failure(description: String(decoding: streams.error, as: UTF8.self))
      }
      return String(decoding: streams.output, as: UTF8.self)
    }

    @Test(
      .enabled(if: access("/usr/bin/exiftool", X_OK) == 0, "run Tools/setup --tests for exiftool"),
      arguments: ["photo.webp", "photo.tif"])
    func `exiftool finds the same descriptions in the rendering`(name: String) throws {
      try folder.write(name == "photo.webp" ? Self.webP() : Self.tiff(orientation: 1), to: name)
      var tags = [
        "-EXIF:ImageDescription=A lake", "-EXIF:Artist=Somebody", "-EXIF:Make=Maker",
        "-EXIF:Model=Model X", "-EXIF:Copyright=2020", "-EXIF:ExposureTime=1/125", "-EXIF:ISO=400",
        "-EXIF:FNumber=2.8", "-EXIF:DateTimeOriginal=2020:01:02 03:04:05",
        "-EXIF:OffsetTimeOriginal=+01:00", "-EXIF:LensModel=Lens 35mm", "-EXIF:UserComment=Süß",
        "-EXIF:GPSLatitude=48.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=9.25",
        "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=300", "-EXIF:GPSAltitudeRef=0",
        "-XMP-dc:Title=A title", "-XMP-dc:Subject=lake", "-XMP-dc:Subject=boat", "-XMP:Rating=4",
      ]
      if name == "photo.tif" {
        tags += ["-IPTC:Keywords=lake", "-IPTC:Caption-Abstract=A lake"]
      }
      _ = try exiftool(["-q", "-overwrite_original"] + tags + [name])
      let result = try Tool.run(
        ["render", name, "--filter", "invert", "--output", "out.jpg"], in: folder.path)
      try #require(result.exitCode == 0, "\(result.errors)")
      let expected = tags.map { $0.prefix { $0 != "=" } }.map { String($0) }
      func seen(_ file: String) throws -> [String] {
        try exiftool(["-a", "-G0", "-s"] + Set(expected).sorted() + [file])
          .split(separator: "\n").map { String($0) }.sorted()
      }
      let before = try seen(name)
      #expect(before.count == Set(expected).count)
      #expect(try seen("out.jpg") == before)
      #expect(try !exiftool(["-validate", "-warning", "-a", "out.jpg"]).contains("Error"))
    }
  }
#endif
