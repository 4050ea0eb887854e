// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// A radial gain in the form that the kernels expect.
struct RowGain {
  var law = pe_radial_gain()
  /// The column of the block where the processed image starts.
  var firstColumn: Int
  private var centerY: Double
  private var reachY: Double

  init(_ radialGain: RadialGain, firstColumn: Int) {
    self.firstColumn = firstColumn
    centerY = radialGain.center.y
    reachY = radialGain.reach.y
    law.center = radialGain.center.x
    law.reach = radialGain.reach.x
    law.gain = radialGain.amount
    switch radialGain.model {
    case .cosine(let angle): law.angle = angle * .pi / 180
    case .smooth(let inner, let outer): (law.inner, law.outer) = (inner, outer)
    case .inverse(let k): law.polynomial = (k.x, k.y, k.z)
    }
  }

  /// Returns the square of the distance of a row from the center.
  func square(y: Int) -> Double {
    let distance = (Double(y) + 0.5 - centerY) * reachY
    return distance * distance
  }
}
