// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Computes means of squares of pixels.
struct BoxBlurWorker: AreaWorker {
  let radius: Int
  private let free = ObjectPool<[BoxSums]>()

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let side = Double(2 * radius + 1)
    free.with({
      planes.map { _ in BoxSums(width: input.size.width, radius: radius, edge: .replicate) }
    }) { sums in
      for (plane, sums) in zip(planes, sums) {
        sums.reset()
        for y in output.rows {
          sums.move(to: y) { input.row($0, plane: plane) }
          pe_box_means(
            sums.first, nil, output.width, radius, 1 / (side * side), output.row(y, plane: plane))
        }
      }
    }
  }
}
