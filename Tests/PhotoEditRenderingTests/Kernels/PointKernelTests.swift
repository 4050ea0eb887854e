// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import Testing

/// A point kernel and the same function written out for one pixel, with the same rounding.
struct PointKernel: CustomTestStringConvertible, Sendable {
  typealias Run =
    @Sendable (
      pe_kernel_table, [UnsafePointer<Float>], Int, [UnsafeMutablePointer<Float>]
    ) -> Void

  let testDescription: String
  let inputs: Int
  let outputs: Int
  let run: Run
  let twin: @Sendable ([Float]) -> [Float]

  init(
    _ name: String, inputs: Int = 1, outputs: Int = 1, run: @escaping Run,
    twin: @escaping @Sendable ([Float]) -> [Float]
  ) {
    testDescription = name
    self.inputs = inputs
    self.outputs = outputs
    self.run = run
    self.twin = twin
  }

  private static func clamped(_ v: Float, _ low: Float, _ high: Float) -> Float {
    let raised = v > low ? v : low
    return raised < high ? raised : high
  }

  private static let matrix: [Float] = [1.2, -0.3, 0.1, 0.05, 0.2, 0.7, -0.4, 0, 3, 2, -4, -0.1]

  private static func sum(_ row: Int, _ v: [Float]) -> Float {
    let m = matrix[(4 * row)...]
    let i = m.startIndex
    return m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2] + m[i + 3]
  }

  private static func mixed(_ a: Float, _ b: Float) -> Float { a * (1 - 0.3) + b * 0.3 }

  static let all: [PointKernel] = [
    PointKernel("affine") {
      $0.affine($1[0], $2, 1.7, -0.2, $3[0])
    } twin: {
      [1.7 * $0[0] + -0.2]
    },
    PointKernel("clamp") {
      $0.clamp($1[0], $2, 0.1, 0.9, $3[0])
    } twin: {
      [clamped($0[0], 0.1, 0.9)]
    },
    PointKernel("affine and clamp") {
      $0.affine_clamp($1[0], $2, 1.7, -0.2, 0, 1, $3[0])
    } twin: {
      [clamped(1.7 * $0[0] + -0.2, 0, 1)]
    },
    PointKernel("threshold") {
      $0.threshold($1[0], $2, 0.5, $3[0])
    } twin: {
      [$0[0] > 0.5 ? 1 : 0]
    },
    PointKernel("solarize") {
      $0.solarize($1[0], $2, 0.04045, $3[0])
    } twin: {
      [$0[0] < 0.04045 ? $0[0] : 1 - $0[0]]
    },
    PointKernel("quantize") {
      $0.quantize($1[0], $2, 5, $3[0])
    } twin: {
      [Float((Double($0[0]) * 5 + 0.5).rounded(.down) / 5)]
    },
    PointKernel("polynomial") {
      $0.polynomial($1[0], $2, [0.1, -2, 0.3, 1.4], $3[0])
    } twin: {
      let x = clamped($0[0], -1e18, 1e18)
      return [((1.4 * x + 0.3) * x - 2) * x + 0.1]
    },
    PointKernel("matrix", inputs: 3, outputs: 3) {
      $0.matrix($1[0], $1[1], $1[2], $2, matrix, $3[0], $3[1], $3[2])
    } twin: { v in
      (0..<3).map { sum($0, v) }
    },
    PointKernel("weighted sum", inputs: 3) {
      $0.weighted_sum($1[0], $1[1], $1[2], $2, matrix, $3[0])
    } twin: {
      [sum(0, $0)]
    },
    PointKernel("maximum", inputs: 3) {
      $0.maximum($1[0], $1[1], $1[2], $2, $3[0])
    } twin: {
      let v = $0[0] > $0[1] ? $0[0] : $0[1]
      return [v > $0[2] ? v : $0[2]]
    },
    PointKernel("minimum", inputs: 3) {
      $0.minimum($1[0], $1[1], $1[2], $2, $3[0])
    } twin: {
      let v = $0[0] < $0[1] ? $0[0] : $0[1]
      return [v < $0[2] ? v : $0[2]]
    },
    PointKernel("multiply", inputs: 2) {
      $0.multiply($1[0], $1[1], $2, $3[0])
    } twin: {
      [$0[0] * $0[1]]
    },
    PointKernel("divide", inputs: 2) {
      $0.divide($1[0], $1[1], $2, $3[0])
    } twin: {
      [$0[1] > 0 ? $0[0] / $0[1] : 0]
    },
    PointKernel("mix", inputs: 2) {
      $0.mix($1[0], $1[1], $2, 0.3, $3[0])
    } twin: {
      [mixed($0[0], $0[1])]
    },
    PointKernel("mix with alpha", inputs: 4) {
      $0.mix_alpha($1[0], $1[1], $1[2], $1[3], $2, 0.3, $3[0])
    } twin: { v in
      if v[1] == v[3] { return [mixed(v[0], v[2])] }
      let (a, b) = (v[1] * (1 - 0.3), v[3] * 0.3)
      return [a + b > 0 ? (v[0] * a + v[2] * b) / (a + b) : 0]
    },
    PointKernel("flatten", inputs: 2) {
      $0.flatten($1[0], $1[1], $2, 0.25, $3[0])
    } twin: {
      let a = clamped($0[1], 0, 1)
      return [$0[0] * a + 0.25 * (1 - a)]
    },
    PointKernel("sharpen", inputs: 2) {
      $0.sharpen($1[0], $1[1], $2, 0.8, 0.1, $3[0])
    } twin: {
      let d = $0[0] - $0[1]
      return [$0[0] + (abs(d) > 0.1 ? 0.8 * d : 0)]
    },
    PointKernel("sharpen luma", inputs: 6, outputs: 3) {
      $0.sharpen_luma(
        $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $2, 0.8, 0.1, $3[0], $3[1], $3[2])
    } twin: { v in
      let d = 0.299 * (v[0] - v[3]) + 0.587 * (v[1] - v[4]) + 0.114 * (v[2] - v[5])
      let more: Float = abs(d) > 0.1 ? 0.8 * d : 0
      return (0..<3).map { v[$0] + more }
    },
  ]
}

@Suite("Point kernels")
struct PointKernelTests {
  @Test func `the baseline is one of the paths`() {
    #expect(KernelPath.all.first?.testDescription == "baseline")
  }

  @Test(arguments: PointKernel.all, KernelPath.all)
  func `every sample equals the scalar reference`(_ kernel: PointKernel, _ path: KernelPath) {
    for count in KernelSamples.lengths {
      let offset = count % 5
      let inputs = (0..<kernel.inputs).map {
        KernelSamples.floats(count, seed: UInt64(count * 10 + $0 + 1))
      }
      let actual = run(inputs, count: count, offset: offset, outputs: kernel.outputs) {
        kernel.run(path.kernels, $0, count, $1)
      }
      let pixels = (0..<count).map { i in kernel.twin(inputs.map { $0[i] }) }
      for output in 0..<kernel.outputs {
        #expect(bits(actual[output]) == bits(pixels.map { $0[output] }), "\(count) samples")
      }
    }
  }

  @Test(arguments: PointKernel.all, KernelPath.all)
  func `outputs may alias inputs`(_ kernel: PointKernel, _ path: KernelPath) {
    for count in [1, 17, 64, 129] {
      let inputs = (0..<kernel.inputs).map { KernelSamples.floats(count, seed: UInt64($0 + 3)) }
      let apart = run(inputs, count: count, offset: 0, outputs: kernel.outputs) {
        kernel.run(path.kernels, $0, count, $1)
      }
      let copies = inputs.map { input in
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
        memory.initialize(from: input, count: count)
        return memory
      }
      defer { for copy in copies { copy.deallocate() } }
      kernel.run(path.kernels, copies.map { UnsafePointer($0) }, count, copies)
      for output in 0..<kernel.outputs {
        let inPlace = UnsafeBufferPointer(start: copies[output], count: count)
        #expect(bits(inPlace) == bits(apart[output]))
      }
    }
  }
}
