// SPDX-License-Identifier: Apache-2.0
import Filters

extension RowCompiler {
  /// A curve on one plane; runs of scaling and cutting become one pass.
  mutating func compile(_ curve: ToneCurve, on index: Int) {
    var steps = Self.merged(curve.steps)[...]
    while let step = steps.popFirst() {
      let source = values[index]
      let target = writable(index)
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
        append(RowInstruction(operation, from: [source], to: [target], numbers))
      case .clamp(let range):
        let numbers = SIMD4(Float(range.lowerBound), Float(range.upperBound), 0, 0)
        append(RowInstruction(.clamp, from: [source], to: [target], numbers))
      case .power(let exponent):
        append(
          RowInstruction(.power, from: [source], to: [target], SIMD4(Float(exponent), 0, 0, 0)))
      case .decode: append(RowInstruction(.decode, from: [source], to: [target]))
      case .encode: append(RowInstruction(.encode, from: [source], to: [target]))
      case .spline(let spline):
        append(
          RowInstruction(
            .spline, from: [source], to: [target],
            constants: UnsafeRawPointer(constants.curve(spline))))
      }
    }
  }

  /// Neighbouring scalings as one, worked out in double precision: one rounding instead of two.
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
