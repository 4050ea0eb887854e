// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

extension [FilterOperation] {
  /// The same recipe with all turns gathered into one at the beginning.
  ///
  /// Turning is exact, and cheapest on the bytes a decoder gives; everything that came before a
  /// turn is turned the other way round instead.
  ///
  /// - Parameters:
  ///   - first: How the source lies; it is turned upright before anything else.
  ///   - stored: Size of the source as it lies.
  func withTurnsFirst(after first: Orientation, stored: PixelSize) -> [FilterOperation] {
    var turn = first
    var result: [FilterOperation] = []
    for operation in self {
      guard case .orient(let next) = operation else {
        result.append(operation)
        continue
      }
      var size = turn.applied(to: stored)
      for index in result.indices {
        let before = size
        size = result[index].outputSize(of: size)
        result[index] = result[index].turned(by: next, size: before)
      }
      turn = turn.followed(by: next)
    }
    return (turn == .up ? [] : [.orient(turn)]) + result
  }
}

extension FilterOperation {
  /// The step that does to the turned picture what this one does to the picture.
  ///
  /// - Parameter size: Size of the picture before it is turned.
  func turned(by turn: Orientation, size: PixelSize) -> FilterOperation {
    let turned = turn.applied(to: size)
    switch self {
    case .crop(let region):
      return .crop(turn.inverse.storedRegion(region, stored: turned))
    case .resample(let resampling):
      return .resample(resampling.turned(by: turn))
    case .shade(let shade):
      return .shade(shade.turned(by: turn, size: size))
    case .curves, .matrix, .extremum, .orient, .blur, .save, .sharpen, .mix:
      return self
    }
  }
}
