// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// Merges neighboring color steps into as few as possible and drops those without effect.
///
/// A straight line is a matrix, so the steps between two matrices often merge them into one; the
/// results are equal up to the rounding of floats.
struct ColorFusion {
  private(set) var operations: [FilterOperation] = []
  /// Indicates for each operation whether its result has no color, regardless of the number of
  /// planes.
  private var grays: [Bool] = []
  private let startsGray: Bool
  var hasAlpha: Bool
  var savedImages = 0

  init(isGray: Bool, hasAlpha: Bool) {
    startsGray = isGray
    self.hasAlpha = hasAlpha
  }

  /// Indicates whether the image has no color after the last operation.
  var isGray: Bool { grays.last ?? startsGray }

  mutating func add(_ operation: FilterOperation) { operation.planned.fuse(into: &self) }

  mutating func append(_ operation: FilterOperation, isGray: Bool) {
    operations.append(operation)
    grays.append(isGray)
  }

  mutating func removeLast() {
    operations.removeLast()
    grays.removeLast()
  }

  /// Adds simplified curves.
  mutating func add(_ curves: ChannelCurves) {
    if curves.isIdentity { return }
    guard case .curves(let before)? = operations.last else { return append(curves) }
    removeLast()
    add(before.followed(by: curves).simplified)
  }

  private mutating func append(_ curves: ChannelCurves) {
    append(.curves(curves), isGray: isGray && curves.isUniform)
  }

  mutating func add(_ matrix: ColorTransform) {
    if matrix == .identity { return }
    if isGray, let (scale, offset) = matrix.onGray {
      return add(ChannelCurves(ToneCurve([.affine(scale: scale, offset: offset)])).simplified)
    }
    switch operations.last {
    case .matrix(let before)?:
      removeLast()
      add(before.followed(by: matrix))
    case .curves(let before)?:
      let (rest, line) = before.splitAtEnd
      guard line != .identity else { return append(matrix) }
      removeLast()
      if !rest.isIdentity { append(rest) }
      add(line.followed(by: matrix))
    default: append(matrix)
    }
  }

  private mutating func append(_ matrix: ColorTransform) {
    append(.matrix(matrix), isGray: matrix.producesGray && savedImages == 0)
  }

  /// Drops the copy if the steps since then can be mixed with it in advance; returns whether it
  /// did.
  mutating func closeBlock(_ opacity: Double) -> Bool {
    if case .save? = operations.last {
      removeLast()
      return true
    }
    guard !hasAlpha, operations.count >= 2, case .save = operations[operations.count - 2] else {
      return false
    }
    let change: FilterOperation
    switch operations[operations.count - 1] {
    case .matrix(let matrix) where !grays[grays.count - 2]:
      change = .matrix(matrix.scaled(by: opacity))
    case .curves(let curves):
      guard let matrix = curves.matrix?.scaled(by: opacity) else { return false }
      let lines = (0..<3).map {
        ToneCurve([.affine(scale: matrix.rows[$0][$0], offset: matrix.bias[$0])])
      }
      change = .curves(ChannelCurves(red: lines[0], green: lines[1], blue: lines[2]))
    default: return false
    }
    removeLast()
    removeLast()
    add(change)
    return true
  }
}
