// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// A new size and the resampling kernel.
public struct Resampling: Sendable, Hashable {
  /// The new size.
  public var size: PixelSize
  /// The kernel that interpolates between pixels.
  public var kernel: ResamplingKernel
  /// Indicates whether columns are counted from the right; a center exactly between two pixels then
  /// rounds to the other pixel.
  package private(set) var isReversedInX = false
  /// Indicates whether rows are counted from the bottom.
  package private(set) var isReversedInY = false
  /// The part of the result that is computed; nil means all of it.
  package private(set) var window: ResamplingWindow?
  /// The part of the source that the whole result shows, in pixels of the source; nil means all.
  package private(set) var span: ResamplingSpan?

  /// Creates a resampling.
  public init(size: PixelSize, kernel: ResamplingKernel) {
    (self.size, self.kernel) = (size, kernel)
  }

  /// Returns the same resampling for the rotated or flipped image.
  package func rotated(by orientation: Orientation) -> Resampling {
    // The matrix maps the rotated image back to the previous one.
    let m = orientation.matrix
    let (x, y) =
      orientation.swapsAxes ? (isReversedInY, isReversedInX) : (isReversedInX, isReversedInY)
    var rotated = Resampling(size: orientation.applied(to: size), kernel: kernel)
    rotated.isReversedInX = x != (m.xx + m.yx < 0)
    rotated.isReversedInY = y != (m.xy + m.yy < 0)
    precondition(window == nil && span == nil, "rotation must precede cropping")
    return rotated
  }

  /// Returns the same resampling at another size, from a part of the source.
  package func scaled(to size: PixelSize, span: ResamplingSpan?) -> Resampling {
    precondition(window == nil, "scaling must precede cropping")
    var scaled = self
    scaled.size = size
    scaled.span = span
    return scaled
  }

  /// Indicates whether the entire result is computed from the entire source.
  package var isOfWholeImage: Bool { window == nil && span == nil }

  /// The size of the computed part: that of the window, or of the whole result.
  package var computedSize: PixelSize { window?.region.size ?? size }

  /// Returns the same samples, restricted to a part of what has been computed so far.
  ///
  /// - Parameter source: Size of the image that is now the source.
  package func cropped(to region: Region, source: PixelSize) -> Resampling {
    let whole =
      window ?? ResamplingWindow(source: source, from: Region(source), region: Region(size))
    let target = Region(
      x: whole.region.x + region.x, y: whole.region.y + region.y, width: region.width,
      height: region.height)
    var result = self
    result.window = nil
    let (columns, rows) = result.weights(source: whole.source)
    let x = columns?.sources(of: target.x..<target.maxX) ?? target.x..<target.maxX
    let y = rows?.sources(of: target.y..<target.maxY) ?? target.y..<target.maxY
    result.window = ResamplingWindow(
      source: whole.source,
      from: Region(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count),
      region: target)
    return result
  }

  /// Returns the weights of columns and rows; nil along an axis that keeps its samples.
  ///
  /// - Parameter size: Size of the source image.
  package func weights(
    source size: PixelSize
  ) -> (columns: ResamplingWeights?, rows: ResamplingWeights?) {
    func weights(
      _ side: KeyPath<PixelSize, Int>, _ isReversed: Bool, _ span: ResamplingSpan.Axis?,
      target: Range<Int>?, from: Range<Int>?
    ) -> ResamplingWeights? {
      let source = window?.source[keyPath: side] ?? size[keyPath: side]
      let count = self.size[keyPath: side]
      guard source != count || span != nil else { return nil }
      let all = ResamplingWeights(
        source: source, target: count, kernel: kernel, isReversed: isReversed, span: span)
      guard let target, let from else { return all }
      return all.cropped(to: target, from: from)
    }
    return (
      weights(
        \.width, isReversedInX, span?.x, target: window?.region.columns,
        from: window?.from.columns),
      weights(
        \.height, isReversedInY, span?.y, target: window?.region.rows, from: window?.from.rows)
    )
  }
}

/// A part of a resampled image and the part of the source that it depends on.
package struct ResamplingWindow: Sendable, Hashable {
  /// The size of the whole source.
  package let source: PixelSize
  /// The required part of the source.
  package let from: Region
  /// The part of the result that is computed.
  package let region: Region
}

/// A part of an image whose edges may be inside pixels.
package struct ResamplingSpan: Sendable, Hashable {
  /// The start and the length along one axis.
  package struct Axis: Sendable, Hashable {
    package var start: Double
    package var length: Double

    package init(start: Double, length: Double) { (self.start, self.length) = (start, length) }
  }

  package var x: Axis
  package var y: Axis

  package init(x: Axis, y: Axis) { (self.x, self.y) = (x, y) }
}

extension Region {
  fileprivate var columns: Range<Int> { x..<maxX }
  fileprivate var rows: Range<Int> { y..<maxY }
}

/// A function that gives the weight of a pixel at some distance.
public enum ResamplingKernel: String, Sendable, Hashable, CaseIterable {
  /// The nearest pixel.
  case nearest
  /// The mean of the covered pixels.
  case box
  /// The triangle filter.
  case bilinear
  /// Keys' cubic with a = −½.
  case catmullRom
  /// The cubic of Mitchell and Netravali with B = C = ⅓.
  case mitchell
  /// sinc windowed by a sinc of twice the width.
  case lanczos2
  /// sinc windowed by a sinc of three times the width.
  case lanczos3

  /// The distance beyond which the weight is zero, in pixels of the coarser image.
  public var support: Double {
    switch self {
    case .nearest, .box: 0.5
    case .bilinear: 1
    case .catmullRom, .mitchell, .lanczos2: 2
    case .lanczos3: 3
    }
  }

  /// Returns the weight at a distance.
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

/// The source samples of each output sample along one axis, and their weights.
public struct ResamplingWeights: Sendable, Hashable {
  /// The first source sample of each output sample.
  public let starts: [Int]
  /// The index of each output sample's first weight; one more entry than output samples.
  public let offsets: [Int]
  /// The weights; those of one output sample sum to one.
  public let weights: [Float]

  /// Computes the weights.
  ///
  /// Centers are at (i + ½)·source/target; the kernel widens when the image shrinks; it is
  /// truncated at the edge of the image and normalized there.
  ///
  /// - Parameter isReversed: `true` to count samples from the other end of the axis.
  public init(source: Int, target: Int, kernel: ResamplingKernel, isReversed: Bool = false) {
    self.init(source: source, target: target, kernel: kernel, isReversed: isReversed, span: nil)
  }

  /// Computes the weights for a part of the source, with centers at start + (i + ½)·length/target.
  package init(
    source: Int, target: Int, kernel: ResamplingKernel, isReversed: Bool, span: ResamplingSpan.Axis?
  ) {
    precondition(source > 0 && target > 0, "an axis has at least one sample")
    let ratio = (span?.length ?? Double(source)) / Double(target)
    // Reversed weights are computed from the other end, so the position of the part is reversed
    // too.
    let part = span.map { span in
      let start = isReversed ? Double(source) - span.start - span.length : span.start
      return start...start + span.length
    }
    /// Returns the fraction of a pixel inside the part, which is its factor at the edges.
    func overlap(_ index: Int) -> Double {
      guard let part else { return 1 }
      let end = min(Double(index + 1), part.upperBound)
      return max(0, end - max(Double(index), part.lowerBound))
    }
    let kernelScale = kernel == .nearest ? 1 : max(1, ratio)
    let support = kernel.support * kernelScale
    var starts: [Int] = []
    var offsets = [0]
    var all: [Float] = []
    var raw: [Double] = []
    for i in 0..<target {
      // Integers determine the nearest pixel, so that rounding has no influence.
      let center =
        part.map { $0.lowerBound + (Double(i) + 0.5) * ratio }
        ?? Double((2 * i + 1) * source) / Double(2 * target)
      if kernel == .nearest {
        let position =
          span == nil ? (2 * i + 1) * source / (2 * target) : Int(center.rounded(.down))
        starts.append(min(max(position, 0), source - 1))
        all.append(1)
      } else {
        let first = min(max(0, Int((center - support + 0.5).rounded(.down))), source - 1)
        let end = min(source, Int((center + support + 0.5).rounded(.down)))
        raw.removeAll(keepingCapacity: true)
        var sum = 0.0
        for index in first..<max(end, first + 1) {
          let distance = (Double(index) + 0.5 - center) / kernelScale
          raw.append(kernel.weight(distance) * overlap(index))
          sum += raw[raw.count - 1]
        }
        starts.append(first)
        for weight in raw { all.append(Float(weight / sum)) }
      }
      offsets.append(all.count)
    }
    if isReversed {
      let counts = zip(offsets.dropFirst(), offsets).map { $0 - $1 }
      starts = zip(starts, counts).map { source - $0 - $1 }.reversed()
      offsets = counts.reversed().reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
      all.reverse()
    }
    (self.starts, self.offsets, self.weights) = (starts, offsets, all)
  }

  private init(starts: [Int], offsets: [Int], weights: [Float]) {
    (self.starts, self.offsets, self.weights) = (starts, offsets, weights)
  }

  /// Returns the weights of a range of output samples, for a source that starts at a later sample.
  func cropped(to outputs: Range<Int>, from inputs: Range<Int>) -> ResamplingWeights {
    let first = offsets[outputs.lowerBound]
    return ResamplingWeights(
      starts: starts[outputs].map { $0 - inputs.lowerBound },
      offsets: offsets[outputs.lowerBound...outputs.upperBound].map { $0 - first },
      weights: Array(weights[first..<offsets[outputs.upperBound]]))
  }

  /// Returns the source samples that a range of output samples depends on.
  func sources(of outputs: Range<Int>) -> Range<Int> {
    let sources = outputs.map { self.sources(of: $0) }
    return (sources.map(\.lowerBound).min() ?? 0)..<(sources.map(\.upperBound).max() ?? 0)
  }

  /// Returns the source samples that one output sample depends on.
  public func sources(of index: Int) -> Range<Int> {
    starts[index]..<(starts[index] + offsets[index + 1] - offsets[index])
  }
}
