// SPDX-License-Identifier: Apache-2.0

/// The location of a span of samples while a row is processed.
enum RowLocation: Hashable {
  /// A block in the first-level cache.
  case register(Int)
  /// A whole scratch row; column `shift` of the block comes first.
  case row(Int, shift: Int)
  /// A read-only plane of the input row.
  case input(Int)
  /// A plane of the output row; column `shift` of the block comes first.
  case output(Int, shift: Int)
  /// A read-only plane of a row of another level; column `shift` of the block comes first.
  case side(Int, plane: Int, shift: Int)
}

/// One kernel call on a block of columns; plain numbers, so that running it copies nothing.
///
/// Sources and targets are indices of locations; −1 means no location.
struct RowInstruction {
  enum Operation {
    case unpackBytes, unpackWords, packGray, packColors, copy
    case affine, clamp, affineClamp, power, powerAboveZero, decode, encode, spline
    case hyperbolic, threshold, solarize, quantize, polynomial, parabolas, lookup
    case twoPieces, inverseLookup
    case matrix, weightedSum, maximum, minimum, map
    case radialGainCosine, radialGainSmooth, radialGainInverse, multiply, divide
    case mix, mixAlpha, mixBy, mixAlphaBy, blend, blendAlpha, grain, addMasks
    case subtractMasks, fill, flatten, sharpen, sharpenLuma
    case blur, resample, weighRows, weighBlurredRows
  }

  var operation: Operation
  var sources = SIMD8<Int32>(repeating: -1)
  var targets = SIMD4<Int32>(repeating: -1)
  /// Factors, bounds or amounts, in the order in which the kernel expects them.
  var numbers = SIMD4<Float>()
  /// A plane of the input, or a starting row or column.
  var index = 0
  /// The number of neighbors on each side.
  var radius = 0
  /// Coefficients, weights or tables, owned by the program.
  var constants: UnsafeRawPointer?

  init(
    _ operation: Operation, from sources: [Int] = [], to targets: [Int] = [],
    _ numbers: SIMD4<Float> = SIMD4(), index: Int = 0, radius: Int = 0,
    constants: UnsafeRawPointer? = nil
  ) {
    self.operation = operation
    for (i, source) in sources.enumerated() { self.sources[i] = Int32(source) }
    for (i, target) in targets.enumerated() { self.targets[i] = Int32(target) }
    self.numbers = numbers
    self.index = index
    self.radius = radius
    self.constants = constants
  }

  func reads(_ location: Int) -> Bool { any(sources .== Int32(location)) }
  func writes(_ location: Int) -> Bool { any(targets .== Int32(location)) }

  mutating func retarget(_ location: Int, to other: Int) {
    targets.replace(with: Int32(other), where: targets .== Int32(location))
  }
}
