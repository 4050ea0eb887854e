// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("ImageDifference")
struct ImageDifferenceTests {
  private let texture = SmallImages.make(48, 32, .rgb, SmallImages.texture)

  @Test func `equal images have no difference`() throws {
    let difference = try ImageDifference(texture, texture)
    #expect(difference.isEqual)
    #expect(difference.maximum == 0 && difference.maximumPosition == nil)
    #expect(difference.mean == 0 && difference.meanSigned == SIMD3())
    #expect(difference.psnr == .infinity && difference.ssim == 1)
    #expect(difference.deltaEMaximum == 0 && difference.worstBlockMean == 0)
    #expect("\(difference)" == "no sample differs")
  }

  struct Reference: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (_ x: Int, _ y: Int, _ c: Int, _ value: Int) -> Int
    var psnr: Double
    var ssim: Double
    var deltaE: [Double]
  }

  // scikit-image 0.26.0 on the same images: peak_signal_noise_ratio(data_range=255);
  // structural_similarity(luma, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
  // data_range=255); deltaE_ciede2000 of rgb2lab as mean, 99th percentile (inverted_cdf), maximum.
  private static let references = [
    Reference(
      testDescription: "noise of three levels",
      change: { x, y, c, value in value + (x * 3 + y * 5 + c * 2) % 7 - 3 },
      psnr: 42.110674961, ssim: 0.998308129, deltaE: [1.610498, 3.251723, 3.359086]),
    Reference(
      testDescription: "one pixel to the right",
      change: { x, y, c, _ in SmallImages.texture(max(x - 1, 0), y, c) },
      psnr: 13.648541322, ssim: 0.076702916, deltaE: [19.483122, 65.179220, 67.031611]),
    Reference(
      testDescription: "one level more everywhere", change: { _, _, _, value in value + 1 },
      psnr: 48.130803609, ssim: 0.999969765, deltaE: [0.322941, 0.395813, 0.396099]),
    Reference(
      testDescription: "red and blue swapped",
      change: { x, y, c, _ in SmallImages.texture(x, y, 2 - c) },
      psnr: 12.534396847, ssim: 0.854529728, deltaE: [25.198502, 36.814615, 36.856802]),
  ]

  @Test(arguments: references)
  func `measurements match scikit-image`(_ reference: Reference) throws {
    let difference = try ImageDifference(texture, SmallImages.changed(texture, reference.change))
    #expect(abs(difference.psnr - reference.psnr) < 1e-8)
    #expect(abs(difference.ssim - reference.ssim) < 1e-8)
    // The conversion to Lab differs in the digits of its matrix.
    #expect(abs(difference.deltaEMean - reference.deltaE[0]) < 0.005)
    #expect(abs(difference.deltaEPercentile99 - reference.deltaE[1]) < 0.01)
    #expect(abs(difference.deltaEMaximum - reference.deltaE[2]) < 0.01)
  }

  @Test func `16-bit differences are measured in fractions of a level`() throws {
    let first = SmallImages.make(48, 32, .rgb, bytesPerSample: 2) {
      SmallImages.texture($0, $1, $2) * 257
    }
    let second = SmallImages.changed(first) { x, y, c, value in
      value + (x * 31 + y * 17 + c * 5) % 200
    }
    let difference = try ImageDifference(first, second)
    #expect(abs(difference.maximum - 0.774319066) < 1e-4)
    #expect(abs(difference.mean - 0.387058204) < 1e-5)
    #expect(abs(difference.psnr - 55.119745043) < 1e-4)
    #expect(abs(difference.ssim - 0.999931655) < 1e-7)
  }

  @Test func `one window is enough for an image of eleven pixels`() throws {
    let first = SmallImages.make(11, 11, .rgb, SmallImages.texture)
    let difference = try ImageDifference(first, SmallImages.changed(first) { 255 - $3 })
    #expect(abs(difference.ssim - -0.724872910) < 1e-8)
  }

  @Test(arguments: [(1, 1), (1, 17), (17, 1), (10, 10), (2, 40)])
  func `images smaller than the window also have a similarity`(_ width: Int, _ height: Int) throws {
    let first = SmallImages.make(width, height, .gray) { x, y, _ in 60 + 9 * (x + y) % 90 }
    let equal = try ImageDifference(first, first)
    #expect(equal.ssim == 1)
    let difference = try ImageDifference(first, SmallImages.changed(first) { 200 - $3 })
    #expect(difference.ssim.isFinite && difference.ssim < 1)
  }

  @Test func `the similarity of a single pixel depends only on its luminance`() throws {
    let first = SmallImages.make(1, 1, .gray) { _, _, _ in 100 }
    let second = SmallImages.make(1, 1, .gray) { _, _, _ in 200 }
    let c1 = 6.5025
    let expected = (2 * 100 * 200 + c1) / (100 * 100 + 200 * 200 + c1)
    #expect(abs(try ImageDifference(first, second).ssim - expected) < 1e-12)
  }

  @Test func `reports the position and the size of the largest difference`() throws {
    let second = SmallImages.changed(texture) { x, y, c, value in
      (x, y, c) == (7, 21, 1) ? value + 5 : (x, y, c) == (30, 4, 2) ? value - 5 : value
    }
    let difference = try ImageDifference(texture, second)
    #expect(difference.maximum == 5)
    #expect(difference.maximumPosition?.x == 30 && difference.maximumPosition?.y == 4)
    #expect(difference.differingPixels == 2)
    #expect(difference.mean == 10.0 / (48 * 32 * 3))
    #expect(difference.meanSigned == SIMD3<Double>(0, 5, -5) / (48 * 32))
    #expect("\(difference)".hasPrefix("max 5 at (30, 4), mean 0.002, 2 of 1536 pixels, PSNR "))
  }

  @Test func `the sign indicates which image is brighter`() throws {
    let brighter = SmallImages.changed(texture) { $3 + 2 }
    #expect(try ImageDifference(texture, brighter).meanSigned == SIMD3(repeating: 2))
    #expect(try ImageDifference(brighter, texture).meanSigned == SIMD3(repeating: -2))
  }

  @Test func `a gray image equals the same image in three channels and in 16 bits`() throws {
    let gray = SmallImages.make(20, 12, .gray) { x, y, _ in (x * 11 + y * 29) % 256 }
    for channels in ChannelLayout.allCases {
      for bytes in [1, 2] {
        let factor = bytes == 1 ? 1 : 257
        let other = SmallImages.make(20, 12, channels, bytesPerSample: bytes) { x, y, c in
          let isAlpha = channels.hasAlpha && c == channels.colorCount
          return factor * (isAlpha ? 255 : gray[x: x, y: y, channel: 0])
        }
        #expect(try ImageDifference(gray, other).isEqual, "\(channels), \(bytes) bytes")
      }
    }
  }

  @Test func `alpha is composited on white`() throws {
    let clear = SmallImages.make(4, 4, .rgba) { _, _, c in c == 3 ? 51 : 0 }
    let gray = SmallImages.make(4, 4, .gray) { _, _, _ in 204 }
    let difference = try ImageDifference(clear, gray)
    #expect(difference.maximum == 0)
    #expect(difference.maximumAlpha == 204)
    #expect(difference.differingPixels == 16, "alpha counts as a sample")
    #expect(!difference.isEqual)
  }

  @Test func `the worst block is also found at the edge, by its own area`() throws {
    let first = SmallImages.make(35, 18, .gray) { _, _, _ in 100 }
    let second = SmallImages.changed(first) { x, y, _, value in
      x >= 32 && y >= 16 ? value + 9 : value
    }
    #expect(try ImageDifference(first, second).worstBlockMean == 9)
    let half = SmallImages.changed(first) { x, y, _, value in
      (16..<32).contains(x) && y < 8 ? value - 6 : value
    }
    #expect(try ImageDifference(first, half).worstBlockMean == 3)
  }

  @Test func `the percentile is the value that 99 of 100 do not exceed`() throws {
    let first = SmallImages.make(20, 10, .gray) { _, _, _ in 100 }
    let two = SmallImages.changed(first) { x, y, _, value in y == 0 && x < 2 ? 200 : value }
    let three = SmallImages.changed(first) { x, y, _, value in y == 0 && x < 3 ? 200 : value }
    #expect(try ImageDifference(first, two).deltaEPercentile99 == 0)
    #expect(try ImageDifference(first, three).deltaEPercentile99 > 10)
  }

  @Test func `images of different sizes are rejected with both sizes`() {
    let other = SmallImages.make(32, 48, .rgb, SmallImages.texture)
    let error = ComparisonError.differentSizes(texture.size, other.size)
    #expect(throws: error) { try ImageDifference(texture, other) }
    #expect("\(error)".contains("48×32") && "\(error)".contains("32×48"))
  }

  @Test func `images without pixels are rejected`() {
    let empty = ImageBuffer(size: PixelSize(width: 0, height: 3), layout: RowLayout(channels: .rgb))
    #expect(throws: ComparisonError.empty(empty.size)) { try ImageDifference(empty, empty) }
  }

  @Test func `the difference image shows the amount, and clamps`() throws {
    let second = SmallImages.changed(texture) { x, y, c, value in
      y == 0 && x < 3 && c == x ? value + [3, -3, 40][x] : value
    }
    let image = try ImageDifference(texture, second).differenceImage(gain: 10)
    #expect(image.size == texture.size)
    #expect(image.layout == RowLayout(channels: .rgb))
    #expect(Array(image.bytes[0..<9]) == [30, 0, 0, 0, 30, 0, 0, 0, 255])
    #expect(image.bytes[9...].allSatisfy { $0 == 0 })
  }
}
