// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

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
        let planned = operation.planned
        recent.append(operation)
        depth += planned.copies
        hasToWait = hasToWait || !planned.canBeTurned
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
        recent[index] = recent[index].planned.turned(by: next, from: before)
        before = after
      }
      turn = turn.followed(by: next)
    }
    return result + turnFirst()
  }
}
