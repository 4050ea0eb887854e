// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The difference between two images of one size, by every measure that a tolerance class uses.
///
/// Both are first converted to 8-bit levels of sRGB: gray is repeated, 16-bit samples keep their
/// fractions, alpha is composited over white. Color profiles are ignored.
public struct ImageDifference: Sendable, CustomStringConvertible {
  /// A column and a row, counted from the top left corner.
  public struct Position: Hashable, Sendable {
    /// Column.
    public var x: Int
    /// Row.
    public var y: Int
  }

  /// The reference image.
  public let first: ImageBuffer
  /// The image under test.
  public let second: ImageBuffer

  /// Largest absolute difference of one sample, 0 to 255.
  public internal(set) var maximum = 0.0
  /// The first pixel in reading order with the largest difference; nil without any.
  public internal(set) var maximumPosition: Position?
  /// Mean absolute difference over all samples, 0 to 255.
  public internal(set) var mean = 0.0
  /// Mean of second minus first for red, green and blue, -255 to 255.
  public internal(set) var meanSigned = SIMD3<Double>()
  /// Pixels in which at least one sample, alpha included, differs.
  public internal(set) var differingPixels = 0
  /// Largest absolute difference of alpha; a missing alpha counts as 255.
  public internal(set) var maximumAlpha = 0.0
  /// Peak signal-to-noise ratio over red, green and blue in dB; infinite for equal images.
  public internal(set) var psnr = Double.infinity
  /// Mean structural similarity of the luma, at most 1.
  public internal(set) var ssim = 1.0
  /// Mean CIEDE2000 difference.
  public internal(set) var deltaEMean = 0.0
  /// The CIEDE2000 difference that 99% of all pixels do not exceed (nearest rank).
  public internal(set) var deltaEPercentile99 = 0.0
  /// Largest CIEDE2000 difference of a pixel.
  public internal(set) var deltaEMaximum = 0.0
  /// Largest mean absolute difference of a 16×16 block; blocks at the edges may be smaller.
  public internal(set) var worstBlockMean = 0.0

  /// Compares two images.
  ///
  /// - Parameters:
  ///   - first: The reference.
  ///   - second: The image under test.
  /// - Throws: `ComparisonError` when the sizes differ or there are no pixels.
  /// - Complexity: O(pixels); four bytes per pixel in addition to the images.
  public init(_ first: ImageBuffer, _ second: ImageBuffer) throws(ComparisonError) {
    guard first.size == second.size else {
      throw .differentSizes(first.size, second.size)
    }
    guard !first.size.isEmpty else { throw .empty(first.size) }
    (self.first, self.second) = (first, second)
    var measurement = Measurement(size: first.size)
    measurement.run(first, second)
    measurement.store(in: &self)
  }

  /// Indicates whether no sample differs, alpha included.
  public var isEqual: Bool { differingPixels == 0 }

  /// "max 3 at (12, 40), mean 0.41, PSNR 48.13 dB, SSIM 0.99, ΔE2000 mean 0.3 p99 1 max 2.4".
  public var description: String {
    if isEqual { return "no sample differs" }
    let position = maximumPosition.map { " at (\($0.x), \($0.y))" } ?? ""
    return "max \(figure(maximum))\(position), mean \(figure(mean)), "
      + "\(differingPixels) of \(first.size.pixelCount) pixels, "
      + "PSNR \(figure(psnr, decimals: 2)) dB, SSIM \(figure(ssim, decimals: 4)), ΔE2000 mean "
      + "\(figure(deltaEMean)) p99 \(figure(deltaEPercentile99)) max \(figure(deltaEMaximum))"
  }

  /// Returns an image of the differences: black is equal, brighter is more different.
  ///
  /// - Parameter gain: The factor for absolute differences in 8-bit levels before they are rounded
  ///   and clamped to 255; not negative.
  /// - Returns: An 8-bit RGB image of the same size. Differences of alpha show as far as they
  ///   change the image over white.
  public func differenceImage(gain: Double = 16) -> ImageBuffer {
    precondition(gain >= 0, "a gain cannot be negative")
    var image = ImageBuffer(size: first.size, layout: RowLayout(channels: .rgb))
    var firstRow = ComparableRow(width: first.size.width)
    var secondRow = firstRow
    var at = 0
    func level(_ first: Float, _ second: Float) -> UInt8 {
      UInt8(min(255, (Double(abs(first - second)) * gain).rounded()))
    }
    for y in 0..<first.size.height {
      firstRow.read(first, y: y)
      secondRow.read(second, y: y)
      for x in 0..<first.size.width {
        image.bytes[at] = level(firstRow.red[x], secondRow.red[x])
        image.bytes[at + 1] = level(firstRow.green[x], secondRow.green[x])
        image.bytes[at + 2] = level(firstRow.blue[x], secondRow.blue[x])
        at += 3
      }
    }
    return image
  }
}

/// The difference between two planes of unquantized samples, in 8-bit levels.
///
/// 1.0 is white, 255 levels; values outside 0 to 1 are compared unchanged.
public struct FloatDifference: Hashable, Sendable {
  /// Largest absolute difference; infinite if either sample is not finite.
  public let maximum: Double
  /// The first index of the largest difference; nil without any.
  public let maximumIndex: Int?
  /// Mean absolute difference.
  public let mean: Double
  /// Mean of second minus first.
  public let meanSigned: Double

  /// Compares two planes sample by sample.
  ///
  /// A sample that is NaN or infinite is always a mismatch, even if both planes have it.
  ///
  /// - Throws: `ComparisonError.differentCounts` when the counts differ or are zero.
  public init(_ first: [Float], _ second: [Float]) throws(ComparisonError) {
    guard first.count == second.count, !first.isEmpty else {
      throw .differentCounts(first.count, second.count)
    }
    var maximum = 0.0
    var maximumIndex: Int?
    var absoluteSum = 0.0
    var signedSum = 0.0
    for i in first.indices {
      let isFinite = first[i].isFinite && second[i].isFinite
      let difference = isFinite ? (Double(second[i]) - Double(first[i])) * 255 : .infinity
      absoluteSum += difference.magnitude
      signedSum += difference
      if difference.magnitude > maximum {
        maximum = difference.magnitude
        maximumIndex = i
      }
    }
    (self.maximum, self.maximumIndex) = (maximum, maximumIndex)
    mean = absoluteSum / Double(first.count)
    meanSigned = signedSum / Double(first.count)
  }
}

/// Formats a number for display: limited decimals, no trailing zeros, "∞" for infinity.
package func figure(_ value: Double, decimals: Int = 3) -> String {
  if value.isNaN { return "not a number" }
  if value.isInfinite { return value < 0 ? "-∞" : "∞" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (value.magnitude * scale).rounded()
  // Above 2⁵³ a Double has no decimals left to write.
  guard scaled < 0x1p53 else { return "\(value)" }
  let whole = Int(scaled)
  let unit = Int(scale)
  var digits = String(whole % unit + unit).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  let sign = value < 0 && whole > 0 ? "-" : ""
  return "\(sign)\(whole / unit)" + (digits.isEmpty ? "" : ".\(digits)")
}
