// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform
import Testing

@Suite("Box and wavelet kernels")
struct BoxKernelTests {
  /// Sums of rows `range` of an image, added and slid as in a strip.
  private static func sums(
    _ kernels: pe_kernel_table, _ rows: [[Float]], _ range: Range<Int>, startedAt start: Int,
    squared: Bool
  ) -> [Double] {
    var sums = [Double](repeating: 0, count: rows[0].count)
    let first = range.lowerBound - start
    for y in first..<first + range.count {
      if squared {
        kernels.box_add_products(rows[y], rows[y], rows[y].count, &sums)
      } else {
        kernels.box_add(rows[y], rows[y].count, &sums)
      }
    }
    for y in first..<range.lowerBound {
      let (new, old) = (rows[y + range.count], rows[y])
      if squared {
        kernels.box_slide_products(new, new, old, old, new.count, &sums)
      } else {
        kernels.box_slide(new, old, new.count, &sums)
      }
    }
    // The kernels read one number more than they use.
    return sums + [0]
  }

  @Test(arguments: KernelPath.all, [0, 1, 3, 20])
  func `a mean does not depend on the start of its sum`(_ path: KernelPath, radius: Int) {
    for count in [1, 2, 5, 64, 257, 600] {
      let rows = (0..<70).map { KernelSamples.floats(count + 2 * radius, seed: UInt64($0)) }
      let side = 2 * radius + 1
      let range = 25..<25 + side
      let share = 1 / Double(side * side)
      let results = [0, 7, 25].map { start in
        let sums = Self.sums(path.kernels, rows, range, startedAt: start, squared: false)
        return run([], count: count, offset: 0) { _, out in
          sums.withUnsafeBufferPointer {
            guard let base = $0.baseAddress else { return }
            path.kernels.box_means(base + radius, nil, count, radius, share, out[0])
          }
        }[0]
      }
      #expect(bits(results[1]) == bits(results[0]))
      #expect(bits(results[2]) == bits(results[0]))
      for (x, value) in results[0].enumerated() {
        let window = range.flatMap { rows[$0][x..<x + side] }
        let expected = window.reduce(0.0) { sum, sample in
          sum + (sample.isNaN ? 0 : min(max(Double(sample), -2048), 2048))
        }
        #expect(abs(Double(value) - expected * share) <= 1e-4, "\(x) of \(count)")
      }
    }
  }

  @Test(arguments: KernelPath.all, [1, 6])
  func `lines of a guided filter follow from mean and variance`(_ path: KernelPath, radius: Int) {
    let (count, side) = (300, 2 * radius + 1)
    let rows = (0..<60).map { KernelSamples.levels(count + 2 * radius, seed: UInt64($0)) }
    let range = 20..<20 + side
    let share = 1 / Double(side * side)
    let made = [0, 20].map { start in
      let sums = Self.sums(path.kernels, rows, range, startedAt: start, squared: false)
      let squares = Self.sums(path.kernels, rows, range, startedAt: start, squared: true)
      return run([], count: count, offset: 0, outputs: 2) { _, out in
        sums.withUnsafeBufferPointer { sums in
          squares.withUnsafeBufferPointer { squares in
            guard let sums = sums.baseAddress, let squares = squares.baseAddress else { return }
            path.kernels.guided_lines(
              sums + radius, squares + radius, nil, count, radius, share, 0.01, out[0], out[1])
          }
        }
      }
    }
    #expect(made[0].map(bits) == made[1].map(bits))
    for x in 0..<count {
      let window = range.flatMap { rows[$0][x..<x + side] }.map { Double($0) }
      let mean = window.reduce(0, +) * share
      let variance = window.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * share
      let slope = variance / (variance + 0.01)
      #expect(abs(Double(made[0][0][x]) - slope) < 1e-5)
      #expect(abs(Double(made[0][1][x]) - mean * (1 - slope)) < 1e-5)
    }
  }

  @Test(arguments: KernelPath.all, [1, 6])
  func `windows have the same means, slopes and weights on every path`(
    _ path: KernelPath, radius: Int
  ) {
    let (count, side) = (300, 2 * radius + 1)
    let share = 1 / Double(side * side)
    let planes = (0..<2).map { plane in
      (0..<side).map { KernelSamples.levels(count + 2 * radius, seed: UInt64($0 + 99 * plane)) }
    }
    let sums = planes.flatMap { rows in
      [false, true].map {
        Self.sums(path.kernels, rows, 0..<side, startedAt: 0, squared: $0)
      }
    }
    let made = run([], count: count, offset: 0, outputs: 6) { _, out in
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: 4 * sums[0].count)
      defer { memory.deallocate() }
      for (index, values) in sums.enumerated() {
        (memory + index * values.count).initialize(from: values, count: values.count)
      }
      let firsts = [0, 2, 1, 3].map { UnsafePointer(memory + $0 * sums[0].count + radius) }
      path.kernels.guided_windows(
        firsts[0], firsts[2], nil, count, radius, share, 0.01, out[0], out[1], out[2])
      let all: [UnsafePointer<Double>?] = firsts
      path.kernels.chroma_lines(all, nil, count, radius, share, 0.01, out[3], out[4], out[5])
    }
    for x in 0..<count {
      let windows = planes.map { rows in rows.flatMap { $0[x..<x + side] }.map { Double($0) } }
      let means = windows.map { $0.reduce(0, +) * share }
      let variances = zip(windows, means).map { window, mean in
        window.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * share
      }
      let slope = variances[0] / (variances[0] + 0.01)
      let joint = variances[0] + variances[1]
      let rest = 0.01 / (joint + 0.01)
      let expected = [
        slope, means[0], 0.001 + pow(1 - slope, 4), 1 - rest, rest * means[0], rest * means[1],
      ]
      for (row, value) in zip(made, expected) { #expect(abs(Double(row[x]) - value) < 1e-5) }
    }
  }

  private static var wavelet: pe_wavelet {
    // Daubechies with two vanishing moments.
    let root = 3.0.squareRoot()
    let low = [1 - root, 3 - root, 3 + root, 1 + root].map { Float($0 / 32.0.squareRoot()) }
    return pe_wavelet(
      low: (low[0], low[1], low[2], low[3]), high: (-low[3], low[2], -low[1], low[0]))
  }

  @Test(arguments: KernelPath.all)
  func `a wavelet transform and its inverse restore the samples`(_ path: KernelPath) {
    var how = Self.wavelet
    for count in [1, 2, 9, 64, 150] {
      let samples = KernelSamples.levels(2 * count + 4, seed: UInt64(count))
      let parts = run([samples], count: count + 1, offset: 0, outputs: 2) {
        path.kernels.wavelet_split($0[0], count + 1, &how, $1[0], $1[1])
      }
      let joined = run(parts, count: 2 * count, offset: 0) {
        path.kernels.wavelet_join($0[0], $0[1], count, &how, $1[0])
      }[0]
      for (x, value) in joined.enumerated() {
        #expect(abs(value - samples[x + 2]) < 1e-6, "\(x) of \(2 * count)")
      }
    }
  }

  @Test(arguments: KernelPath.all)
  func `a wavelet works the same way on columns and rows`(_ path: KernelPath) {
    var how = Self.wavelet
    let rows = (0..<6).map { KernelSamples.levels(77, seed: UInt64($0)) }
    func split(_ first: Int) -> [[Float]] {
      run(Array(rows[first..<first + 4]), count: 77, offset: 0, outputs: 2) { inputs, out in
        let pointers: [UnsafePointer<Float>?] = inputs
        path.kernels.wavelet_split_rows(pointers, 77, &how, out[0], out[1])
      }
    }
    let (one, two) = (split(0), split(2))
    for x in 0..<77 {
      let column = rows.map { $0[x] }
      let parts = run([column], count: 2, offset: 0, outputs: 2) {
        path.kernels.wavelet_split($0[0], 2, &how, $1[0], $1[1])
      }
      #expect(bits(parts[0]) == bits([one[0][x], two[0][x]]))
      #expect(bits(parts[1]) == bits([one[1][x], two[1][x]]))
    }
    let joined = run([one[0], two[0], one[1], two[1]], count: 77, offset: 0, outputs: 2) {
      let (low, high): ([UnsafePointer<Float>?], [UnsafePointer<Float>?]) =
        ([$0[0], $0[1]], [$0[2], $0[3]])
      path.kernels.wavelet_join_rows(low, high, 77, &how, $1[0], $1[1])
    }
    for x in 0..<77 {
      #expect(abs(joined[0][x] - rows[2][x]) < 1e-6)
      #expect(abs(joined[1][x] - rows[3][x]) < 1e-6)
    }
  }

  @Test(arguments: KernelPath.all)
  func `shrinkage moves towards zero and stops there`(_ path: KernelPath) {
    let samples: [Float] = [0, 0.5, -0.5, 2, -2, 0.25, -0.0, 1e-20, 7]
    let actual = run([samples], count: samples.count, offset: 0) {
      path.kernels.shrink($0[0], samples.count, 0.5, $1[0])
    }[0]
    #expect(actual == [0, 0, 0, 1.5, -1.5, 0, 0, 0, 6.5])
  }
}
