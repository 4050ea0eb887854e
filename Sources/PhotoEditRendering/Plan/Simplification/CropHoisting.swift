// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// Returns the same operations with every crop as early as possible; the remaining samples stay
  /// bit-identical.
  ///
  /// A blur keeps the neighbors it needs, and a second crop after it removes them; a resampling
  /// computes only the requested window.
  ///
  /// - Parameter source: The size of the image before the first operation.
  func withCropsFirst(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    /// The size of the image before each operation of the result, and after the last.
    var sizes = [source]
    for operation in self {
      if case .crop(let region) = operation {
        result.insert(cropTo: region, sizes: sizes)
        sizes = result.reduce(into: [source]) { $0.append($1.outputSize(of: $0[$0.count - 1])) }
      } else {
        result.append(operation)
        sizes.append(operation.outputSize(of: sizes[sizes.count - 1]))
      }
    }
    return result
  }

  private mutating func insert(cropTo requested: Region, sizes: [PixelSize]) {
    var region = requested
    var index = count
    while region != Region(sizes[index]) {
      guard index > 0,
        let cropped = self[index - 1].planned.cropped(to: region, from: sizes[index - 1])
      else { return insert(.crop(region), at: index) }
      if let rest = cropped.rest { insert(.crop(rest), at: index) }
      index -= 1
      if let step = cropped.step { self[index] = step } else { remove(at: index) }
      region = cropped.region
    }
  }
}
