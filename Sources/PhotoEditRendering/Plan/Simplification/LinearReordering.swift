// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// The same recipe with linear steps in the order that costs least.
  ///
  /// Sums of neighbours and sums of channels may change places: shrinking comes before matrices,
  /// and a matrix that leaves one channel of three comes before blurs and resamplings. With alpha
  /// they do not, for colours are weighted by it there.
  ///
  /// - Parameter source: Size of the picture before the first operation.
  func withLinearStepsReordered(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    var sizes = [source]
    for operation in self {
      var index = result.count
      switch operation {
      case .matrix(let matrix) where matrix.givesGray:
        // It passes a cut only to reach what lies in front of it.
        for place in result.indices.reversed() {
          let passed = result[place]
          if passed.planned.mixesNeighbors { index = place } else if !passed.isCut { break }
        }
      // The whole sizes count, so that a cut does not change the order of steps.
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
  fileprivate var isCut: Bool {
    if case .crop = self { true } else { false }
  }
}

extension PixelSize {
  fileprivate func isSmaller(than other: PixelSize) -> Bool {
    self != other && width <= other.width && height <= other.height
  }
}
