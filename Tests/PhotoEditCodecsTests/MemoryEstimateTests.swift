// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Memory requested by decoders and the encoder")
struct MemoryEstimateTests {
  /// The header of a JPEG with three components, up to the header of its first scan.
  private static func bomb(frame: UInt8, side: Int) -> [UInt8] {
    let size = [UInt8(side >> 8), UInt8(side & 255)]
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0]
    bytes += [UInt8](repeating: 16, count: 64) + [0xFF, frame, 0, 17, 8] + size + size + [3]
    for component: UInt8 in 1...3 { bytes += [component, 0x11, 0] }
    let lengths = [1] + [UInt8](repeating: 0, count: 15)
    for table: UInt8 in [0, 0x10] { bytes += [0xFF, 0xC4, 0, 20, table] + lengths + [0] }
    let isProgressive = frame == 0xC2 || frame == 0xCA
    bytes += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, isProgressive ? 0 : 63, 0]
    return bytes + [UInt8](repeating: 0, count: 100) + [0xFF, 0xD9]
  }

  private func error(decoding bytes: [UInt8], isLenient: Bool) -> CodecError? {
    codecError {
      let decoder = try ImageDecoders.open(
        FileBytes(bytes), options: DecoderOptions(isLenient: isLenient))
      var row = [UInt8](repeating: 0, count: decoder.bytesPerRow)
      _ = try row.withUnsafeMutableBytes { memory throws(CodecError) in
        guard let base = memory.baseAddress else { return 0 }
        return try decoder.readRows(1, into: base, bytesPerRow: memory.count)
      }
    }
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2] as [UInt8], [false, true])
  func `a large JPEG whose file is too short for its size is rejected, even leniently`(
    frame: UInt8, isLenient: Bool
  ) throws {
    // Its header can be read anyway.
    let bytes = Self.bomb(frame: frame, side: 12_000)
    #expect(try ImageDecoders.open(FileBytes(bytes)).header.size.width == 12_000)
    guard case .damaged(let message, nil, nil)? = error(decoding: bytes, isLenient: isLenient)
    else {
      Issue.record("not refused")
      return
    }
    // Each of 3 · 1500² blocks takes at least one bit.
    #expect(message.contains("843750 bytes"), "\(message)")
  }

  @Test func `a smaller JPEG without data is decoded leniently`() throws {
    let bytes = Self.bomb(frame: 0xC0, side: 600)
    #expect(error(decoding: bytes, isLenient: true) == nil)
  }

  @Test func `arithmetic coding has no minimum file size`() throws {
    let frame = try JPEGDecoder(FileBytes(TestImages.bytes("jpeg-arithmetic.jpg"))).frame
    #expect(frame.fewestBytes == 0)
    let other = try JPEGDecoder(FileBytes(TestImages.bytes("jpeg-progressive.jpg"))).frame
    #expect(other.fewestBytes > 0)
  }

  @Test(arguments: ["jpeg-progressive.jpg", "png-interlaced.png", "jpeg-444.jpg", "png-rgb-8.png"])
  func `images decoded as a whole count their full size as working memory`(name: String) throws {
    let decoder = try ImageDecoders.open(FileBytes(TestImages.bytes(name)))
    let pixels = decoder.header.size.height * decoder.bytesPerRow
    if let jpeg = decoder as? JPEGDecoder, jpeg.frame.isProgressive {
      #expect(decoder.workingBytes > jpeg.frame.coefficientBytes)
      #expect(jpeg.frame.coefficientBytes >= 2 * pixels / 2)
    } else if decoder.header.isProgressive {
      #expect(decoder.workingBytes > pixels)
    } else {
      // Only rows and windows, however tall the image is.
      #expect(decoder.workingBytes < 3 << 20)
    }
  }

  @Test func `too much memory is rejected before allocation, with both sizes`() throws {
    let limits = ImageLimits(maximumMemoryBytes: 1000)
    let bytes = FileBytes(try TestImages.bytes("photo-64.jpg"))
    let options = DecoderOptions(limits: limits)
    #expect(try ImageDecoders.open(bytes, options: options).header.size.width == 64)
    let refusals = [
      codecError { _ = try ImageDecoders.decode(bytes, options: options) },
      codecError { try ImageDecoders.open(bytes, options: options).readToEnd(limits: limits) },
    ]
    for refusal in refusals {
      guard case .limitExceeded(.memory, let value, 1000)? = refusal else {
        Issue.record("not refused: \(String(describing: refusal))")
        continue
      }
      #expect(value > 1000)
      #expect(refusal?.description.contains("\(value) bytes of memory (maximum: 1000)") == true)
    }
    try ImageDecoders.open(bytes).readToEnd()
  }

  @Test(arguments: [10, 50, 85, 95, 100], [ChromaSampling.s444, .s420])
  func `encoded noise does not exceed the size that the encoder predicts`(
    quality: Int, sampling: ChromaSampling
  ) throws {
    var image = ImageBuffer(
      size: PixelSize(width: 161, height: 143), layout: RowLayout(channels: .rgb))
    var state: UInt64 = 7
    for index in image.bytes.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      image.bytes[index] = state >> 63 == 0 ? 0 : 255
    }
    for isGray in [false, true] {
      let settings = JPEGSettings(quality: quality, sampling: sampling, isGray: isGray)
      let encoder = try JPEGBandEncoder(
        width: image.size.width, settings: settings,
        layout: isGray ? RowLayout(channels: .gray) : image.layout)
      let bytesPerRow = (isGray ? 1 : 3) * image.size.width
      try encoder.begin(rows: 64)
      try image.bytes.withUnsafeBufferPointer { bytes throws(CodecError) in
        guard let base = bytes.baseAddress else { return }
        try encoder.write(rows: 64, from: base, bytesPerRow: bytesPerRow)
      }
      var count = 0
      try encoder.end { band throws(CodecError) in count = band.count }
      let reported = settings.mostBytes(for: PixelSize(width: image.size.width, height: 64))
      #expect(count <= reported)
      // The prediction is not many times too large either; 64 KiB are for headers.
      #expect(reported - (64 << 10) < 3 * count)
    }
  }
}

#if WebP
  @Suite("Memory requested for WebP")
  struct WebPMemoryTests {
    @Test func `a few bytes that claim the largest WebP size are rejected before decoding`() throws
    {
      let bomb = FileBytes(LosslessWebP.flat(width: 16_383, height: 16_383))
      let decoder = try ImageDecoders.open(bomb)
      #expect(decoder.header.size.width == 16_383)
      // The library holds its own copy of the pixels besides the ones that it returns.
      #expect(decoder.workingBytes >= 2 * 4 * 16_383 * 16_383)
      guard
        case .limitExceeded(.memory, _, 1 << 30)? = codecError({ try decoder.readToEnd() })
      else {
        Issue.record("not refused")
        return
      }
      let small = FileBytes(LosslessWebP.flat(width: 300, height: 200))
      let image = try ImageDecoders.decode(small)
      #expect(image.size == PixelSize(width: 300, height: 200))
    }

    @Test func `an image of 60 million pixels is within the default limit`() throws {
      let decoder = try ImageDecoders.open(FileBytes(LosslessWebP.flat(width: 9500, height: 6400)))
      #expect(decoder.workingBytes < 1 << 29)
    }
  }
#endif

@Suite("Memory requested for HEIF and AVIF")
struct HEIFMemoryTests {
  /// The peak of a process that decodes an image of 12 million pixels in one picture, in bytes per
  /// pixel and without the memory of a process that decodes a tiny one; measured on Debian 12.
  static let measured: [(chroma: ChromaFormat, isAV1: Bool, bytesPerSample: Int, peak: Double)] = [
    (.halfBoth, false, 2, 9), (.halfBoth, false, 1, 5.03), (.full, false, 2, 12.2),
    (.halfBoth, true, 2, 12.8), (.halfBoth, true, 1, 7.94),
  ]

  @Test(arguments: measured.indices)
  func `the estimate is at least the peak and at most half as much again`(index: Int) throws {
    let (chroma, isAV1, bytesPerSample, peak) = Self.measured[index]
    let size = PixelSize(width: 4000, height: 3000)
    var used = HEIFDecodingLimits(limits: ImageLimits(), fileSize: 1 << 20)
    try used.check(size, size, chroma, isAV1: isAV1)
    let bytes = (3 * size.pixelCount + used.samplesInWork) * bytesPerSample
    let ratio = Double(bytes) / (peak * Double(size.pixelCount))
    #expect((1...1.5).contains(ratio), "\(ratio)")
  }

  @Test func `an image of 50 million pixels with ten bits fits in the default limit`() throws {
    let size = PixelSize(width: 8640, height: 5760)
    var used = HEIFDecodingLimits(limits: ImageLimits(), fileSize: 1 << 20)
    try used.check(size, size, .halfBoth, isAV1: false)
    let bytes = 2 * (3 * size.pixelCount + used.samplesInWork)
    #expect(bytes < ImageLimits().maximumMemoryBytes * 2 / 3)
  }
}
