// SPDX-License-Identifier: Apache-2.0
import Filters

/// Joins neighbouring colour steps into as few as possible and leaves out what does nothing.
///
/// A straight line is a matrix, so what lies between two matrices often makes them one; the results
/// are equal up to the rounding of floats.
struct ColorFusion {
  /// What is known of the picture at some place.
  private enum Tint {
    case gray
    case color
    /// A saved copy decides, which is known only when the plan is laid out.
    case unknown
  }

  private(set) var operations: [FilterOperation] = []
  /// What is known behind each operation.
  private var tints: [Tint] = []
  private let start: Tint
  private let hasAlpha: Bool
  private var savedPictures = 0

  init(isGray: Bool, hasAlpha: Bool) {
    start = isGray ? .gray : .color
    self.hasAlpha = hasAlpha
  }

  private var tint: Tint { tints.last ?? start }

  mutating func add(_ operation: FilterOperation) {
    switch operation {
    case .curves(let curves): add(curves.simplified)
    case .matrix(let matrix): add(matrix)
    case .extremum:
      if tint != .gray { append(operation, savedPictures == 0 ? .gray : tint) }
    case .save:
      append(.save, tint == .gray ? .unknown : tint)
      savedPictures += 1
    case .mix(let opacity):
      savedPictures -= 1
      if !closeBlock(opacity) { append(operation, tint) }
    case .sharpen:
      savedPictures -= 1
      // Nothing lies between: the difference to be added is zero.
      if case .save? = operations.last { removeLast() } else { append(operation, tint) }
    case .shade, .orient, .crop, .resample, .blur: append(operation, tint)
    }
  }

  private mutating func append(_ operation: FilterOperation, _ tint: Tint) {
    operations.append(operation)
    tints.append(tint)
  }

  private mutating func removeLast() {
    operations.removeLast()
    tints.removeLast()
  }

  private mutating func add(_ curves: ChannelCurves) {
    if curves.isIdentity { return }
    switch operations.last {
    case .curves(let before)?:
      removeLast()
      add(before.followed(by: curves).simplified)
    default: append(curves)
    }
  }

  private mutating func append(_ curves: ChannelCurves) {
    append(.curves(curves), tint == .gray && !curves.isUniform ? .color : tint)
  }

  private mutating func add(_ matrix: ColorTransform) {
    if matrix == .identity { return }
    switch tint {
    case .unknown: append(.matrix(matrix), .unknown)
    case .gray:
      guard let (scale, offset) = matrix.onGray else { return append(.matrix(matrix), .color) }
      add(ChannelCurves(ToneCurve([.affine(scale: scale, offset: offset)])).simplified)
    case .color:
      switch operations.last {
      case .matrix(let before)?:
        removeLast()
        add(before.followed(by: matrix))
      case .curves(let before)?:
        let (rest, line) = before.splitAtEnd
        if line == .identity { return appendMatrix(matrix) }
        removeLast()
        guard tint == .color else {
          append(before)
          return appendMatrix(matrix)
        }
        if !rest.isIdentity { append(rest) }
        add(line.followed(by: matrix))
      default: appendMatrix(matrix)
      }
    }
  }

  private mutating func appendMatrix(_ matrix: ColorTransform) {
    if matrix == .identity { return }
    append(.matrix(matrix), matrix.givesGray && savedPictures == 0 ? .gray : .color)
  }

  /// Does without the copy when what was done since can be mixed with it beforehand.
  private mutating func closeBlock(_ opacity: Double) -> Bool {
    if case .save? = operations.last {
      removeLast()
      return true
    }
    guard !hasAlpha, operations.count >= 2, case .save = operations[operations.count - 2] else {
      return false
    }
    let change: FilterOperation
    switch operations[operations.count - 1] {
    case .matrix(let matrix) where tints[tints.count - 2] == .color:
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
