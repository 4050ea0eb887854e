// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// Joins neighbouring colour steps into as few as possible and leaves out what does nothing.
///
/// A straight line is a matrix, so what lies between two matrices often makes them one; the results
/// are equal up to the rounding of floats.
struct ColorFusion {
  private(set) var operations: [FilterOperation] = []
  /// Whether the picture has no colour behind each operation, in however many planes.
  private var grays: [Bool] = []
  private let startsGray: Bool
  var hasAlpha: Bool
  var savedPictures = 0

  init(isGray: Bool, hasAlpha: Bool) {
    startsGray = isGray
    self.hasAlpha = hasAlpha
  }

  /// Whether the picture has no color behind the last operation.
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
    append(.matrix(matrix), isGray: matrix.givesGray && savedPictures == 0)
  }

  /// Does without the copy when what was done since can be mixed with it beforehand.
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
