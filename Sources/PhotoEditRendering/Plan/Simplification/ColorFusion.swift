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

extension ToneCurve {
  /// The same curve with as few steps as arithmetic allows.
  var simplified: ToneCurve {
    var short: [Step] = []
    for step in steps { Self.append(step, to: &short) }
    return ToneCurve(short)
  }

  private static func append(_ step: Step, to steps: inout [Step]) {
    if step.isIdentity { return }
    guard let last = steps.last, let joined = last.joined(with: step) else {
      return steps.append(step)
    }
    steps.removeLast()
    for step in joined { append(step, to: &steps) }
  }

  /// The scale and offset if the curve is a straight line everywhere; expects a simplified curve.
  var line: (scale: Double, offset: Double)? {
    if steps.isEmpty { return (1, 0) }
    guard steps.count == 1, case .affine(let scale, let offset) = steps[0] else { return nil }
    return (scale, offset)
  }
}

extension ToneCurve.Step {
  fileprivate var isIdentity: Bool {
    switch self {
    case .affine(let scale, let offset): scale == 1 && offset == 0
    case .power(let exponent), .powerAboveZero(let exponent): exponent == 1
    case .polynomial(let coefficients): coefficients == [0, 1, 0, 0]
    case .clamp, .decode, .encode, .spline, .hyperbolic, .threshold, .solarize, .quantize,
      .parabolas, .table, .transfer, .inverseTransfer:
      false
    }
  }

  /// Returns this step and the next one merged, or nil if they cannot be merged.
  fileprivate func joined(with next: ToneCurve.Step) -> [ToneCurve.Step]? {
    switch (self, next) {
    case (.decode, .encode), (.encode, .decode): return []
    case (.transfer(let first), .inverseTransfer(let second)) where first == second: return []
    case (.inverseTransfer(let first), .transfer(let second)) where first == second: return []
    case (.affine(let a, let b), .affine(let c, let d)):
      return [.affine(scale: c * a, offset: c * b + d)]
    case (.power(let first), .power(let second)): return [.power(first * second)]
    case (.clamp(let first), .clamp(let second)) where first.overlaps(second):
      return [.clamp(first.clamped(to: second))]
    default: return nil
    }
  }
}

extension ChannelCurves {
  /// The same curves, each with as few steps as possible.
  var simplified: ChannelCurves { map(\.simplified) }

  /// Indicates whether the curves change nothing; expects simplified curves.
  var isIdentity: Bool { channels.allSatisfy { $0.steps.isEmpty } }

  /// Returns these curves followed by others.
  func followed(by next: ChannelCurves) -> ChannelCurves {
    let joined = zip(channels, next.channels).map { $0.followed(by: $1) }
    return ChannelCurves(red: joined[0], green: joined[1], blue: joined[2])
  }

  /// The equivalent matrix; nil unless all curves are straight lines.
  var matrix: ColorTransform? {
    let lines = channels.compactMap(\.line)
    return lines.count == 3 ? ColorTransform(lines: lines) : nil
  }

  /// The straight line at the end of the curves, as a matrix, and the steps before it.
  var splitAtEnd: (rest: ChannelCurves, line: ColorTransform) {
    let tails = channels.map { ToneCurve(Array($0.steps.suffix(1))).line ?? (1, 0) }
    let rest = map { curve in
      ToneCurve(Array(curve.steps.suffix(1))).line == nil
        ? curve : ToneCurve(Array(curve.steps.dropLast()))
    }
    return (rest, ColorTransform(lines: tails))
  }

  private func map(_ change: (ToneCurve) -> ToneCurve) -> ChannelCurves {
    ChannelCurves(red: change(channels[0]), green: change(channels[1]), blue: change(channels[2]))
  }
}

extension ColorTransform {
  /// Creates the matrix that scales and offsets each channel independently.
  fileprivate init(lines: [(scale: Double, offset: Double)]) {
    self.init(
      rows: [[lines[0].scale, 0, 0], [0, lines[1].scale, 0], [0, 0, lines[2].scale]],
      bias: lines.map(\.offset))
  }
}
