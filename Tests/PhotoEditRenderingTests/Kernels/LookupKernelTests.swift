// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import Testing

@testable import PhotoEditFilters

/// A cube with a different color at every corner, and its kernels written out for one pixel.
private struct CubeTwin: CustomTestStringConvertible, Sendable {
  let cube: ColorLUT3D
  let testDescription: String

  static let all: [CubeTwin] = [
    make(2, .unit), make(5, .unit), make(17, domain([-0.25, 0, 0.5], [1.5, 2, 0.75])),
  ].compactMap { $0 }

  private static func domain(_ lower: SIMD3<Float>, _ upper: SIMD3<Float>) -> LookupDomain? {
    try? LookupDomain(lower: lower, upper: upper)
  }

  private static func make(_ size: Int, _ domain: LookupDomain?) -> CubeTwin? {
    let values = KernelSamples.levels(3 * size * size * size, seed: UInt64(size))
    let entries = (0..<size * size * size).map {
      SIMD3(values[3 * $0], values[3 * $0 + 1] * 2 - 0.5, values[3 * $0 + 2])
    }
    guard let domain, let cube = try? ColorLUT3D(size: size, entries: entries, domain: domain)
    else { return nil }
    return CubeTwin(cube: cube, testDescription: "a side of \(size) entries")
  }

  func withKernel<R>(_ body: (pe_lookup_cube) -> R) -> R {
    let scale = cube.domain.scale(entries: cube.size)
    let lower = cube.domain.lower
    return cube.nodes.withUnsafeBytes {
      body(
        pe_lookup_cube(
          entries: $0.baseAddress?.assumingMemoryBound(to: Float.self), size: cube.size,
          low: (lower.x, lower.y, lower.z), scale: (scale.x, scale.y, scale.z)))
    }
  }

  private func cell(_ color: [Float]) -> (first: Int, shares: [Float]) {
    var (first, step) = (0, 1)
    var shares: [Float] = []
    for channel in 0..<3 {
      let raised =
        (color[channel] - cube.domain.lower[channel])
        * cube.domain.scale(entries: cube.size)[channel]
      let last = Float(cube.size - 1)
      let above = raised > 0 ? raised : 0
      let inside = above < last ? above : last
      let entry = min(Int(inside), cube.size - 2)
      shares.append(inside - Float(entry))
      first += entry * step
      step *= cube.size
    }
    return (first, shares)
  }

  func trilinear(_ color: [Float]) -> [Float] {
    let (first, f) = cell(color)
    let (row, plane) = (cube.size, cube.size * cube.size)
    func along(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
      a * (1 - share) + b * share
    }
    func face(_ i: Int) -> SIMD4<Float> {
      along(
        along(cube.nodes[i], cube.nodes[i + 1], f[0]),
        along(cube.nodes[i + row], cube.nodes[i + row + 1], f[0]), f[1])
    }
    let made = along(face(first), face(first + plane), f[2])
    return [made.x, made.y, made.z]
  }

  /// One case for each of the six orders of the fractions, as in the literature.
  func tetrahedral(_ color: [Float]) -> [Float] {
    let (first, f) = cell(color)
    let steps = [1, cube.size, cube.size * cube.size]
    let (r, g, b) = (f[0], f[1], f[2])
    let order =
      r > g
      ? (g > b ? [0, 1, 2] : r > b ? [0, 2, 1] : [2, 0, 1])
      : (b > g ? [2, 1, 0] : b > r ? [1, 2, 0] : [1, 0, 2])
    let sorted = order.map { f[$0] }
    let (i, j) = (first + steps[order[0]], first + steps[order[0]] + steps[order[1]])
    let near = cube.nodes[first] * (1 - sorted[0]) + cube.nodes[i] * (sorted[0] - sorted[1])
    let made =
      near + cube.nodes[j] * (sorted[1] - sorted[2])
      + cube.nodes[first + steps.reduce(0, +)] * sorted[2]
    return [made.x, made.y, made.z]
  }
}

@Suite("Lookup table and cube kernels")
struct LookupKernelTests {
  private typealias Kernel =
    @Sendable (
      pe_kernel_table, [UnsafePointer<Float>], Int, pe_lookup_cube, [UnsafeMutablePointer<Float>]
    ) -> Void

  private static func kernel(_ interpolation: ColorLUT3D.Interpolation) -> Kernel {
    { kernels, inputs, count, cube, outputs in
      var (cube, run) = (
        cube,
        pe_pixel_run(
          r: inputs[0], g: inputs[1], b: inputs[2], count: count, x: outputs[0], y: outputs[1],
          z: outputs[2], column: 0, row: 0)
      )
      switch interpolation {
      case .tetrahedral: kernels.lut3d_tetrahedral(&run, &cube)
      case .trilinear: kernels.lut3d_trilinear(&run, &cube)
      }
    }
  }

  @Test(arguments: CubeTwin.all, ColorLUT3D.Interpolation.allCases)
  fileprivate func `a cube matches its scalar reference on every path`(
    _ twin: CubeTwin, _ interpolation: ColorLUT3D.Interpolation
  ) {
    let kernel = Self.kernel(interpolation)
    for count in KernelSamples.lengths {
      let inputs = (0..<3).map { KernelSamples.floats(count, seed: UInt64(7 * count + $0 + 1)) }
      let pixels = (0..<count).map { i in inputs.map { $0[i] } }
      let expected = pixels.map {
        interpolation == .trilinear ? twin.trilinear($0) : twin.tetrahedral($0)
      }
      for path in KernelPath.all {
        let actual = run(inputs, count: count, offset: count % 5, outputs: 3) { sources, targets in
          twin.withKernel { kernel(path.kernels, sources, count, $0, targets) }
        }
        for channel in 0..<3 {
          #expect(bits(actual[channel]) == bits(expected.map { $0[channel] }), "\(count) pixels")
        }
      }
      for (pixel, made) in zip(pixels, expected) {
        let exact = twin.cube(SIMD3(pixel.map(Double.init)), interpolation)
        for channel in 0..<3 { #expect(abs(Double(made[channel]) - exact[channel]) < 2e-5) }
      }
    }
  }

  @Test(arguments: ColorLUT3D.Interpolation.allCases, KernelPath.all)
  func `outputs may alias inputs`(_ interpolation: ColorLUT3D.Interpolation, _ path: KernelPath) {
    let (kernel, twin, count) = (Self.kernel(interpolation), CubeTwin.all[1], 200)
    let inputs = (0..<3).map { KernelSamples.floats(count, seed: UInt64($0 + 3)) }
    let apart = run(inputs, count: count, offset: 0, outputs: 3) { sources, targets in
      twin.withKernel { kernel(path.kernels, sources, count, $0, targets) }
    }
    let copies = inputs.map { input in
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(from: input, count: count)
      return memory
    }
    defer { for copy in copies { copy.deallocate() } }
    twin.withKernel { kernel(path.kernels, copies.map { UnsafePointer($0) }, count, $0, copies) }
    for channel in 0..<3 {
      #expect(
        bits(UnsafeBufferPointer(start: copies[channel], count: count)) == bits(apart[channel]))
    }
  }

  @Test(arguments: [2, 3, 256, 65536], KernelPath.all)
  func `a table matches its scalar reference`(_ size: Int, _ path: KernelPath) throws {
    let values = KernelSamples.levels(size, seed: UInt64(size))
    let table = try ColorLUT1D(
      entries: values.map { SIMD3(repeating: $0) },
      domain: LookupDomain(lower: SIMD3(repeating: -0.5), upper: SIMD3(repeating: 2)))
    let curve = table.channels[0]
    for count in KernelSamples.lengths {
      let samples = KernelSamples.floats(count, seed: UInt64(count + 1))
      let actual = values.withUnsafeBufferPointer { values in
        var table = pe_lookup_table(
          values: values.baseAddress, size: size, low: curve.lower, scale: curve.scale)
        return run([samples], count: count, offset: count % 3) {
          path.kernels.lut1d($0[0], count, &table, $1[0])
        }[0]
      }
      let expected = samples.map { sample in
        let raised = (sample - curve.lower) * curve.scale
        let above = raised > 0 ? raised : 0
        let inside = above < Float(size - 1) ? above : Float(size - 1)
        let entry = min(Int(inside), size - 2)
        let share = inside - Float(entry)
        return values[entry] * (1 - share) + values[entry + 1] * share
      }
      #expect(bits(actual) == bits(expected), "\(count) samples")
      for (sample, value) in zip(samples, actual) {
        // A float of 2 may differ by 2⁻²³ from the color, which is a multiple of that in table
        // entries.
        let exact = curve(Double(sample))
        #expect(abs(Double(value) - exact) < 1e-6 + Double(size) * 0x1p-22, "\(sample)")
      }
    }
  }
}
