// SPDX-License-Identifier: Apache-2.0

extension MonotoneSpline {
  /// The line between two points as Σ coefficients[k]·tᵏ, with t from 0 at the first to 1.
  package struct Cubic {
    package let start: Double
    package let end: Double
    /// Four of them.
    package let coefficients: [Double]
  }

  /// The pieces between the points, in order.
  package var cubics: [Cubic] {
    (1..<xs.count).map { right in
      let i = right - 1
      let (y0, y1) = (ys[i], ys[right])
      var coefficients = [y0, y1 - y0, 0, 0]
      if !isLinear {
        let h = xs[right] - xs[i]
        let (d0, d1) = (h * slopes[i], h * slopes[right])
        coefficients = [y0, d0, 3 * (y1 - y0) - 2 * d0 - d1, 2 * (y0 - y1) + d0 + d1]
      }
      return Cubic(start: xs[i], end: xs[right], coefficients: coefficients)
    }
  }

  /// Where the line begins; it is flat before.
  package var firstPoint: (x: Double, y: Double) { (xs[0], ys[0]) }
  /// Where the line ends; it is flat behind.
  package var lastPoint: (x: Double, y: Double) { (xs[xs.count - 1], ys[ys.count - 1]) }
}
