// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

/// Rows of an image with extra samples on every side, as read by the area kernels.
struct PaddedRows {
  let width: Int, height: Int, margin: Int, planes: Int
  let samples: [Float]

  /// Samples by column, row and plane, counted from the first one inside the margin.
  init(
    _ width: Int, _ height: Int, margin: Int, planes: Int = 1,
    _ sample: (Int, Int, Int) -> Float
  ) {
    (self.width, self.height, self.margin, self.planes) = (width, height, margin, planes)
    samples = (-margin..<height + margin).flatMap { y in
      (0..<planes).flatMap { plane in
        (-margin..<width + margin).map { x in sample(x, y, plane) }
      }
    }
  }

  /// Finite samples of every kind, the same for a given seed.
  init(_ width: Int, _ height: Int, margin: Int, planes: Int = 1, seed: UInt64) {
    let (columns, rows) = (width + 2 * margin, height + 2 * margin)
    let levels = KernelSamples.levels(columns * rows * planes, seed: seed)
    self.init(width, height, margin: margin, planes: planes) { x, y, plane in
      levels[((y + margin) * planes + plane) * columns + x + margin]
    }
  }

  var planeStride: Int { width + 2 * margin }

  subscript(x: Int, y: Int, plane: Int = 0) -> Float {
    samples[((y + margin) * planes + plane) * planeStride + x + margin]
  }

  /// Passes pointers to the rows, with row 0 and its first sample at index 0.
  func withRows<R>(_ body: (UnsafePointer<UnsafePointer<Float>?>) -> R) -> R? {
    samples.withUnsafeBufferPointer { samples -> R? in
      guard let base = samples.baseAddress else { return nil }
      let pointers: [UnsafePointer<Float>?] = (0..<height + 2 * margin).map {
        base + $0 * planes * planeStride + margin
      }
      return pointers.withUnsafeBufferPointer { $0.baseAddress.map { body($0 + margin) } }
    }
  }

  /// The output of a kernel, row by row.
  func filtered(
    _ body: (UnsafePointer<UnsafePointer<Float>?>, Int, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    (0..<height).flatMap { y in
      run([], count: width * planes, offset: y % 3) { _, out in
        _ = withRows { body($0 + y, width, out[0]) }
      }[0]
    }
  }
}

@Suite("Area kernels")
struct AreaKernelTests {
  private static let widths = [1, 2, 7, 16, 63, 131, 300]

  @Test(arguments: KernelPath.all)
  func `a correlation adds its taps in order`(_ path: KernelPath) {
    let weights = KernelSamples.levels(49, seed: 5).map { $0 - 0.5 }
    for (index, radius) in [1, 2, 3, 1, 2, 3, 1].enumerated() {
      let side = 2 * radius + 1
      let taps = (0..<side * side).map {
        pe_tap(
          row: Int32($0 / side - radius), column: Int32($0 % side - radius), weight: weights[$0])
      }
      let image = PaddedRows(Self.widths[index], 3, margin: radius, seed: 3)
      let actual = image.filtered {
        path.kernels.correlate($0, 0, $1, taps, taps.count, 0.25, $2)
      }
      let expected = (0..<3).flatMap { y in
        (0..<image.width).map { x in
          taps.reduce(Float(0)) { $0 + image[x + Int($1.column), y + Int($1.row)] * $1.weight }
            + 0.25
        }
      }
      #expect(bits(actual) == bits(expected), "\(image.width) columns, radius \(radius)")
    }
  }

  @Test(arguments: KernelPath.all)
  func `gradients match Sobel`(_ path: KernelPath) {
    for width in Self.widths {
      let image = PaddedRows(width, 3, margin: 1, seed: 9)
      for gradient in [PE_GRADIENT_MAGNITUDE, PE_GRADIENT_X, PE_GRADIENT_Y] {
        let actual = image.filtered { path.kernels.sobel($0, 0, $1, gradient, 0.5, $2) }
        for (index, value) in actual.enumerated() {
          func at(_ dx: Int, _ dy: Int) -> Double {
            Double(image[index % width + dx, index / width + dy])
          }
          let x = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
          let y = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
          let expected =
            gradient == PE_GRADIENT_X
            ? x : gradient == PE_GRADIENT_Y ? y : (x * x + y * y).squareRoot()
          #expect(abs(Double(value) - expected / 2) < 1e-6, "\(index) of \(width)")
        }
      }
    }
  }

  @Test(arguments: KernelPath.all, [3, 5])
  func `small medians are the middle samples`(_ path: KernelPath, side: Int) {
    for width in Self.widths {
      for alphabet in [0, 2, 3] {
        let reach = side / 2
        let noise = PaddedRows(width, 4, margin: reach, seed: UInt64(width))
        // An incorrect sorting network fails if there are few different samples.
        let image = PaddedRows(width, 4, margin: reach) { x, y, _ in
          alphabet == 0 ? noise[x, y] : Float(Int(noise[x, y] * 4096) % alphabet)
        }
        let actual = image.filtered {
          side == 3 ? path.kernels.median_3($0, 0, $1, $2) : path.kernels.median_5($0, 0, $1, $2)
        }
        #expect(bits(actual) == bits(Self.medians(image, radius: reach)), "\(width), \(alphabet)")
      }
    }
  }

  @Test(arguments: KernelPath.all, [1, 4, 15])
  func `medians of a tile are the middle samples`(_ path: KernelPath, radius: Int) {
    let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: Int(PE_MEDIAN_SCRATCH_BYTES), alignment: 8)
    defer { scratch.deallocate() }
    for (width, height) in [(1, 1), (17, 9), (128, 2), (1, 64)] {
      for levels in [2, 255, 0].some(width + radius) {
        let noise = PaddedRows(width, height, margin: radius, seed: UInt64(width + radius))
        let image = PaddedRows(width, height, margin: radius) { x, y, _ in
          levels == 0
            ? noise[x, y] - 0.5 : (Float(levels) * noise[x, y]).rounded() / Float(levels)
        }
        let actual = run([], count: width * height, offset: 1) { _, out in
          _ = image.withRows {
            path.kernels.median_tile($0, 0, width, height, radius, scratch, out[0], width)
          }
        }[0]
        #expect(
          bits(actual) == bits(Self.medians(image, radius: radius)),
          "\(width)×\(height), \(levels) levels")
      }
    }
  }

  private static func medians(_ image: PaddedRows, radius: Int) -> [Float] {
    let (columns, margin) = (image.planeStride, image.margin - radius)
    return (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        var window: [Float] = []
        for row in y + margin...y + margin + 2 * radius {
          let first = row * columns + x + margin
          window += image.samples[first...first + 2 * radius]
        }
        return window.sorted()[window.count / 2]
      }
    }
  }

  @Test(arguments: [(1, 1), (3, 3), (3, 4), (1, 2)])
  func `a bilateral mean is weighted by distance and color`(planes: (colors: Int, all: Int)) {
    for (width, height, reach) in [(1, 1, 1), (5, 2, 4), (16, 2, 2), (37, 2, 15), (131, 67, 3)] {
      let image = PaddedRows(width, height, margin: reach + 16, planes: planes.all, seed: 8)
      var how = pe_bilateral(
        reach: reach, nearness: -Float(0.1), falloff: -8, colors: planes.colors,
        planes: planes.all, plane: image.planeStride)
      let actual = KernelPath.all.map { path in
        means(of: image, planes.all) {
          path.kernels.bilateral_rows($0, 0, width, height, &how, $1, $2, planes.all * width, width)
        }
      }
      for index in actual[0].indices {
        let (x, y) = (index % width, index / (width * planes.all))
        let plane = index / width % planes.all
        var (sum, total) = (0.0, 0.0)
        for dy in -reach...reach {
          for dx in -reach...reach where dx * dx + dy * dy <= reach * reach {
            var distance = 0.0
            for color in 0..<planes.colors {
              distance += abs(Double(image[x + dx, y + dy, color]) - Double(image[x, y, color]))
            }
            let weight = exp2(-0.1 * Double(dx * dx + dy * dy) - 8 * distance * distance)
            sum += weight * Double(image[x + dx, y + dy, plane])
            total += weight
          }
        }
        for (path, values) in zip(KernelPath.all, actual) {
          let isClose = abs(Double(values[index]) - sum / total) < 2e-6
          #expect(isClose, "\(path.testDescription), \(index) of \(width) columns")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3])
  func `every build of every area kernel gives identical results`(_ reach: Int) {
    let image = PaddedRows(150, 70, margin: 31, planes: 3, seed: 4)
    let all = KernelPath.all.map { path in
      var bilateral = pe_bilateral(
        reach: 9, nearness: -0.1, falloff: -30, colors: 3, planes: 3, plane: image.planeStride)
      var patches = pe_patches(
        reach: reach, search: 5, weights: (2, 1, 0.5, 0.2), noise: 0.01, colors: 3, planes: 3,
        plane: image.planeStride, width: 150, height: 70, is_uniform: 0)
      var boxes = pe_patches(
        reach: reach, search: 5, weights: (0.7, 0, 0, 0), noise: 0.1, colors: 2, planes: 3,
        plane: image.planeStride, width: 150, height: 70, is_uniform: 1)
      return [
        bits(
          means(of: image, 3) {
            path.kernels.bilateral_rows($0, 0, 150, 70, &bilateral, $1, $2, 450, 150)
          }),
        bits(
          means(of: image, 3) {
            path.kernels.patches_rows($0, 0, 150, 0, 70, &patches, $1, $2, 450, 150)
          }),
        bits(
          means(of: image, 3) {
            path.kernels.patches_rows($0, 0, 150, 0, 70, &boxes, $1, $2, 450, 150)
          }),
      ]
    }
    for other in all.dropFirst() { #expect(other == all[0]) }
  }

  @Test
  func `a mean of neighbors does not depend on the rows and columns computed at once`() {
    let (width, height) = (300, 90)
    let image = PaddedRows(width, height, margin: 31, planes: 3, seed: 4)
    let kernels = KernelPath.all[0].kernels
    var bilateral = pe_bilateral(
      reach: 7, nearness: -0.1, falloff: -30, colors: 3, planes: 3, plane: image.planeStride)
    var patches = pe_patches(
      reach: 2, search: 5, weights: (2, 1, 0.5, 0), noise: 0, colors: 3, planes: 3,
      plane: image.planeStride, width: width, height: height, is_uniform: 0)
    /// Computes tiles of a size.
    func both(_ columns: Int, _ lines: Int) -> [[UInt32]] {
      [false, true].map { isPatches in
        bits(
          means(of: image, 3) { rows, scratch, out in
            for y in stride(from: 0, to: height, by: lines) {
              let some = min(lines, height - y)
              for x in stride(from: 0, to: width, by: columns) {
                let (count, out) = (min(columns, width - x), out + y * 3 * width + x)
                if isPatches {
                  kernels.patches_rows(
                    rows + y, x, count, y, some, &patches, scratch, out, 3 * width, width)
                } else {
                  kernels.bilateral_rows(
                    rows + y, x, count, some, &bilateral, scratch, out, 3 * width, width)
                }
              }
            }
          })
      }
    }
    let whole = both(width, height)
    for (columns, lines) in [(300, 16), (33, 90), (1, 7), (129, 65)] {
      #expect(both(columns, lines) == whole, "\(columns)×\(lines)")
    }
  }

  @Test(arguments: [1, 2, 3])
  func `pixels with similar surroundings are averaged`(reach: Int) {
    let cases = [(1, 1, Float(0.125)), (3, 2, 0), (20, 17, 0.125), (20, 17, 0)]
    for (width, height, noise) in cases.some(reach) {
      let image = PaddedRows(width, height, margin: reach + 20, planes: 3, seed: 12)
      let weights: [Float] = [0.9, 0.7, 0.4, 0.2]
      var how = pe_patches(
        reach: reach, search: 4, weights: (0.9, 0.7, 0.4, 0.2), noise: noise, colors: 3, planes: 3,
        plane: image.planeStride, width: width, height: height, is_uniform: 0)
      let actual = KernelPath.all.map { path in
        means(of: image, 3) {
          path.kernels.patches_rows($0, 0, width, 0, height, &how, $1, $2, 3 * width, width)
        }
      }
      for index in actual[0].indices {
        let (x, y, plane) = (index % width, index / (3 * width), index / width % 3)
        var (sum, total) = (0.0, 0.0)
        for dy in -4...4 where (0..<height).contains(y + dy) {
          for dx in -4...4 where (0..<width).contains(x + dx) {
            var (distance, highest) = (0.0, 0.0)
            for v in -reach...reach {
              highest = max(highest, distance)
              var across = -Double(noise)
              for u in -reach...reach {
                for c in 0..<3 {
                  let d =
                    Double(image[x + dx + u, y + dy + v, c]) - Double(image[x + u, y + v, c])
                  across += Double(weights[abs(u)]) * d * d
                }
              }
              distance += Double(weights[abs(v)]) * across
            }
            if highest > 5 { continue }
            let weight = straightExponential(-max(0, distance))
            sum += weight * Double(image[x + dx, y + dy, plane])
            total += weight
          }
        }
        for (path, values) in zip(KernelPath.all, actual) {
          let isClose = abs(Double(values[index]) - sum / total) < 1e-5
          #expect(isClose, "\(path.testDescription), \(index) of \(width)×\(height)")
        }
      }
    }
  }
}

/// Returns what a kernel writes for the rows of an image.
private func means(
  of image: PaddedRows, _ planes: Int,
  _ body: (
    UnsafePointer<UnsafePointer<Float>?>, UnsafeMutableRawPointer, UnsafeMutablePointer<Float>
  )
    -> Void
) -> [Float] {
  let scratch = UnsafeMutableRawPointer.allocate(byteCount: Int(PE_PAIR_SCRATCH), alignment: 64)
  defer { scratch.deallocate() }
  return run([], count: image.width * image.height * planes, offset: 0) { _, out in
    _ = image.withRows { body($0, scratch, out[0]) }
  }[0]
}

/// e^x as straight lines between powers of two, shifted by 60801 parts in 2²⁰ (Schraudolph 1999).
private func straightExponential(_ x: Double) -> Double {
  let position = x / 0.693147180559945309 - 60801.0 / 1_048_576
  let whole = position.rounded(.down)
  return Double(sign: .plus, exponent: Int(whole), significand: 1 + (position - whole))
}
