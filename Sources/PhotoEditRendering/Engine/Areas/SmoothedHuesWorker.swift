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
  private let radius: Int
  private let width: Int
  /// The first plane of the color, and the plane of alpha.
  private let first: Int
  private let alpha: Int?
  /// The number of buffered rows, as in `GuidedRows`.
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  /// The row held at each index of the buffers of axes and of lines; nil if empty.
  private var colors: [Int?] = []
  private var lines: [Int?] = []
  /// The sums of both axes and of the square of each.
  private let sums: [BoxSums]
  private let alphas: BoxSums
  /// The sums of the slope and of both offsets.
  private let sumsOfLines: [BoxSums]
  private let alphasOfLines: BoxSums

  init(_ hues: SmoothedHues, width: Int, first: Int, alpha: Int?) {
    map = RowMap(hues.map, firstColumn: 0, constants)
    let radius = hues.radius
    (self.radius, self.width, self.first, self.alpha) = (radius, width, first, alpha)
    capacity = 3 * radius + 3
    let count = (Quantity.count(hasAlpha: alpha != nil) * capacity + 5) * width
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    let make = { (_: Int) in BoxSums(width: width, radius: radius, edge: Self.edge) }
    (sums, sumsOfLines) = ((0..<4).map(make), (0..<3).map(make))
    (alphas, alphasOfLines) = (make(0), make(0))
  }

  deinit { memory.deallocate() }

  /// Discards the stored rows, so that the next row can be anywhere.
  func reset() {
    colors = Array(repeating: nil, count: capacity)
    lines = colors
    for sums in sums + sumsOfLines + [alphas, alphasOfLines] { sums.reset() }
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
    memory + (Quantity.count(hasAlpha: alpha != nil) * capacity + index) * width
  }

  private func read(_ quantity: Quantity) -> (Int) -> UnsafePointer<Float> {
    { UnsafePointer(self.row(quantity, $0)) }
  }

  /// Returns the smoothed axes of a row; valid until the next row is requested.
  func smoothed(
    _ y: Int, _ input: PlaneRows
  ) -> (u: UnsafePointer<Float>, v: UnsafePointer<Float>) {
    for k in y - radius...y + radius { computeLines(k, input) }
    let weight = alpha == nil ? nil : read(.alpha)
    for (sums, quantity) in zip(sumsOfLines, [Quantity.slope, .offsetU, .offsetV]) {
      sums.move(to: y, read(quantity), times: weight)
    }
    if weight != nil { alphasOfLines.move(to: y, read(.alpha)) }
    let totals = weight == nil ? nil : alphasOfLines.first
    for (index, sums) in sumsOfLines.enumerated() {
      pe_box_means(sums.first, totals, width, radius, share, spare(index))
    }
    pe_guided_base(row(.u, y), spare(0), spare(1), width, spare(3))
    pe_guided_base(row(.v, y), spare(0), spare(2), width, spare(4))
    return (UnsafePointer(spare(3)), UnsafePointer(spare(4)))
  }

  /// Computes the lines of a row; outside the edge, mirrored windows give the lines of the mirrored
  /// row.
  private func computeLines(_ y: Int, _ input: PlaneRows) {
    if lines[position(y)] == y { return }
    for k in y - radius...y + radius { computeAxes(k, input) }
    let hasAlpha = alpha != nil
    let axes: [(product: Quantity, value: Quantity)] = [
      (hasAlpha ? .productU : .u, .u), (hasAlpha ? .productV : .v, .v),
    ]
    for (index, axis) in axes.enumerated() {
      sums[index].move(to: y, read(axis.product))
      sums[index + 2].move(to: y, read(axis.product), times: read(axis.value))
    }
    if hasAlpha { alphas.move(to: y, read(.alpha)) }
    let all: [UnsafePointer<Double>?] = sums.map(\.first)
    pe_chroma_lines(
      all, hasAlpha ? alphas.first : nil, width, radius, share, SmoothedHues.epsilon,
      row(.slope, y), row(.offsetU, y), row(.offsetV, y))
    lines[position(y)] = y
  }

  private func computeAxes(_ y: Int, _ input: PlaneRows) {
    if colors[position(y)] == y { return }
    let source = Self.edge.position(y, count: input.size.height)
    let values: [(target: Quantity, product: Quantity)] = [(.u, .productU), (.v, .productV)]
    for (weights, value) in zip(Self.axes, values) {
      let target = row(alpha == nil ? value.target : value.product, y)
      pe_weighted_sum(
        input.row(source, plane: first), input.row(source, plane: first + 1),
        input.row(source, plane: first + 2), width, weights, target)
      if let alpha {
        row(.alpha, y).update(from: input.row(source, plane: alpha), count: width)
        pe_divide(target, row(.alpha, y), width, row(value.target, y))
      }
    }
    colors[position(y)] = y
  }
}
