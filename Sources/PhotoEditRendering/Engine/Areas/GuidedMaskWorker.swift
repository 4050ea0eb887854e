// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// Filters the saved mask with the current image, of one plane, as its guide.
struct GuidedMaskWorker: AreaWorker {
  private let filter: GuidedMask
  private let free = ObjectPool<GuidedRows>()

  init(_ filter: GuidedMask) { self.filter = filter }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (width, mask) = (output.width, planes.lowerBound - 1)
    precondition(planes.count == 1 && mask >= 0, "a mask and its guide have one plane each")
    free.with({
      GuidedRows(
        radius: filter.radius, epsilon: GuidedMask.epsilon, width: width, planes: planes,
        hasAlpha: false
      ) { y, input, target in
        target.update(from: input.row(y, plane: mask), count: width)
      }
    }) { rows in
      rows.reset()
      for y in output.rows {
        let (_, filtered, _) = rows.lumaAndResult(of: y, input)
        output.row(y, plane: planes.lowerBound).update(from: filtered, count: width)
      }
    }
  }
}
