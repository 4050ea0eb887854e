// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// Returns the same operations with linear steps in the cheapest order.
  ///
  /// Sums of neighbors and sums of channels are interchangeable: shrinking comes before matrices,
  /// and a matrix that keeps one channel of three comes before blurs and resamplings. With alpha,
  /// they are not, because colors are weighted by alpha.
  ///
  /// - Parameter source: The size of the image before the first operation.
  func withLinearStepsReordered(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    var sizes = [source]
    for operation in self {
      var index = result.count
      switch operation {
      case .matrix(let matrix) where matrix.producesGray:
        // It is moved before a crop only to reach the steps before the crop.
        for position in result.indices.reversed() {
          let passed = result[position]
          if passed.planned.mixesNeighbors { index = position } else if !passed.isCrop { break }
        }
      // Full sizes are compared, so that a crop does not change the order of steps.
      case .resample(let resampling)
      where resampling.size.isSmaller(than: resampling.window?.source ?? sizes[sizes.count - 1]):
        while index > 0, result[index - 1].planned.mayFollow(resampling) { index -= 1 }
      default: break
      }
      result.insert(operation, at: index)
      sizes.append(operation.outputSize(of: sizes[sizes.count - 1]))
    }
    return result
  }
}

extension FilterOperation {
  fileprivate var isCrop: Bool {
    if case .crop = self { true } else { false }
  }
}

extension PixelSize {
  fileprivate func isSmaller(than other: PixelSize) -> Bool {
    self != other && width <= other.width && height <= other.height
  }
}
