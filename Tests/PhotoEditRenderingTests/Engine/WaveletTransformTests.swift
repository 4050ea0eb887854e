// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Wavelet transforms by rows", .seeded)
struct WaveletTransformTests {
  @Test(arguments: 1...8)
  func `rows have the bits of whole planes`(levels: Int) throws {
    var numbers = SeededNumbers(levels)
    let sizes = [
      (1, 1), (1, 2), (2, 1), (3, 5), (5, 4), (4, 6), (17, 95), (8, 96), (13, 131), (61, 10),
    ]
    for (index, (width, height)) in sizes.enumerated() {
      let size = PixelSize(width: width, height: height)
      let layouts = [(1, false), (3, false), (2, true), (4, true)]
      for (planes, hasAlpha) in layouts.some(index + levels) {
        let shrinkage = WaveletShrinkage(
          levels: levels, sigma: (index + planes) % 3 == 0 ? 0.03 : nil,
          strength: index % 2 == 0 ? 1 : 0.3)
        let samples = Self.samples(size, planes, hasAlpha: hasAlpha, &numbers)
        let expected = WholeWavelet(shrinkage: shrinkage, size: size, hasAlpha: hasAlpha)
          .filtered(samples)
        let height = 1 + numbers.below(20)
        let result = try Self.filtered(samples, shrinkage, size, hasAlpha, stripHeight: height)
        #expect(result == expected, "\(size), \(planes) planes, strips of \(height)")
      }
    }
  }

  /// The median of a large image is expected from some of its rows.
  @Test func `rows of a large image have the bits of whole planes`() throws {
    var numbers = SeededNumbers(20)
    let size = PixelSize(width: 30, height: 1100)
    let shrinkage = WaveletShrinkage(levels: 6, sigma: nil, strength: 1)
    let samples = Self.samples(size, 1, hasAlpha: false, &numbers)
    let expected = WholeWavelet(shrinkage: shrinkage, size: size, hasAlpha: false)
      .filtered(samples)
    #expect(try Self.filtered(samples, shrinkage, size, false, stripHeight: 7) == expected)
  }

  /// Noise of different strength on a few flat areas, one of them clipped.
  private static func samples(
    _ size: PixelSize, _ planes: Int, hasAlpha: Bool, _ numbers: inout SeededNumbers
  ) -> [[Float]] {
    let noise = [Float(0), 0.01, 0.2][numbers.below(3)]
    var result = (0..<planes).map { plane in
      (0..<size.pixelCount).map { index in
        let area: Float = index % size.width < size.width / 3 ? 0.7 : 0.2
        let level = area - 0.25 * Float(plane % 2)
        return max(level + noise * Float.random(in: -1...1, using: &numbers), 0)
      }
    }
    if hasAlpha {
      for index in 0..<size.pixelCount {
        let alpha = Float([0, 0.5, 1, 1][numbers.below(4)])
        for plane in 0..<planes - 1 { result[plane][index] *= alpha }
        result[planes - 1][index] = alpha
      }
    }
    return result
  }

  /// Returns what the engine's passes make of some planes.
  private static func filtered(
    _ samples: [[Float]], _ shrinkage: WaveletShrinkage, _ size: PixelSize, _ hasAlpha: Bool,
    stripHeight: Int
  ) throws -> [[Float]] {
    let shape = StripShape(size: size, format: .planes(samples.count))
    var stage = Stage(
      inputMapping: .area(.wavelet(shrinkage), fromPlane: 0), steps: [], input: shape,
      output: shape, imagePlanes: samples.count, hasAlpha: hasAlpha)
    let input = try #require(WaveletInput(stage))
    let pool = StripPool()
    func strip(_ rows: Range<Int>) -> Strip {
      let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
      for y in rows {
        for (plane, samples) in samples.enumerated() {
          for x in 0..<size.width {
            (strip.row(y).assumingMemoryBound(to: Float.self) + plane * size.width)[x] =
              samples[y * size.width + x]
          }
        }
      }
      return strip
    }
    let strips = stride(from: 0, to: size.height, by: stripHeight).map {
      $0..<min($0 + stripHeight, size.height)
    }
    stage.measurement = try WaveletMeasurement(input) { planes, work throws(RenderError) in
      for rows in strips {
        let image = PlaneRows(StripWindow([strip(rows)], stripHeight: rows.count), shape)
        for plane in 0..<planes { work(plane, rows, image) }
      }
    }
    let worker = makeWorker(.wavelet(shrinkage), stage)
    var result = samples
    for rows in strips {
      // Rows that the stage does not request are not in memory.
      let requested = stage.inputRows(for: rows)
      let window = StripWindow(
        requested.isEmpty ? [] : [strip(requested)], stripHeight: max(1, requested.count))
      let output = strip(rows)
      worker.fill(
        PlaneStrip(output, shape), planes: 0..<samples.count, from: PlaneRows(window, shape))
      for plane in result.indices {
        for y in rows {
          let row = output.row(y).assumingMemoryBound(to: Float.self) + plane * size.width
          for x in 0..<size.width { result[plane][y * size.width + x] = row[x] }
        }
      }
    }
    return result
  }

  @Test func `a median is exact wherever it was expected`() {
    var numbers = SeededNumbers(30)
    let values: [[Float]] = [
      [], [0, 0, 0], [3], [1e-30, 1e30], [0.5, -0.25, 0.125, 0],
      (0..<2001).map { _ in Float.random(in: -1...1, using: &numbers) },
      (0..<2000).map { _ in Float(numbers.below(5)) * 0.1 },
    ]
    for values in values {
      for expected in [Float(0), 0.25, 1e-20, 1e38] {
        let counts = MagnitudeCounts()
        let low = values.map { _ in Float(0) }
        counts.add([expected], low: [1], 1)
        counts.expectMedian()
        var median: Double?
        for _ in 0..<3 where median == nil {
          counts.add(values, low: low, values.count)
          median = counts.median()
        }
        let sizes = values.map(abs).filter { $0 > 0 }.sorted()
        let (upper, lower) = (
          sizes.dropFirst(sizes.count / 2).first, sizes.dropLast(sizes.count / 2).last
        )
        let middle = (Double(lower ?? 0) + Double(upper ?? 0)) / 2
        #expect(median == middle, "\(values.count) values, \(expected)")
      }
    }
  }
}
