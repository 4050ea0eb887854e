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
