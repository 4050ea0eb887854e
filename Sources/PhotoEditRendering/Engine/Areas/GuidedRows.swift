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

  private let epsilon: Double
  private let planes: Range<Int>
  private let hasAlpha: Bool
  /// The input of the filter; nil for the luma.
  private let other: Input?
  /// Indicates whether the base is made of the windows without a strong edge.
  private let avoidsEdges: Bool
  private let rows: WindowRows<Quantity>
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
    self.epsilon = epsilon
    self.planes = planes
    self.hasAlpha = hasAlpha
    (self.other, self.avoidsEdges) = (other, avoidsEdges)
    rows = WindowRows(
      of: Quantity.count(hasAlpha: hasAlpha), spares: 4, radius: radius, width: width)
    let make = { BoxSums(width: width, radius: radius, edge: Self.edge) }
    (sums, squares, alphas) = (make(), make(), make())
    (inputs, crosses) = (make(), make())
    (slopes, offsets, alphasOfLines) = (make(), make(), make())
  }

  /// Discards the stored rows, so that the next row can be anywhere.
  func reset() {
    rows.reset()
    for sums in [sums, squares, alphas, inputs, crosses, slopes, offsets, alphasOfLines] {
      sums.reset()
    }
  }

  /// Returns the luma of a row, the filter's result, and its alpha; valid until the next row is
  /// requested.
  func lumaAndResult(
    of y: Int, _ input: PlaneRows
  ) -> (luma: UnsafePointer<Float>, base: UnsafePointer<Float>, alpha: UnsafePointer<Float>) {
    for k in y - rows.radius...y + rows.radius { computeLines(k, input) }
    let weight = hasAlpha ? rows.read(.alpha) : nil
    slopes.move(to: y, rows.read(.slope), times: weight)
    if hasAlpha { alphasOfLines.move(to: y, rows.read(.alpha)) }
    let totals = hasAlpha ? alphasOfLines.first : nil
    let (slope, offset, base) = (rows.spare(0), rows.spare(1), rows.spare(2))
    pe_box_means(slopes.first, totals, rows.width, rows.radius, rows.share, slope)
    if avoidsEdges {
      // The offsets are means.
      offsets.move(to: y, rows.read(.offset), times: rows.read(.input))
      inputs.move(to: y, rows.read(.input))
      pe_box_means(offsets.first, inputs.first, rows.width, rows.radius, rows.share, offset)
      pe_guided_mean(rows.row(.luma, y), slope, offset, rows.width, base)
    } else {
      offsets.move(to: y, rows.read(.offset), times: weight)
      pe_box_means(offsets.first, totals, rows.width, rows.radius, rows.share, offset)
      pe_guided_base(rows.row(.luma, y), slope, offset, rows.width, base)
    }
    // Without alpha there is a row of ones.
    let alpha = hasAlpha ? rows.row(.alpha, y) : rows.spare(3)
    return (UnsafePointer(rows.row(.luma, y)), UnsafePointer(base), UnsafePointer(alpha))
  }

  /// Computes the lines of a row; outside the edge, mirrored windows give the lines of the mirrored
  /// row.
  private func computeLines(_ y: Int, _ input: PlaneRows) {
    guard rows.insert(.slope, y) else { return }
    for k in y - rows.radius...y + rows.radius { computeLuma(k, input) }
    let product: Quantity = hasAlpha ? .product : .luma
    sums.move(to: y, rows.read(product))
    squares.move(to: y, rows.read(product), times: rows.read(.luma))
    if hasAlpha { alphas.move(to: y, rows.read(.alpha)) }
    let totals = hasAlpha ? alphas.first : nil
    if avoidsEdges {
      pe_guided_windows(
        sums.first, squares.first, totals, rows.width, rows.radius, rows.share, epsilon,
        rows.row(.slope, y), rows.row(.offset, y), rows.row(.input, y))
      if hasAlpha {
        pe_multiply(rows.row(.input, y), rows.row(.alpha, y), rows.width, rows.row(.input, y))
      }
    } else if other == nil {
      pe_guided_lines(
        sums.first, squares.first, totals, rows.width, rows.radius, rows.share, epsilon,
        rows.row(.slope, y), rows.row(.offset, y))
    } else {
      inputs.move(to: y, rows.read(.input), times: hasAlpha ? rows.read(.alpha) : nil)
      crosses.move(to: y, rows.read(.input), times: rows.read(product))
      pe_guided_cross_lines(
        sums.first, squares.first, inputs.first, crosses.first, totals, rows.width, rows.radius,
        rows.share, epsilon, rows.row(.slope, y), rows.row(.offset, y))
    }
  }

  private func computeLuma(_ y: Int, _ input: PlaneRows) {
    guard rows.insert(.luma, y) else { return }
    let source = Self.edge.position(y, count: input.size.height)
    let (luma, first) = (rows.row(.luma, y), planes.lowerBound)
    let target = hasAlpha ? rows.row(.product, y) : luma
    if planes.count - (hasAlpha ? 1 : 0) == 1 {
      target.update(from: input.row(source, plane: first), count: rows.width)
    } else {
      let weights = LumaWeights.rec601.map { Float($0) } + [0]
      pe_weighted_sum(
        input.row(source, plane: first), input.row(source, plane: first + 1),
        input.row(source, plane: first + 2), rows.width, weights, target)
    }
    if hasAlpha {
      let alpha = rows.row(.alpha, y)
      alpha.update(from: input.row(source, plane: planes.upperBound - 1), count: rows.width)
      pe_divide(target, alpha, rows.width, luma)
    }
    other?(source, input, rows.row(.input, y))
  }
}
