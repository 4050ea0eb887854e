// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import Testing

@testable import PhotoEditRendering

@Suite("Interleaved sample kernels")
struct SampleKernelTests {
  @Test(arguments: KernelPath.all, 1...4)
  func `bytes become the floats of their tables`(_ path: KernelPath, channels: Int) {
    let curves = (0..<channels).map {
      ToneCurve([.affine(scale: 1.3, offset: -0.1 * Double($0)), .power(0.7)])
    }
    expectFloats(of: curves, path)
    // Values in proportion to the bytes are not looked up.
    let lines = [ToneCurve](repeating: ToneCurve([]), count: channels)
    expectFloats(of: lines, path)
    expectFloats(of: Array(lines.dropLast()) + curves.suffix(1), path)
  }

  private func expectFloats(of curves: [ToneCurve], _ path: KernelPath) {
    let channels = curves.count
    let constants = RowConstants()
    let tables = constants.tables(curves)
    withExtendedLifetime(constants) {
      for count in KernelSamples.lengths {
        let bytes = KernelSamples.bytes(count * channels + 1, seed: UInt64(count + 1))
        let stride = count + 5
        let actual = run([], count: stride * channels, offset: count % 3) { _, out in
          out[0].update(repeating: 7, count: stride * channels)
          bytes.withUnsafeBufferPointer {
            // From an odd address on.
            path.kernels.unpack_u8(
              $0.baseAddress.map { $0 + 1 }, count, channels, tables, out[0], stride)
          }
        }[0]
        var expected = [Float](repeating: 7, count: stride * channels)
        for i in 0..<count {
          for c in 0..<channels {
            expected[c * stride + i] = Float(
              curves[c](Double(bytes[1 + i * channels + c]) / 255))
          }
        }
        #expect(bits(actual) == bits(expected), "\(count) pixels")
      }
    }
  }

  @Test(arguments: KernelPath.all, 1...4)
  func `16-bit samples become fractions of the largest value`(_ path: KernelPath, channels: Int) {
    for count in KernelSamples.lengths where count > 0 {
      let words = KernelSamples.floats(count * channels, seed: UInt64(count)).map {
        UInt16(truncatingIfNeeded: $0.bitPattern >> 8)
      }
      let actual = run([], count: count * channels, offset: 1) { _, out in
        path.kernels.unpack_u16(words, count, channels, out[0], count)
      }[0]
      let expected = (0..<channels).flatMap { c in
        (0..<count).map { Float(words[$0 * channels + c]) / 65535 }
      }
      #expect(bits(actual) == bits(expected), "\(count) pixels")
    }
  }

  @Test(arguments: KernelPath.all)
  func `floats become the nearest 16-bit samples`(_ path: KernelPath) {
    let all =
      KernelSamples.floats(1500, seed: 5)
      + (0...512).flatMap { i -> [Float] in
        let half = (Float(i * 128) - 0.5) / 65535
        return [half, half.nextUp, half.nextDown]
      }
    for count in KernelSamples.lengths + [all.count] {
      var actual = [UInt16](repeating: 99, count: count + 9)
      path.kernels.pack_u16(all, count, &actual)
      let expected = all.prefix(count).map { v -> UInt16 in
        let level = v * 65535 + 0.5
        return level > 0 ? UInt16(min(65535, level)) : 0
      }
      #expect(actual == expected + [UInt16](repeating: 99, count: 9), "\(count)")
    }
  }

  /// The byte of a sample: floor(255·v + ½), clamped; NaN is black.
  private static func byte(_ v: Float) -> UInt8 {
    let level = v * 255 + 0.5
    return level > 0 ? UInt8(min(255, level)) : 0
  }

  /// Halves between two levels, and the adjacent floats, decide about rounding.
  private static let halves: [Float] = (0...256).flatMap { i -> [Float] in
    let half = (Float(i) - 0.5) / 255
    return [half, half.nextUp, half.nextDown, Float(i) / 255]
  }

  @Test(arguments: KernelPath.all)
  func `floats become the nearest bytes`(_ path: KernelPath) {
    let all = KernelSamples.floats(1500, seed: 3) + Self.halves
    for count in KernelSamples.lengths + [all.count] {
      let planes = (0..<3).map { Array((all + all)[($0 * 11)..<($0 * 11 + count)]) }
      var gray = [UInt8](repeating: 99, count: count + 9)
      path.kernels.pack_gray(planes[0], count, &gray)
      #expect(gray == planes[0].map(Self.byte) + [UInt8](repeating: 99, count: 9), "\(count)")
      var color = [UInt8](repeating: 99, count: 3 * count + 9)
      path.kernels.pack_rgb(planes[0], planes[1], planes[2], count, &color)
      let expected = (0..<count).flatMap { i in planes.map { Self.byte($0[i]) } }
      #expect(color == expected + [UInt8](repeating: 99, count: 9), "\(count)")
    }
  }

  @Test(arguments: KernelPath.all, [1, 3])
  func `bytes are mapped with the table of their channel`(_ path: KernelPath, channels: Int) {
    let tables = KernelSamples.bytes(256 * channels, seed: 8)
    for count in KernelSamples.lengths {
      let bytes = (0..<count * channels).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) }
      var actual = [UInt8](repeating: 99, count: count * channels + 9)
      path.kernels.tables_u8(bytes, count, channels, tables, &actual)
      let expected = bytes.enumerated().map { tables[256 * ($0 % channels) + Int($1)] }
      #expect(actual == expected + [UInt8](repeating: 99, count: 9), "\(count) pixels")
    }
  }
}
