// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// The oracle is libjpeg's entropy encoder.
///
/// A coder that the processor does not have is the oracle itself.
@Suite("Huffman coding", .seeded)
struct HuffmanCodingTests {
  /// Contents with few, many, and widely spaced coefficients.
  enum Content: String, CaseIterable {
    case flat, ramps, noise, extremes, ripples

    func level(_ x: Int, _ y: Int, _ channel: Int, _ numbers: inout SeededNumbers) -> Int {
      switch self {
      case .flat: 90 + 40 * channel
      case .ramps: (x * 3 + y * (channel + 1)) & 255
      case .noise: Int(numbers.next() & 255)
      // Coefficients of the largest sizes, and codes of stuffed bytes.
      case .extremes: numbers.next() & 1 == 0 ? 0 : 255
      // A high frequency after a long run of zeros, in some blocks.
      case .ripples: (x / 8 + y / 8) % 3 == 0 ? 128 + ((x ^ y) & 1) * 24 : 128
      }
    }
  }

  static let settings: [JPEGSettings] = {
    let ones = QuantizationTable([UInt16](repeating: 1, count: 64))
    let samplings: [ChromaSampling] = [
      .s444, .s422, .s420, .s411, ChromaSampling(horizontal: 2, vertical: 4),
    ]
    return samplings.map { JPEGSettings(quality: 75, sampling: $0) }
      + [1, 30, 95, 100].map { JPEGSettings(quality: $0) }
      + [JPEGSettings(isGray: true, luma: ones, chroma: ones, sampling: .s444)]
      + [JPEGSettings(isGray: false, luma: ones, chroma: ones, sampling: .s444)]
  }()

  @Test(arguments: Content.allCases, settings.indices)
  func `the bytes equal those of libjpeg`(content: Content, index: Int) throws {
    let settings = Self.settings[index]
    var numbers = SeededNumbers(7)
    for size in [PixelSize(width: 1, height: 1), PixelSize(width: 203, height: 141)] {
      var image = ImageBuffer(
        size: size, layout: RowLayout(channels: settings.isGray ? .gray : .rgb))
      for y in 0..<size.height {
        for x in 0..<size.width {
          for c in 0..<image.layout.channels.count {
            image[x: x, y: y, channel: c] = content.level(x, y, c, &numbers)
          }
        }
      }
      let expected = try encoded(image, settings, .library)
      for coder in [JPEGCoder.fastest, .avx2] {
        #expect(try encoded(image, settings, coder) == expected, "\(coder), \(size)")
      }
    }
  }

  @Test(arguments: [JPEGCoder.fastest, .avx2])
  func `an encoder is reset completely after each band`(coder: JPEGCoder) throws {
    let settings = JPEGSettings(quality: 90)
    let images = [TestImage.make(64, 48), TestImage.make(64, 17), TestImage.make(64, 48)]
    let encoder = try JPEGBandEncoder(
      width: 64, settings: settings, layout: images[0].layout, coder: coder)
    for image in images {
      let fresh = try encoded(image, settings, .library)
      #expect(try encoded(image, with: encoder) == fresh)
    }
  }

  private func encoded(
    _ image: ImageBuffer, _ settings: JPEGSettings, _ coder: JPEGCoder
  ) throws -> [UInt8] {
    try encoded(
      image,
      with: JPEGBandEncoder(
        width: image.size.width, settings: settings, layout: image.layout,
        coder: coder))
  }

  private func encoded(_ image: ImageBuffer, with encoder: JPEGBandEncoder) throws -> [UInt8] {
    try encoder.begin(rows: image.size.height)
    try image.bytes.withUnsafeBytes {
      try encoder.write(
        rows: image.size.height, from: $0.baseAddress!,
        bytesPerRow: image.layout.bytesPerRow(width: image.size.width))
    }
    return try encoder.end { Array($0) }
  }
}
