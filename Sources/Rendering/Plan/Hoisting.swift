// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

extension [FilterOperation] {
  /// The same recipe with all turns gathered into one at the beginning, or behind the last step
  /// that a turn has to wait for.
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
    /// What lies behind the last step that cannot be turned, and the size of what it works on.
    var recent: [FilterOperation] = []
    var size = stored
    /// Copies that are not merged yet.
    var depth = 0
    var hasToWait = false
    func turnFirst() -> [FilterOperation] { (turn == .up ? [] : [.orient(turn)]) + recent }
    for operation in self {
      guard case .orient(let next) = operation else {
        recent.append(operation)
        depth += operation.copies
        hasToWait = hasToWait || !operation.canBeTurned
        // A copy is merged with what was made of it before anything turns.
        if hasToWait && depth == 0 {
          hasToWait = false
          result += turnFirst()
          size = recent.reduce(turn.applied(to: size)) { $1.outputSize(of: $0) }
          turn = .up
          recent = []
        }
        continue
      }
      var before = turn.applied(to: size)
      for index in recent.indices {
        let after = recent[index].outputSize(of: before)
        recent[index] = recent[index].turned(by: next, size: before)
        before = after
      }
      turn = turn.followed(by: next)
    }
    return result + turnFirst()
  }
}

extension FilterOperation {
  /// Copies that the step keeps, or merges where it is below zero.
  fileprivate var copies: Int {
    switch self {
    case .save: 1
    case .mix, .sharpen: -1
    case .merge(let merge): merge.above == .top ? -1 : 0
    default: 0
    }
  }

  /// Whether a turn may come before this step.
  fileprivate var canBeTurned: Bool {
    switch self {
    case .map(let map): !map.dependsOnPlace
    case .area(let area): area.turned(by: .right) != nil
    case .merge(let merge): merge.parts.isEmpty
    case .layer, .adapt: false
    default: true
    }
  }

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
    case .area(let area): return .area(area.turned(by: turn) ?? area)
    case .curves, .matrix, .map, .extremum, .orient, .blur, .save, .sharpen, .mix, .fade, .merge,
      .layer,
      .adapt:
      return self
    }
  }
}
