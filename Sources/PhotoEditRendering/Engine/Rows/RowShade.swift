// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// A radial gain in the form that the kernels take.
struct RowShade {
  var law = pe_shade()
  /// The column of the block where the processed image starts.
  var firstColumn: Int
  private var centerY: Double
  private var reachY: Double

  init(_ shade: Shade, firstColumn: Int) {
    self.firstColumn = firstColumn
    centerY = shade.center.y
    reachY = shade.reach.y
    law.center = shade.center.x
    law.reach = shade.reach.x
    law.gain = shade.amount
    switch shade.model {
    case .cosine(let angle): law.angle = angle * .pi / 180
    case .smooth(let inner, let outer): (law.inner, law.outer) = (inner, outer)
    }
  }

  /// Returns the square of the distance of a row from the center.
  func square(y: Int) -> Double {
    let distance = (Double(y) + 0.5 - centerY) * reachY
    return distance * distance
  }
}
