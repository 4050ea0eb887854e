// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension RowCompiler {
  /// Compiles a curve on one plane; a run of scaling and clamping becomes one pass.
  mutating func compile(_ curve: ToneCurve, on index: Int) {
    var steps = Self.merged(curve.steps)[...]
    while let step = steps.popFirst() {
      let source = values[index]
      let target = writable(index)
      func append(
        _ operation: RowInstruction.Operation, _ number: Double = 0,
        constants: UnsafeRawPointer? = nil
      ) {
        self.append(
          RowInstruction(
            operation, from: [source], to: [target], SIMD4(Float(number), 0, 0, 0),
            constants: constants))
      }
      switch step {
      case .affine(let scale, let offset):
        var numbers = SIMD4(Float(scale), Float(offset), 0, 0)
        var operation = RowInstruction.Operation.affine
        if case .clamp(let range)? = steps.first {
          operation = .affineClamp
          numbers[2] = Float(range.lowerBound)
          numbers[3] = Float(range.upperBound)
          steps.removeFirst()
        }
        self.append(RowInstruction(operation, from: [source], to: [target], numbers))
      case .clamp(let range):
        let numbers = SIMD4(Float(range.lowerBound), Float(range.upperBound), 0, 0)
        self.append(RowInstruction(.clamp, from: [source], to: [target], numbers))
      case .decode: append(.decode)
      case .encode: append(.encode)
      case .hyperbolic: append(.hyperbolic)
      case .power(let exponent): append(.power, exponent)
      case .powerAboveZero(let exponent): append(.powerAboveZero, exponent)
      case .threshold(let level): append(.threshold, level)
      case .solarize(let level): append(.solarize, level)
      case .quantize(let steps): append(.quantize, steps)
      case .spline(let spline):
        append(.spline, constants: UnsafeRawPointer(constants.curve(spline)))
      case .parabolas(let parabolas):
        append(.parabolas, constants: UnsafeRawPointer(constants.curve(parabolas)))
      case .polynomial(let coefficients):
        append(
          .polynomial, constants: UnsafeRawPointer(constants.store(coefficients.map { Float($0) })))
      case .table(let table):
        append(.lookup, constants: UnsafeRawPointer(constants.table(table)))
      case .transfer(.parametric(let curve)) where curve.isPower: append(.power, curve.g)
      case .inverseTransfer(.parametric(let curve)) where curve.isPower: append(.power, 1 / curve.g)
      case .transfer(.parametric(let curve)):
        append(.twoPieces, constants: UnsafeRawPointer(constants.curve(curve)))
      case .inverseTransfer(.parametric(let curve)):
        append(.twoPieces, constants: UnsafeRawPointer(constants.inverse(of: curve)))
      case .transfer(.sampled(let curve)):
        append(.lookup, constants: UnsafeRawPointer(constants.table(curve)))
      case .inverseTransfer(.sampled(let curve)):
        append(.inverseLookup, constants: UnsafeRawPointer(constants.table(curve)))
      }
    }
  }

  /// Merges neighboring scalings in double precision: one rounding instead of two.
  private static func merged(_ steps: [ToneCurve.Step]) -> [ToneCurve.Step] {
    steps.reduce(into: []) { merged, step in
      if case .affine(let scale, let offset) = step,
        case .affine(let scale0, let offset0)? = merged.last,
        Float(scale * scale0).isFinite, Float(scale * offset0 + offset).isFinite
      {
        merged[merged.count - 1] = .affine(
          scale: scale * scale0, offset: scale * offset0 + offset)
      } else {
        merged.append(step)
      }
    }
  }
}
