// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Adjusts colors by the hue of their surroundings.
struct SmoothedHuesWorker: AreaWorker {
  private let hues: SmoothedHues
  private let hasAlpha: Bool
  private let free = ObjectPool<ChromaRows>()

  init(_ hues: SmoothedHues, hasAlpha: Bool) {
    (self.hues, self.hasAlpha) = (hues, hasAlpha)
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (width, alpha) = (output.width, hasAlpha ? planes.upperBound - 1 : nil)
    guard planes.count - (hasAlpha ? 1 : 0) == 3 else {
      // Gray has no hue.
      for y in output.rows {
        for plane in planes {
          output.row(y, plane: plane).update(from: input.row(y, plane: plane), count: width)
        }
      }
      return
    }
    free.with({
      ChromaRows(hues, width: width, first: planes.lowerBound, alpha: alpha)
    }) { rows in
      rows.reset()
      for y in output.rows {
        let (u, v) = rows.smoothed(y, input)
        let colors = (0..<3).map { output.row(y, plane: planes.lowerBound + $0) }
        var sources = (0..<3).map { input.row(y, plane: planes.lowerBound + $0) }
        if let alpha {
          for (source, color) in zip(sources, colors) {
            pe_divide(source, input.row(y, plane: alpha), width, color)
          }
          sources = colors.map { UnsafePointer($0) }
        }
        var run = pe_pixel_run(
          r: sources[0], g: sources[1], b: sources[2], count: width, x: colors[0], y: colors[1],
          z: colors[2], column: 0, row: y)
        pe_smoothed_hues(&run, rows.map.how, u, v)
        if let alpha {
          let shares = input.row(y, plane: alpha)
          for color in colors { pe_multiply(color, shares, width, color) }
          output.row(y, plane: alpha).update(from: shares, count: width)
        }
      }
    }
  }
}

/// Rows of the smoothed opponent axes of Oklab, computed while moving down the image.
private final class ChromaRows {
  /// The values stored for each row.
  private enum Quantity: Int {
    /// The opponent axes.
    case u, v
    /// The lines fitted to the window around each pixel.
    case slope, offsetU, offsetV
    /// Only for images with alpha: the axes multiplied by alpha, and alpha itself.
    case productU, productV, alpha

    static func count(hasAlpha: Bool) -> Int { hasAlpha ? 8 : 5 }
  }

  private static let edge = EdgeMode.mirror
  /// The weights of the cube roots of cone responses in both axes, and a bias of 0.
  private static let axes = SmoothedHues.opponentAxes.map { $0.map { Float($0) } + [0] }

  /// The adjustment, whose kernel gets the smoothed axes, too.
  let map: RowMap
  private let constants = RowConstants()
  /// The first plane of the color, and the plane of alpha.
  private let first: Int
  private let alpha: Int?
  private let rows: WindowRows<Quantity>
  /// The sums of both axes and of the square of each.
  private let sums: [BoxSums]
  private let alphas: BoxSums
  /// The sums of the slope and of both offsets.
  private let sumsOfLines: [BoxSums]
  private let alphasOfLines: BoxSums

  init(_ hues: SmoothedHues, width: Int, first: Int, alpha: Int?) {
    map = RowMap(hues.map, firstColumn: 0, constants)
    let radius = hues.radius
    (self.first, self.alpha) = (first, alpha)
    rows = WindowRows(
      of: Quantity.count(hasAlpha: alpha != nil), spares: 5, radius: radius, width: width)
    let make = { (_: Int) in BoxSums(width: width, radius: radius, edge: Self.edge) }
    (sums, sumsOfLines) = ((0..<4).map(make), (0..<3).map(make))
    (alphas, alphasOfLines) = (make(0), make(0))
  }

  /// Discards the stored rows, so that the next row can be anywhere.
  func reset() {
    rows.reset()
    for sums in sums + sumsOfLines + [alphas, alphasOfLines] { sums.reset() }
  }

  /// Returns the smoothed axes of a row; valid until the next row is requested.
  func smoothed(
    _ y: Int, _ input: PlaneRows
  ) -> (u: UnsafePointer<Float>, v: UnsafePointer<Float>) {
    for k in y - rows.radius...y + rows.radius { computeLines(k, input) }
    let weight = alpha == nil ? nil : rows.read(.alpha)
    for (sums, quantity) in zip(sumsOfLines, [Quantity.slope, .offsetU, .offsetV]) {
      sums.move(to: y, rows.read(quantity), times: weight)
    }
    if weight != nil { alphasOfLines.move(to: y, rows.read(.alpha)) }
    let totals = weight == nil ? nil : alphasOfLines.first
    for (index, sums) in sumsOfLines.enumerated() {
      pe_box_means(sums.first, totals, rows.width, rows.radius, rows.share, rows.spare(index))
    }
    pe_guided_base(rows.row(.u, y), rows.spare(0), rows.spare(1), rows.width, rows.spare(3))
    pe_guided_base(rows.row(.v, y), rows.spare(0), rows.spare(2), rows.width, rows.spare(4))
    return (UnsafePointer(rows.spare(3)), UnsafePointer(rows.spare(4)))
  }

  /// Computes the lines of a row; outside the edge, mirrored windows give the lines of the mirrored
  /// row.
  private func computeLines(_ y: Int, _ input: PlaneRows) {
    guard rows.insert(.slope, y) else { return }
    for k in y - rows.radius...y + rows.radius { computeAxes(k, input) }
    let hasAlpha = alpha != nil
    let axes: [(product: Quantity, value: Quantity)] = [
      (hasAlpha ? .productU : .u, .u), (hasAlpha ? .productV : .v, .v),
    ]
    for (index, axis) in axes.enumerated() {
      sums[index].move(to: y, rows.read(axis.product))
      sums[index + 2].move(to: y, rows.read(axis.product), times: rows.read(axis.value))
    }
    if hasAlpha { alphas.move(to: y, rows.read(.alpha)) }
    let all: [UnsafePointer<Double>?] = sums.map(\.first)
    pe_chroma_lines(
      all, hasAlpha ? alphas.first : nil, rows.width, rows.radius, rows.share, SmoothedHues.epsilon,
      rows.row(.slope, y), rows.row(.offsetU, y), rows.row(.offsetV, y))
  }

  private func computeAxes(_ y: Int, _ input: PlaneRows) {
    guard rows.insert(.u, y) else { return }
    let source = Self.edge.position(y, count: input.size.height)
    let values: [(target: Quantity, product: Quantity)] = [(.u, .productU), (.v, .productV)]
    for (weights, value) in zip(Self.axes, values) {
      let target = rows.row(alpha == nil ? value.target : value.product, y)
      pe_weighted_sum(
        input.row(source, plane: first), input.row(source, plane: first + 1),
        input.row(source, plane: first + 2), rows.width, weights, target)
      if let alpha {
        rows.row(.alpha, y).update(from: input.row(source, plane: alpha), count: rows.width)
        pe_divide(target, rows.row(.alpha, y), rows.width, rows.row(value.target, y))
      }
    }
  }
}
