// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// Returns the same operations with all rotations merged into one at the start, or after the
  /// last step that must precede a rotation.
  ///
  /// Rotating is exact, and it is cheapest on the decoder's bytes; the operations before a rotation
  /// are adapted to the rotated image instead.
  ///
  /// - Parameters:
  ///   - first: The orientation of the source, which is applied before anything else.
  ///   - stored: The size of the source as stored.
  func withRotationsFirst(after first: Orientation, stored: PixelSize) -> [FilterOperation] {
    var rotation = first
    var result: [FilterOperation] = []
    /// The operations after the last step that cannot be rotated, and the size of their input.
    var recent: [FilterOperation] = []
    var size = stored
    /// Copies that are not merged yet.
    var depth = 0
    var hasToWait = false
    func rotationFirst() -> [FilterOperation] {
      (rotation == .up ? [] : [.orient(rotation)]) + recent
    }
    for operation in self {
      guard case .orient(let next) = operation else {
        let planned = operation.planned
        recent.append(operation)
        depth += planned.copies
        hasToWait = hasToWait || !planned.canBeRotated
        // A copy is merged with the image derived from it before anything is rotated.
        if hasToWait && depth == 0 {
          hasToWait = false
          result += rotationFirst()
          size = recent.reduce(rotation.applied(to: size)) { $1.outputSize(of: $0) }
          rotation = .up
          recent = []
        }
        continue
      }
      var before = rotation.applied(to: size)
      for index in recent.indices {
        let after = recent[index].outputSize(of: before)
        recent[index] = recent[index].planned.rotated(by: next, from: before)
        before = after
      }
      rotation = rotation.followed(by: next)
    }
    return result + rotationFirst()
  }
}
