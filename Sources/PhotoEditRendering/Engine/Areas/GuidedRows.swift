// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Rows of the luma and of a guided filter with the luma as its guide, computed while moving down
/// the image.
///
/// The filter's input is the luma itself, whose result is its base layer, or other rows.
/// Colors are multiplied by alpha, and pixels are weighted by their alpha.
final class GuidedRows {
  /// The values stored for each row.
  private enum Quantity: Int {
    case luma
    /// The line fitted to the window around each pixel.
    case slope, offset
    /// The input of the filter, if it is not the luma; or the weight of the window around each
    /// pixel.
    case input
    /// Only for images with alpha: the luma multiplied by alpha, and alpha itself.
    case product, alpha

    static func count(hasAlpha: Bool) -> Int { hasAlpha ? 6 : 4 }
  }

  /// Writes a row of the filter's input; the row of the image may be outside of it.
  typealias Input = (_ y: Int, _ input: PlaneRows, _ target: UnsafeMutablePointer<Float>) -> Void

  private static let edge = EdgeMode.mirror

  private let radius: Int
  private let epsilon: Double
  private let width: Int
  private let planes: Range<Int>
  private let hasAlpha: Bool
  /// The input of the filter; nil for the luma.
  private let other: Input?
  /// Indicates whether the base is made of the windows without a strong edge.
  private let avoidsEdges: Bool
  /// The number of buffered rows: those of a window, those covered by the windows of its lines, and
  /// one that is dropped.
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  /// The row held at each index of the luma buffer and of the line buffers; nil if empty.
  private var lumas: [Int?] = []
  private var lines: [Int?] = []
  private let sums: BoxSums
  private let squares: BoxSums
  private let alphas: BoxSums
  private let inputs: BoxSums
  private let crosses: BoxSums
  private let slopes: BoxSums
  private let offsets: BoxSums
  private let alphasOfLines: BoxSums

  init(
    radius: Int, epsilon: Double, width: Int, planes: Range<Int>, hasAlpha: Bool,
    filtering other: Input? = nil, avoidingEdges avoidsEdges: Bool = false
  ) {
    precondition(other == nil || !avoidsEdges, "only the luma is filtered without edges")
    (self.radius, self.epsilon) = (radius, epsilon)
    self.width = width
    self.planes = planes
    self.hasAlpha = hasAlpha
    (self.other, self.avoidsEdges) = (other, avoidsEdges)
    capacity = 3 * radius + 3
    let count = (Quantity.count(hasAlpha: hasAlpha) * capacity + 4) * width
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 1, count: count)
    let make = { BoxSums(width: width, radius: radius, edge: Self.edge) }
    (sums, squares, alphas) = (make(), make(), make())
    (inputs, crosses) = (make(), make())
    (slopes, offsets, alphasOfLines) = (make(), make(), make())
  }

  deinit { memory.deallocate() }

  /// Discards the stored rows, so that the next row can be anywhere.
  func reset() {
    lumas = Array(repeating: nil, count: capacity)
    lines = lumas
    for sums in [sums, squares, alphas, inputs, crosses, slopes, offsets, alphasOfLines] {
      sums.reset()
    }
  }

  private var share: Double {
    let side = Double(2 * radius + 1)
    return 1 / (side * side)
  }

  private func position(_ y: Int) -> Int { (y % capacity + capacity) % capacity }

  private func row(_ quantity: Quantity, _ y: Int) -> UnsafeMutablePointer<Float> {
    memory + (quantity.rawValue * capacity + position(y)) * width
  }

  /// Returns a scratch row for immediate use.
  private func spare(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory + (Quantity.count(hasAlpha: hasAlpha) * capacity + index) * width
  }

  private func read(_ quantity: Quantity) -> (Int) -> UnsafePointer<Float> {
    { UnsafePointer(self.row(quantity, $0)) }
  }

  /// Returns the luma of a row, the filter's result, and its alpha; valid until the next row is
  /// requested.
  func lumaAndResult(
    of y: Int, _ input: PlaneRows
  ) -> (luma: UnsafePointer<Float>, base: UnsafePointer<Float>, alpha: UnsafePointer<Float>) {
    for k in y - radius...y + radius { computeLines(k, input) }
    let weight = hasAlpha ? read(.alpha) : nil
    slopes.move(to: y, read(.slope), times: weight)
    if hasAlpha { alphasOfLines.move(to: y, read(.alpha)) }
    let totals = hasAlpha ? alphasOfLines.first : nil
    let (slope, offset, base) = (spare(0), spare(1), spare(2))
    pe_box_means(slopes.first, totals, width, radius, share, slope)
    if avoidsEdges {
      // The offsets are means.
      offsets.move(to: y, read(.offset), times: read(.input))
      inputs.move(to: y, read(.input))
      pe_box_means(offsets.first, inputs.first, width, radius, share, offset)
      pe_guided_mean(row(.luma, y), slope, offset, width, base)
    } else {
      offsets.move(to: y, read(.offset), times: weight)
      pe_box_means(offsets.first, totals, width, radius, share, offset)
      pe_guided_base(row(.luma, y), slope, offset, width, base)
    }
    // Without alpha there is a row of ones.
    let alpha = hasAlpha ? row(.alpha, y) : spare(3)
    return (UnsafePointer(row(.luma, y)), UnsafePointer(base), UnsafePointer(alpha))
  }

  /// Computes the lines of a row; outside the edge, mirrored windows give the lines of the mirrored
  /// row.
  private func computeLines(_ y: Int, _ input: PlaneRows) {
    if lines[position(y)] == y { return }
    for k in y - radius...y + radius { computeLuma(k, input) }
    let product: Quantity = hasAlpha ? .product : .luma
    sums.move(to: y, read(product))
    squares.move(to: y, read(product), times: read(.luma))
    if hasAlpha { alphas.move(to: y, read(.alpha)) }
    let totals = hasAlpha ? alphas.first : nil
    if avoidsEdges {
      pe_guided_windows(
        sums.first, squares.first, totals, width, radius, share, epsilon, row(.slope, y),
        row(.offset, y), row(.input, y))
      if hasAlpha { pe_multiply(row(.input, y), row(.alpha, y), width, row(.input, y)) }
    } else if other == nil {
      pe_guided_lines(
        sums.first, squares.first, totals, width, radius, share, epsilon, row(.slope, y),
        row(.offset, y))
    } else {
      inputs.move(to: y, read(.input), times: hasAlpha ? read(.alpha) : nil)
      crosses.move(to: y, read(.input), times: read(product))
      pe_guided_cross_lines(
        sums.first, squares.first, inputs.first, crosses.first, totals, width, radius, share,
        epsilon, row(.slope, y), row(.offset, y))
    }
    lines[position(y)] = y
  }

  private func computeLuma(_ y: Int, _ input: PlaneRows) {
    if lumas[position(y)] == y { return }
    let source = Self.edge.position(y, count: input.size.height)
    let (luma, first) = (row(.luma, y), planes.lowerBound)
    let target = hasAlpha ? row(.product, y) : luma
    if planes.count - (hasAlpha ? 1 : 0) == 1 {
      target.update(from: input.row(source, plane: first), count: width)
    } else {
      let weights = LumaWeights.rec601.map { Float($0) } + [0]
      pe_weighted_sum(
        input.row(source, plane: first), input.row(source, plane: first + 1),
        input.row(source, plane: first + 2), width, weights, target)
    }
    if hasAlpha {
      let alpha = row(.alpha, y)
      alpha.update(from: input.row(source, plane: planes.upperBound - 1), count: width)
      pe_divide(target, alpha, width, luma)
    }
    other?(source, input, row(.input, y))
    lumas[position(y)] = y
  }
}
