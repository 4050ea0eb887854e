// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import Testing

/// One build of the row loops that can run on this machine.
struct KernelPath: CustomTestStringConvertible, Sendable {
  let path: pe_path
  let testDescription: String

  static let all: [KernelPath] = [PE_PATH_BASELINE, PE_PATH_AVX2, PE_PATH_AVX512].compactMap {
    pe_path_kernels($0) == nil
      ? nil : KernelPath(path: $0, testDescription: String(cString: pe_path_name($0)))
  }

  var kernels: pe_kernel_table { pe_path_kernels(path).pointee }
}

/// Samples and indices that are edge cases for the loops.
enum KernelSamples {
  /// Every remainder of a vector and of a group of them, and more than a block of a spline.
  static let lengths = Array(0...130) + [255, 256, 1000, 1024]

  /// Floats of every kind; the generator is deterministic, so that a failure is reproducible.
  static func floats(_ count: Int, seed: UInt64) -> [Float] {
    let special: [Float] = [
      0, -0.0, 1, -1, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, -0x1p-140,
      .leastNormalMagnitude, .greatestFiniteMagnitude, 0.04045, 0.0031308, 0.5, 1.0000001, 4, 1e20,
    ]
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var result: [Float] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let choice = Int(state >> 59)
      let value = Float(state >> 40) / Float(1 << 24)
      result.append(
        choice < 4
          ? special[Int(state >> 40) % special.count]
          : choice < 20 ? value : choice < 28 ? value * 5 - 2 : value * 1e4)
    }
    return result
  }

  /// Numbers from 0 to 1.
  static func levels(_ count: Int, seed: UInt64) -> [Float] {
    floats(count, seed: seed).map { $0.isFinite ? abs($0).truncatingRemainder(dividingBy: 1) : 0 }
  }

  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    floats(count, seed: seed).map { UInt8(truncatingIfNeeded: $0.bitPattern >> 9) }
  }
}

/// The bits of samples, with all NaNs equal.
func bits(_ samples: some Sequence<Float>) -> [UInt32] {
  samples.map { $0.isNaN ? 0x7FC0_0000 : $0.bitPattern }
}

/// The output of a kernel for `count` samples from an odd offset, with a check that nothing else is
/// written.
///
/// `body` gets the first sample of each input and output.
func run(
  _ inputs: [[Float]], count: Int, offset: Int, outputs: Int = 1,
  _ body: ([UnsafePointer<Float>], [UnsafeMutablePointer<Float>]) -> Void
) -> [[Float]] {
  let guarded: Float = -12345
  let sources = inputs.map { input in
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: input.count + offset)
    memory.initialize(repeating: guarded, count: input.count + offset)
    (memory + offset).update(from: input, count: input.count)
    return memory
  }
  let targets = (0..<outputs).map { _ in
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count + 80)
    memory.initialize(repeating: guarded, count: count + 80)
    return memory
  }
  defer { for memory in sources + targets { memory.deallocate() } }
  body(sources.map { UnsafePointer($0 + offset) }, targets.map { $0 + 7 + offset })
  return targets.map { memory in
    let all = Array(UnsafeBufferPointer(start: memory, count: count + 80))
    let written = Array(all[(7 + offset)..<(7 + offset + count)])
    let rest = all[..<(7 + offset)] + all[(7 + offset + count)...]
    return rest.allSatisfy { $0 == guarded } ? written : []
  }
}
