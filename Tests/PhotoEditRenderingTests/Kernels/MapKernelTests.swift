// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels
import PhotoEditPlatform
import Testing

@testable import PhotoEditFilters
@testable import PhotoEditRendering

@Suite("Color map kernels")
struct MapKernelTests {
  private typealias Kernel = (UnsafePointer<pe_pixel_run>?, UnsafeRawPointer?) -> Void

  private static let maps: [PixelMap] = [
    PixelMap(VibranceMap(0.7)), PixelMap(VibranceMap(-1)), PixelMap(coefficients),
    PixelMap(ChromaBoost(amount: 0.8, space: .sRGB)),
    PixelMap(ChromaBoost(amount: -1, space: .sRGB)), PixelMap(mixed), PixelMap(gray),
    PixelMap(RollOff(knee: 0.65, white: 2)),
    PixelMap(RollOff(knee: 0, white: 1.1)), PixelMap(pupils),
    PixelMap(WhiteAdaptation(warmth)),
    PixelMap(SplitToning(shadow: (240, 0.8), highlight: (30, 0.5), balance: 0.3)),
    PixelMap(SplitToning(shadow: (360, 1), highlight: (185, 1), balance: -1)),
  ]

  private static let mixed = HueAdjustment(
    turns: HueBands(values: [13, -20, 30, -25, 36, -20, 30, -30]),
    saturations: HueBands(values: [1, -1, 0.5, 0, 1, 1, -0.3, 0.2], shift: 7),
    lightnesses: HueBands(values: [0.5, -1, 1, 0, 0, -1, 1, 0.1]), in: .sRGB)

  private static let gray = HueAdjustment(
    grayMixing: HueBands(values: [1, -1, 0.3, 0, -0.5, 1, 0, -1]), in: .sRGB)

  private static let warmth = ColorTransform(rows: [
    [1.2, 0.05, -0.01], [-0.02, 0.98, 0.01], [0.01, -0.05, 0.6],
  ])

  private static let pupils = RedEyeMap(
    discs: [
      RedEyeMap.Disc(center: SIMD2(20, 3), radius: 18), RedEyeMap.Disc(center: [2, 0], radius: 9),
      RedEyeMap.Disc(center: SIMD2(300, -4), radius: 290),
    ], threshold: 0.6)

  private static let coefficients = CrossPolynomial([
    [1, 0.2, 0, -0.3, 0, 0.1, 0.5, 0, -0.2, 0.1], [0, 1, -0.1, 0, 0.2, 0, -0.4, 0.3, 0, 0],
    [0, 0, 0, 0, 0, 10, 0, 0, 0, 0],
  ])

  private static func kernel(_ map: PixelMap, _ path: KernelPath) -> Kernel? {
    switch map.mapping {
    case is VibranceMap: path.kernels.vibrance
    case is ChromaBoost: path.kernels.chroma_boost
    case is HueAdjustment: path.kernels.hue_bands
    case is RedEyeMap: path.kernels.red_eye
    case is WhiteAdaptation: path.kernels.white_adaptation
    case is RollOff: path.kernels.roll_off
    case is CrossPolynomial: path.kernels.cross_polynomial
    case is SplitToning: path.kernels.split_tone
    case is TiledGain: path.kernels.tiled_gain
    default: nil
    }
  }

  private func results(
    _ rows: [[Float]], _ map: PixelMap, _ path: KernelPath
  ) throws -> [[Float]] {
    let constants = RowConstants()
    let how = RowMap(map, firstColumn: 0, constants).how
    let kernel = try #require(Self.kernel(map, path))
    let count = rows[0].count
    return withExtendedLifetime(constants) {
      run(rows, count: count, offset: count % 5, outputs: 3) { inputs, outputs in
        var pixels = pe_pixel_run(
          r: inputs[0], g: inputs[1], b: inputs[2], count: count, x: outputs[0], y: outputs[1],
          z: outputs[2], column: 0, row: 0)
        kernel(&pixels, how)
      }
    }
  }

  @Test(arguments: KernelPath.all, maps.indices)
  func `pixels match the map in double precision`(_ path: KernelPath, index: Int) throws {
    let map = Self.maps[index]
    for count in KernelSamples.lengths where count > 0 {
      let rows = (0..<3).map { KernelSamples.floats(count, seed: UInt64(count * 3 + $0)) }
      let actual = try results(rows, map, path)
      let first = try results(rows, map, KernelPath.all[0])
      #expect(actual.map { bits($0) } == first.map { bits($0) })
      let wrong = (0..<count).filter { i in
        let color = SIMD3(Double(rows[0][i]), Double(rows[1][i]), Double(rows[2][i]))
        let largest = max(abs(color.x), abs(color.y), abs(color.z))
        guard !color.x.isNaN, !color.y.isNaN, !color.z.isNaN, largest < 1e5 else { return false }
        let expected = map(color, x: i)
        let allowed = 2e-6 * max(1, largest * largest)
        return !(0..<3).allSatisfy { abs(Double(actual[$0][i]) - expected[$0]) <= allowed }
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(3).map { i in rows.map { $0[i] } })")
    }
  }

  @Test(arguments: KernelPath.all)
  func `tables of tiles scale pixels in the same way on every path`(_ path: KernelPath) throws {
    let tables = [Float(0.3), 0.5, 1.2, 2].map { power in
      LumaTable((0..<256).map { pow(Float($0) / 255, power) })
    }
    let grid = TiledLumaTables(
      columns: 2, rows: 2, tile: PixelSize(width: 20, height: 3), tables: tables)
    let map = PixelMap(TiledGain(grid, amount: 0.7))
    for count in KernelSamples.lengths where count > 0 {
      let rows = (0..<3).map { KernelSamples.levels(count, seed: UInt64(count * 3 + $0)) }
      let actual = try results(rows, map, path)
      #expect(
        try actual.map { bits($0) } == results(rows, map, KernelPath.all[0]).map { bits($0) })
      for i in 0..<count {
        let color = SIMD3(Double(rows[0][i]), Double(rows[1][i]), Double(rows[2][i]))
        let expected = map.mapping(color, x: i, y: 0)
        #expect((0..<3).allSatisfy { abs(Double(actual[$0][i]) - expected[$0]) <= 4e-6 })
      }
      let wild = (0..<3).map { KernelSamples.floats(count, seed: UInt64(count * 7 + $0)) }
      #expect(try results(wild, map, path).allSatisfy { $0.allSatisfy(\.isFinite) })
    }
  }

  @Test(arguments: KernelPath.all)
  func `a sum of powers is never NaN`(_ path: KernelPath) throws {
    let ends: [Float] = [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 0]
    let rows = [ends, Array(ends.reversed()), ends]
    let actual = try results(rows, PixelMap(Self.coefficients), path)
    #expect(actual.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test(arguments: KernelPath.all, [-1, 0.4, 1])
  func `vibrance leaves gray unchanged`(_ path: KernelPath, amount: Double) throws {
    let grays = KernelSamples.levels(256, seed: 4)
    let actual = try results([grays, grays, grays], PixelMap(VibranceMap(amount)), path)
    for row in actual {
      #expect(zip(grays, row).allSatisfy { abs($0 - $1) <= 2e-7 })
    }
  }
}
