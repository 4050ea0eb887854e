// SPDX-License-Identifier: Apache-2.0
import Glibc
public import Pixels

/// A new size and the kernel that makes its samples.
public struct Resampling: Sendable, Hashable {
  /// The size wanted.
  public var size: PixelSize
  /// How the samples between pixels are made.
  public var kernel: ResamplingKernel
  /// Whether columns are counted from the right; where a centre lies just between two pixels, it
  /// is the far one that counts.
  package private(set) var isReversedInX = false
  /// Whether rows are counted from the bottom.
  package private(set) var isReversedInY = false

  /// Makes a resampling.
  public init(size: PixelSize, kernel: ResamplingKernel) {
    self.size = size
    self.kernel = kernel
  }

  /// The same resampling for the picture turned or mirrored.
  package func turned(by turn: Orientation) -> Resampling {
    // The matrix leads from the turned picture back to the one before.
    let m = turn.matrix
    let (x, y) =
      turn.swapsAxes ? (isReversedInY, isReversedInX) : (isReversedInX, isReversedInY)
    var turned = Resampling(size: turn.applied(to: size), kernel: kernel)
    turned.isReversedInX = x != (m.xx + m.yx < 0)
    turned.isReversedInY = y != (m.xy + m.yy < 0)
    return turned
  }
}

/// A function that says how much a pixel at some distance counts.
public enum ResamplingKernel: String, Sendable, Hashable, CaseIterable {
  /// The nearest pixel.
  case nearest
  /// The mean of the covered pixels.
  case box
  /// The triangle.
  case bilinear
  /// Keys' cubic with a = −½.
  case catmullRom
  /// Mitchell and Netravali's cubic with B = C = ⅓.
  case mitchell
  /// sinc windowed by a sinc of twice the width.
  case lanczos2
  /// sinc windowed by a sinc of three times the width.
  case lanczos3

  /// The distance beyond which nothing counts, in pixels of the coarser picture.
  public var support: Double {
    switch self {
    case .nearest, .box: 0.5
    case .bilinear: 1
    case .catmullRom, .mitchell, .lanczos2: 2
    case .lanczos3: 3
    }
  }

  /// The weight at a distance.
  ///
  /// - Source: Keys 1981; Mitchell and Netravali 1988; Duchon 1979.
  public func weight(_ distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .nearest, .box: return distance > -0.5 && distance <= 0.5 ? 1 : 0
    case .bilinear: return max(0, 1 - x)
    case .catmullRom: return Self.cubic(x, b: 0, c: 0.5)
    case .mitchell: return Self.cubic(x, b: 1.0 / 3, c: 1.0 / 3)
    case .lanczos2: return x < 2 ? Self.sinc(x) * Self.sinc(x / 2) : 0
    case .lanczos3: return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
    }
  }

  private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    if x < 1 {
      return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6
    }
    if x < 2 {
      return
        ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x
        + (8 * b + 24 * c)) / 6
    }
    return 0
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
}

/// Which source samples make each sample along one axis, and how much each counts.
public struct ResamplingWeights: Sendable, Hashable {
  /// First source sample of each output sample.
  public let starts: [Int]
  /// Index of each output sample's first weight; one more entry than output samples.
  public let offsets: [Int]
  /// The weights; those of one output sample sum to one.
  public let weights: [Float]

  /// Works out the weights.
  ///
  /// Centres lie at (i + ½)·source/target; the kernel widens when the picture shrinks; it is cut
  /// at the picture's edge and normalised there.
  ///
  /// - Parameter isReversed: Whether samples are counted from the other end of the axis.
  public init(source: Int, target: Int, kernel: ResamplingKernel, isReversed: Bool = false) {
    precondition(source > 0 && target > 0, "an axis has at least one sample")
    let ratio = Double(source) / Double(target)
    let stretch = kernel == .nearest ? 1 : max(1, ratio)
    let support = kernel.support * stretch
    var starts: [Int] = []
    var offsets = [0]
    var all: [Float] = []
    for i in 0..<target {
      // Whole numbers decide which pixel is nearest, so that rounding has no say in it.
      let centre = Double((2 * i + 1) * source) / Double(2 * target)
      if kernel == .nearest {
        starts.append((2 * i + 1) * source / (2 * target))
        all.append(1)
      } else {
        let first = max(0, Int((centre - support + 0.5).rounded(.down)))
        let end = min(source, Int((centre + support + 0.5).rounded(.down)))
        let raw = (first..<max(end, first + 1)).map {
          kernel.weight((Double($0) + 0.5 - centre) / stretch)
        }
        let sum = raw.reduce(0, +)
        starts.append(first)
        all.append(contentsOf: raw.map { Float($0 / sum) })
      }
      offsets.append(all.count)
    }
    if isReversed {
      let counts = zip(offsets.dropFirst(), offsets).map { $0 - $1 }
      starts = zip(starts, counts).map { source - $0 - $1 }.reversed()
      offsets = counts.reversed().reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
      all.reverse()
    }
    self.starts = starts
    self.offsets = offsets
    self.weights = all
  }

  /// The source samples that one output sample is made of.
  public func sources(of index: Int) -> Range<Int> {
    starts[index]..<(starts[index] + offsets[index + 1] - offsets[index])
  }
}
