// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension ImageDifference {
  /// The running sums of a comparison that reads both images once, row by row.
  struct Measurement {
    private static let blockSide = 16

    private let size: PixelSize
    private var firstRow: ComparableRow
    private var secondRow: ComparableRow
    private var similarity: StructuralSimilarity
    private var firstLuma: [Double]
    private var secondLuma: [Double]

    private var maximum: Float = 0
    private var maximumPosition: Position?
    private var maximumAlpha: Float = 0
    private var differingPixels = 0
    private var absoluteSum = 0.0
    private var signedSum = SIMD3<Double>()
    private var squareSum = 0.0
    private var blockSums: [Double]
    private var worstBlockMean = 0.0
    private var deltaEs: [Float] = []
    private var deltaESum = 0.0

    init(size: PixelSize) {
      self.size = size
      firstRow = ComparableRow(width: size.width)
      secondRow = ComparableRow(width: size.width)
      similarity = StructuralSimilarity(size: size)
      firstLuma = [Double](repeating: 0, count: size.width)
      secondLuma = firstLuma
      blockSums = [Double](repeating: 0, count: (size.width - 1) / Self.blockSide + 1)
      deltaEs.reserveCapacity(size.pixelCount)
    }

    mutating func run(_ first: ImageBuffer, _ second: ImageBuffer) {
      for y in 0..<size.height {
        firstRow.read(first, y: y)
        secondRow.read(second, y: y)
        for x in 0..<size.width { addPixel(x, y) }
        similarity.add(firstLuma, secondLuma)
        if (y + 1) % Self.blockSide == 0 || y + 1 == size.height {
          endBlocks(rows: y % Self.blockSide + 1)
        }
      }
    }

    private mutating func addPixel(_ x: Int, _ y: Int) {
      firstLuma[x] = firstRow.luma(x)
      secondLuma[x] = secondRow.luma(x)
      let r = secondRow.red[x] - firstRow.red[x]
      let g = secondRow.green[x] - firstRow.green[x]
      let b = secondRow.blue[x] - firstRow.blue[x]
      let alpha = abs(secondRow.alpha[x] - firstRow.alpha[x])
      maximumAlpha = max(maximumAlpha, alpha)
      if r == 0 && g == 0 && b == 0 {
        if alpha != 0 { differingPixels += 1 }
        deltaEs.append(0)
        return
      }
      differingPixels += 1
      let largest = max(abs(r), abs(g), abs(b))
      if largest > maximum {
        maximum = largest
        maximumPosition = Position(x: x, y: y)
      }
      let difference = SIMD3(Double(r), Double(g), Double(b))
      let absolute = difference.x.magnitude + difference.y.magnitude + difference.z.magnitude
      absoluteSum += absolute
      signedSum += difference
      squareSum += (difference * difference).sum()
      blockSums[x / Self.blockSide] += absolute

      let from = LabColor(red: firstRow.red[x], green: firstRow.green[x], blue: firstRow.blue[x])
      let to = LabColor(red: secondRow.red[x], green: secondRow.green[x], blue: secondRow.blue[x])
      let deltaE = from.difference2000(from: to)
      deltaESum += deltaE
      deltaEs.append(Float(deltaE))
    }

    private mutating func endBlocks(rows: Int) {
      for block in blockSums.indices {
        let columns = min(Self.blockSide, size.width - block * Self.blockSide)
        worstBlockMean = max(worstBlockMean, blockSums[block] / Double(3 * rows * columns))
        blockSums[block] = 0
      }
    }

    func store(in result: inout ImageDifference) {
      let pixels = Double(size.pixelCount)
      let squareMean = squareSum / (3 * pixels)
      result.maximum = Double(maximum)
      result.maximumPosition = maximumPosition
      result.maximumAlpha = Double(maximumAlpha)
      result.differingPixels = differingPixels
      result.mean = absoluteSum / (3 * pixels)
      result.meanSigned = signedSum / pixels
      result.psnr = squareSum == 0 ? .infinity : 10 * log10(255 * 255 / squareMean)
      result.ssim = similarity.mean
      result.deltaEMean = deltaESum / pixels
      result.deltaEPercentile99 = Double(nearestRank(of: deltaEs, hundredths: 99))
      result.deltaEMaximum = Double(deltaEs.max() ?? 0)
      result.worstBlockMean = worstBlockMean
    }
  }
}

/// Returns the smallest value that a given percentage of all values do not exceed; all values are 0
/// or more.
///
/// Nonnegative floats sort in the order of their bit patterns, so one histogram of the upper halves
/// finds the few values that need sorting.
func nearestRank(of values: [Float], hundredths: Int) -> Float {
  guard !values.isEmpty else { return 0 }
  // ⌈n · hundredths / 100⌉ - 1 without a product that could overflow.
  var rank = values.count / 100 * hundredths + (values.count % 100 * hundredths + 99) / 100 - 1
  var histogram = [Int](repeating: 0, count: 1 << 16)
  for value in values { histogram[Int(value.bitPattern >> 16)] += 1 }
  var bin = 0
  while rank >= histogram[bin] {
    rank -= histogram[bin]
    bin += 1
  }
  return values.filter { Int($0.bitPattern >> 16) == bin }.sorted()[rank]
}

/// One row of an image as three planes of 8-bit levels over white, regardless of its stored format.
///
/// Gray is repeated, 16-bit samples are divided by 257 and straight alpha is composited in
/// gamma-encoded values. Whole 8-bit levels stay exact, so equal images of different depth compare
/// as equal.
struct ComparableRow {
  var red: [Float]
  var green: [Float]
  var blue: [Float]
  /// 0 to 255; 255 if the image has no alpha.
  var alpha: [Float]

  init(width: Int) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = [Float](repeating: 255, count: width)
  }

  /// Fills the planes from a row of an image of the same width.
  mutating func read(_ image: ImageBuffer, y: Int) {
    let bytesPerRow = image.layout.bytesPerRow(width: image.size.width)
    image.bytes.withUnsafeBytes { bytes in
      let row = UnsafeRawBufferPointer(rebasing: bytes[y * bytesPerRow..<(y + 1) * bytesPerRow])
      if image.layout.bytesPerSample == 1 {
        read(image.layout.channels) { Float(row[$0]) }
      } else {
        read(image.layout.channels) {
          Float(row.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) / 257
        }
      }
    }
  }

  @inline(__always)
  private mutating func read(_ channels: ChannelLayout, sample: (Int) -> Float) {
    let step = channels.count
    let colors = channels.colorCount
    for x in red.indices {
      red[x] = sample(x * step)
      green[x] = colors == 3 ? sample(x * step + 1) : red[x]
      blue[x] = colors == 3 ? sample(x * step + 2) : red[x]
      guard channels.hasAlpha else { continue }
      let a = sample(x * step + colors)
      alpha[x] = a
      // Opaque samples are skipped: multiplying and dividing by 255 might change them.
      guard a < 255 else { continue }
      red[x] = (red[x] * a + 255 * (255 - a)) / 255
      green[x] = (green[x] * a + 255 * (255 - a)) / 255
      blue[x] = (blue[x] * a + 255 * (255 - a)) / 255
    }
  }

  /// Returns the BT.601 luma at a column, 0 to 255.
  @inline(__always)
  func luma(_ x: Int) -> Double {
    0.299 * Double(red[x]) + 0.587 * Double(green[x]) + 0.114 * Double(blue[x])
  }
}
