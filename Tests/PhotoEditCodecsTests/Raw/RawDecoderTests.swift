// SPDX-License-Identifier: Apache-2.0
#if RAW
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditCodecs

  @Suite("Camera raw files", .seeded)
  struct RawDecoderTests {
    private static func file(_ name: String) throws -> [UInt8] { try TestImages.bytes(name) }

    /// The samples of a pixel, 0 to 1.
    private static func pixel(_ image: ImageBuffer, _ x: Int, _ y: Int) -> [Double] {
      image.bytes.withUnsafeBytes { bytes in
        (0..<3).map { channel in
          let index = 3 * (y * image.size.width + x) + channel
          return Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) / 65_535
        }
      }
    }

    @Test func `raw files are recognized by their directories, whatever their name`() throws {
      for name in ["raw-bayer.dng", "raw-portrait.dng"] {
        let format = try Self.file(name).withUnsafeBytes { bytes in try ImageFormat.detect(bytes) }
        #expect(format == .raw)
      }
    }

    @Test func `the header has the size that the developed image has, rotated`() throws {
      let wide = try ImageDecoders.open(FileBytes(Self.file("raw-bayer.dng"))).header
      #expect(wide.size == PixelSize(width: 240, height: 160))
      #expect(wide.layout == RowLayout(channels: .rgb, bytesPerSample: 2))
      #expect(wide.development?.whiteBalance == [2, 1, 1.6])
      #expect(wide.development?.decoder.hasPrefix("libraw 0.") == true)
      #expect(wide.development?.decoder.contains("-") == false)
      let tall = try #require(Decoding.decode(Self.file("raw-portrait.dng")).image)
      #expect(tall.size == PixelSize(width: 96, height: 128))
    }

    /// White is what the channel with the largest factor reaches: the highlights of the others are
    /// kept.
    @Test(arguments: [[0.4, 0.4, 0.4], [0.3, 0.1, 0.05], [0.05, 0.25, 0.1], [0.1, 0.1, 0.45]])
    func `light becomes linear Display P3 with the white balance of the camera`(
      color: [Double]
    ) throws {
      let image = try #require(
        Decoding.decode(RawPhoto(width: 64, height: 48).bytes { _, _ in color }).image)
      // Computed from the chromaticities by colour-science.
      let fromSRGB = [
        [0.822462, 0.177538, 0.000000], [0.033194, 0.966806, 0.000000],
        [0.017083, 0.072397, 0.910520],
      ]
      for (row, value) in zip(fromSRGB, Self.pixel(image, 30, 20)) {
        let expected = zip(row, color).reduce(0) { $0 + $1.0 * $1.1 } / 2
        #expect(abs(value - expected) < 0.002, "\(value) is not \(expected)")
      }
    }

    @Test func `light beyond one channel's white is kept`() throws {
      // Green is clipped at 1; red and blue are not.
      let photo = RawPhoto(width: 64, height: 48)
      let levels = try [0.9, 1.2, 1.6].map { light in
        let image = try #require(
          Decoding.decode(photo.bytes { _, _ in [light, light, light] }).image)
        return Self.pixel(image, 30, 20)[0]
      }
      #expect(levels[0] < levels[1] && levels[1] < levels[2], "\(levels)")
    }

    // MARK: Oracle

    /// The program of LibRaw's authors, with its own writer of files.
    private static let oracle = Program.find("dcraw_emu")

    @Test(
      .enabled(if: oracle != nil, "the program dcraw_emu is not installed"),
      arguments: ["raw-bayer.dng", "raw-portrait.dng"])
    func `pixels are those of dcraw_emu`(name: String) throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.file(name), to: "a.dng")
      let words = "-w -W -H 2 -q 3 -o 4 -6 -g 1 1".split(separator: " ").map { String($0) }
      let code = Program.run(
        try #require(Self.oracle), words + [folder.path("a.dng")], output: folder.path("log"))
      #expect(code == 0)
      let file = try FileBytes.reading(folder.path("a.dng.ppm")).array
      let image = try #require(Decoding.decode(Self.file(name)).image)
      let count = 3 * image.size.pixelCount
      let samples = file.suffix(2 * count)
      let head = "P6\n\(image.size.width) \(image.size.height)\n65535\n"
      #expect(file.count == head.utf8.count + 2 * count)
      // The matrices of ProPhoto RGB and Display P3 for sRGB, from their definitions.
      let matrix = try Self.fromProPhoto()
      var worst = 0
      image.bytes.withUnsafeBytes { bytes in
        for pixel in 0..<image.size.pixelCount {
          let source = (0..<3).map { channel in
            let at = samples.startIndex + 2 * (3 * pixel + channel)
            return Double(Int(samples[at]) << 8 | Int(samples[at + 1]))
          }
          for channel in 0..<3 {
            let value = zip(matrix[channel], source).reduce(0) { $0 + $1.0 * $1.1 }
            let expected = Int(min(max(value, 0), 65_535).rounded())
            let own = bytes.loadUnaligned(
              fromByteOffset: 2 * (3 * pixel + channel), as: UInt16.self)
            worst = max(worst, abs(Int(own) - expected))
          }
        }
      }
      #expect(worst <= 1)
    }

    private static func fromProPhoto() throws -> [[Double]] {
      let proPhoto = [
        [0.529317, 0.330092, 0.140588], [0.098368, 0.873465, 0.028169],
        [0.016879, 0.117663, 0.865457],
      ]
      let displayP3 = [
        [0.822462, 0.177538, 0.000000], [0.033194, 0.966806, 0.000000],
        [0.017083, 0.072397, 0.910520],
      ]
      return ColorMatrix.product(displayP3, try #require(ColorMatrix.inverse(proPhoto)))
    }

    // MARK: Refusals

    @Test func `an unknown compression is refused with the camera and the library's version`() {
      var photo = RawPhoto(width: 64, height: 48)
      photo.compression = 9
      let error = Decoding.decode(photo.bytes { _, _ in [0.2, 0.2, 0.2] }).error
      guard case .unsupported(let what)? = error else {
        Issue.record("not refused: \(String(describing: error))")
        return
      }
      #expect(what.contains("libraw 0."), "\(what)")
      #expect(what.contains("Photoedit Patches"), "\(what)")
    }

    @Test(arguments: [ImageLimits(maximumPixels: 10_000), ImageLimits(maximumSide: 200)])
    func `limits are checked before anything is developed`(limits: ImageLimits) throws {
      let bytes = FileBytes(try Self.file("raw-bayer.dng"))
      let error = codecError {
        _ = try ImageDecoders.open(bytes, options: DecoderOptions(limits: limits))
      }
      guard case .limitExceeded? = error else {
        Issue.record("not refused: \(String(describing: error))")
        return
      }
    }

    @Test func `the memory for four samples of each pixel is counted`() throws {
      let decoder = try ImageDecoders.open(FileBytes(Self.file("raw-bayer.dng")))
      #expect(decoder.workingBytes > 240 * 160 * 16)
      let limits = ImageLimits(maximumMemoryBytes: 240 * 160 * 12)
      let error = codecError {
        try ImageDecoders.open(FileBytes(Self.file("raw-bayer.dng"))).readToEnd(limits: limits)
      }
      guard case .limitExceeded(.memory, _, _)? = error else {
        Issue.record("not refused: \(String(describing: error))")
        return
      }
    }

    @Test func `development can be canceled`() throws {
      let calls = LockedValue(0)
      let options = DecoderOptions(isCancelled: {
        calls.withLock { calls in
          calls += 1
          return calls > 3
        }
      })
      let error = codecError {
        try ImageDecoders.open(FileBytes(Self.file("raw-bayer.dng")), options: options).readToEnd()
      }
      #expect(error == .cancelled)
    }

    // MARK: Damage

    @Test(arguments: [false, true])
    func `a file that ends in its samples is refused, even leniently`(isLenient: Bool) throws {
      let photo = RawPhoto(width: 64, height: 48).bytes { _, _ in [0.2, 0.2, 0.2] }
      for missing in [2, 1000, 5000, 6100] {
        let options = DecoderOptions(limits: Decoding.small, isLenient: isLenient)
        let error = Decoding.decode(Array(photo.dropLast(missing)), options: options).error
        guard case .damaged? = error else {
          Issue.record("not refused without \(missing) bytes: \(String(describing: error))")
          continue
        }
      }
    }

    @Test func `a pattern with unknown colors is refused`() throws {
      var bytes = try Self.file("raw-portrait.dng")
      let pattern = try #require(bytes.firstOffset(of: [0x82, 0x8E, 0, 1, 0, 0, 0, 4, 0, 1, 1, 2]))
      bytes[pattern + 10] = 118
      guard case .damaged(let message, _, _)? = Decoding.decode(bytes).error else {
        Issue.record("not refused")
        return
      }
      #expect(message.contains("colors of its sensor"))
    }

    @Test func `changed bytes never trap and never expose memory`() throws {
      var random = SeededNumbers(20_261_128)
      for name in ["raw-bayer.dng", "raw-portrait.dng"] {
        let whole = try Self.file(name)
        for round in 0..<SeededNumbers.cases(120) {
          var spoilt = whole
          for _ in 0...round % 6 {
            // Most damage is to the directories.
            let position = random.below(round % 4 == 0 ? whole.count : 1200)
            spoilt[position] = round % 2 == 0 ? 255 : UInt8(random.below(256))
          }
          if round % 5 == 0 { spoilt.removeLast(random.below(whole.count)) }
          let limits = ImageLimits(maximumPixels: 1 << 18, maximumSide: 4096)
          let options = DecoderOptions(limits: limits)
          let first = Decoding.decode(spoilt, options: options, poison: 0)
          let second = Decoding.decode(spoilt, options: options, poison: 255)
          #expect(first == second, "\(name), round \(round)")
          _ = RawPreview(FileBytes(spoilt), of: PixelSize(width: 240, height: 160), limits: limits)
          _ = try? ImageMetadata.read(FileBytes(spoilt), limits: limits)
        }
      }
    }

    // MARK: Preview and metadata

    @Test func `the preview is the camera's JPEG, and an incomplete one is ignored`() throws {
      let bytes = try Self.file("raw-bayer.dng")
      let size = PixelSize(width: 240, height: 160)
      let preview = try #require(RawPreview(FileBytes(bytes), of: size, limits: ImageLimits()))
      #expect(try JPEGDecoder(preview.jpeg).header.size == size)
      #expect(bytes.suffix(preview.jpeg.count) == preview.jpeg.array[...])
      let incomplete = FileBytes(Array(bytes.dropLast(100)))
      #expect(RawPreview(incomplete, of: size, limits: ImageLimits()) == nil)
      // Not that of this image.
      let other = PixelSize(width: 160, height: 160)
      #expect(RawPreview(FileBytes(bytes), of: other, limits: ImageLimits()) == nil)
    }

    @Test(arguments: [(1, Orientation.up), (3, .down), (6, .right), (8, .left)])
    func `a preview has the orientation of the samples`(stated: Int, expected: Orientation) throws {
      var photo = RawPhoto(width: 64, height: 48)
      photo.orientation = stated
      photo.preview = try TestImages.bytes("photo-64.jpg")
      let bytes = FileBytes(photo.bytes { _, _ in [0.2, 0.2, 0.2] })
      let size = try ImageDecoders.open(bytes).header.size
      let preview = try #require(RawPreview(bytes, of: size, limits: ImageLimits()))
      #expect(preview.orientation == expected)
      #expect(preview.orientation.applied(to: PixelSize(width: 64, height: 48)) == size)
    }

    @Test(arguments: ["MMOR", "IIRO"])
    func `metadata of Olympus files is read like that of TIFF files`(header: String) throws {
      var file = ImageFile()
      file.main = [.text(0x010F, "OLYMPUS"), .text(0x0110, "E-1"), .short(0x0112, 6)]
      // The structure is big-endian.
      let bytes = Array(header.utf8) + file.tiff.dropFirst(4)
      let raw = try #require(try CameraRawFormat(FileBytes(bytes)))
      #expect(raw.fileExtension == "orf")
      #expect((raw.metadata.summary.model == "E-1") == (header == "MMOR"))
    }

    @Test func `metadata of the camera is kept, and the sensor's tags are no losses`() throws {
      let bytes = FileBytes(try Self.file("raw-portrait.dng"))
      let metadata = try ImageMetadata.read(bytes)
      #expect(metadata.orientation == .up)
      #expect(metadata.summary.make == "Photoedit" && metadata.summary.model == "Scene")
      #expect(metadata.summary.iso == 200)
      #expect(metadata.losses.isEmpty && metadata.notices.isEmpty)
      let space = try ImageColorSpace(ImageDecoders.open(bytes).header, metadata)
      #expect(space.name == "Display P3" && space.handling == .convertedCurve)
    }
  }
#endif
