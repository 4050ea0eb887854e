// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// Computes each row of each plane from the few rows around it.
struct WindowWorker: AreaWorker {
  private enum Kernel: Sendable {
    /// The median of 3×3 or 5×5 samples.
    case median
    /// Alpha is unchanged.
    case gradient(pe_gradient, scale: Float)
    /// Alpha is unchanged if there are no taps for it.
    case correlation([pe_tap], alpha: [pe_tap]?, bias: Float)
  }

  private let kernel: Kernel
  private let reach: Int
  private let hasAlpha: Bool
  private let free = ObjectPool<NeighborRows>()

  /// Creates a worker for medians of radius 1 or 2.
  init(medianOfRadius radius: Int) {
    kernel = .median
    reach = radius
    hasAlpha = false
  }

  init(_ gradient: Gradient, hasAlpha: Bool) {
    let part =
      switch gradient.part {
      case .magnitude: PE_GRADIENT_MAGNITUDE
      case .x: PE_GRADIENT_X
      case .y: PE_GRADIENT_Y
      }
    kernel = .gradient(part, scale: Float(gradient.scale))
    reach = 1
    self.hasAlpha = hasAlpha
  }

  init(_ correlation: Correlation, hasAlpha: Bool) {
    let sum = correlation.sum
    kernel = .correlation(
      correlation.taps(scale: 1), alpha: sum == 0 ? nil : correlation.taps(scale: 1 / sum),
      bias: Float(correlation.bias))
    reach = correlation.reach
    self.hasAlpha = hasAlpha
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    free.with({ NeighborRows(width: output.width, planes: planes, margin: reach) }) { neighbors in
      neighbors.reset(capacity: 2 * reach + 1)
      for y in output.rows {
        neighbors.with(y - reach..<y + reach + 1, of: input) { rows in
          let rows = rows + reach
          for (index, plane) in planes.enumerated() {
            let first = index * neighbors.planeStride
            let target = output.row(y, plane: plane)
            if !hasAlpha {
              filter(rows, first, target, output.width)
            } else if index < planes.count - 1 {
              let alpha = (planes.count - 1) * neighbors.planeStride
              filterVisible(rows, first, alpha: alpha, target, output.width)
            } else {
              filterAlpha(rows, first, target, output.width)
            }
          }
        }
        if case .correlation(_, .some, _) = kernel, hasAlpha { limitAlpha(y, output, planes) }
      }
    }
  }

  private typealias Rows = UnsafePointer<UnsafePointer<Float>?>

  private func filter(
    _ rows: Rows, _ first: Int, _ out: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    switch kernel {
    case .median where reach == 1: pe_median_3(rows, first, width, out)
    case .median: pe_median_5(rows, first, width, out)
    case .gradient(let part, let scale): pe_sobel(rows, first, width, part, scale, out)
    case .correlation(let taps, _, let bias):
      pe_correlate(rows, first, width, taps, taps.count, bias, out)
    }
  }

  private func filterAlpha(
    _ rows: Rows, _ first: Int, _ out: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    if case .correlation(_, let taps?, _) = kernel {
      return pe_correlate(rows, first, width, taps, taps.count, 0, out)
    }
    guard let row = rows[0] else { return }
    out.update(from: row + first, count: width)
  }

  /// Clamps filtered alpha, whose weights can be negative, to 0…1; unpremultiplied colors are
  /// unchanged.
  private func limitAlpha(_ y: Int, _ output: PlaneStrip, _ planes: Range<Int>) {
    let alpha = output.row(y, plane: planes.upperBound - 1)
    for plane in planes.dropLast() {
      let row = output.row(y, plane: plane)
      for x in 0..<output.width {
        row[x] = alpha[x] > 1 ? row[x] / alpha[x] : alpha[x] > 0 ? row[x] : 0
      }
    }
    pe_clamp(alpha, output.width, 0, 1, alpha)
  }

  /// Computes a row of a color premultiplied by alpha.
  ///
  /// Weights that sum to zero compare neighbors with the pixel itself: to the extent that a
  /// neighbor is transparent, the pixel's own color c is used for it, which subtracts c times the
  /// filtered alpha.
  private func filterVisible(
    _ rows: Rows, _ first: Int, alpha: Int, _ out: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    guard let center = rows[0] else { return }
    func combine(_ make: (Int, UnsafeMutablePointer<Float>) -> Void) {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { hidden in
        guard let hidden = hidden.baseAddress else { return }
        make(first, out)
        make(alpha, hidden)
        for x in 0..<width {
          let own = center[alpha + x]
          out[x] -= own > 0 ? center[first + x] / own * hidden[x] : out[x]
        }
      }
    }
    func addBias(_ bias: Float, _ alphas: UnsafePointer<Float>) {
      for x in 0..<width { out[x] = out[x] + bias * alphas[x] }
    }
    func multiply() { pe_multiply(out, center + alpha, width, out) }
    switch kernel {
    case .median: filter(rows, first, out, width)
    case .gradient(let part, let scale) where part != PE_GRADIENT_MAGNITUDE:
      combine { pe_sobel(rows, $0, width, part, scale, $1) }
      multiply()
    case .gradient(_, let scale):
      combine { pe_sobel(rows, $0, width, PE_GRADIENT_Y, scale, $1) }
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { down in
        for x in 0..<width { down[x] = out[x] }
        combine { pe_sobel(rows, $0, width, PE_GRADIENT_X, scale, $1) }
        for x in 0..<width { out[x] = (out[x] * out[x] + down[x] * down[x]).squareRoot() }
      }
      multiply()
    case .correlation(let taps, nil, let bias):
      combine { pe_correlate(rows, $0, width, taps, taps.count, 0, $1) }
      multiply()
      addBias(bias, center + alpha)
    case .correlation(let taps, let alphaTaps?, let bias):
      pe_correlate(rows, first, width, taps, taps.count, 0, out)
      if bias != 0 {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { alphas in
          guard let alphas = alphas.baseAddress else { return }
          pe_correlate(rows, alpha, width, alphaTaps, alphaTaps.count, 0, alphas)
          addBias(bias, alphas)
        }
      }
    }
  }
}

extension Correlation {
  /// Returns the nonzero weights.
  fileprivate func taps(scale: Double) -> [pe_tap] {
    (-reach...reach).flatMap { row in
      (-reach...reach).compactMap { column -> pe_tap? in
        let weight = weight(column: column, row: row)
        if weight == 0 { return nil }
        return pe_tap(row: Int32(row), column: Int32(column), weight: Float(weight * scale))
      }
    }
  }
}
