// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import Testing

/// The definitions are T.871, section 7, and the triangle filter of libjpeg.
@Suite("Chroma sampling and color conversion kernels")
struct SampledKernelTests {
  struct Sampling: CustomTestStringConvertible, Sendable {
    let horizontal: Int
    let vertical: Int
    var testDescription: String { "\(horizontal)×\(vertical)" }
  }

  static let samplings = [
    Sampling(horizontal: 1, vertical: 1), Sampling(horizontal: 2, vertical: 1),
    Sampling(horizontal: 2, vertical: 2),
  ]

  /// Chroma of a pixel, times the weights' sum, then rounded up and down in turn.
  private static func chroma(
    _ x: Int, _ near: [UInt8], _ far: [UInt8], _ sampling: Sampling
  ) -> Int {
    if sampling.horizontal == 1 { return Int(near[x]) }
    func sum(_ at: Int) -> Int {
      let i = min(max(at, 0), near.count - 1)
      return sampling.vertical == 2 ? 3 * Int(near[i]) + Int(far[i]) : Int(near[i])
    }
    let both = 3 * sum(x / 2) + sum(x / 2 + (x.isMultiple(of: 2) ? -1 : 1))
    if sampling.vertical == 2 { return (both + (x.isMultiple(of: 2) ? 8 : 7)) >> 4 }
    return (both + (x.isMultiple(of: 2) ? 1 : 2)) >> 2
  }

  private static func pixel(_ luma: UInt8, _ cb: Int, _ cr: Int) -> [UInt8] {
    let (y, b, r) = (Int(luma), cb - 128, cr - 128)
    return [
      y + (91_881 * r + 32_768) >> 16, y + (-22_554 * b - 46_802 * r + 32_768) >> 16,
      y + (116_130 * b + 32_768) >> 16,
    ].map { UInt8(clamping: $0) }
  }

  @Test(arguments: KernelPath.all, samplings)
  func `samples become the pixels of the definition`(_ path: KernelPath, sampling: Sampling) {
    for width in [5, 6, 64, 127, 515, 1027, 1540] {
      let chromaWidth = (width + sampling.horizontal - 1) / sampling.horizontal
      func plane(_ count: Int, _ seed: Int) -> [UInt8] {
        KernelSamples.bytes(count, seed: UInt64(width * 10 + seed))
      }
      let luma = plane(width, 0)
      let (cb, cr) = (
        (1...2).map { plane(chromaWidth, $0) }, (3...4).map { plane(chromaWidth, $0) }
      )
      // From the start, from an odd pixel, and across the pieces that a kernel works in.
      for first in [0, 1, 2, min(510, width - 2), width - 1] {
        for count in [1, 3, width] where first + count <= width {
          var out = [UInt8](repeating: 7, count: 3 * count + 1)
          luma.withUnsafeBufferPointer { y in
            cb[0].withUnsafeBufferPointer { cb0 in
              cb[1].withUnsafeBufferPointer { cb1 in
                cr[0].withUnsafeBufferPointer { cr0 in
                  cr[1].withUnsafeBufferPointer { cr1 in
                    var row = pe_sampled_row(
                      y: y.baseAddress, cb: (cb0.baseAddress, cb1.baseAddress),
                      cr: (cr0.baseAddress, cr1.baseAddress), chroma_width: chromaWidth,
                      horizontal: Int32(sampling.horizontal), vertical: Int32(sampling.vertical))
                    out.withUnsafeMutableBufferPointer { out in
                      let red = out.baseAddress!
                      path.kernels.sampled_to_rgb(
                        &row, first, count, red, red + count, red + 2 * count)
                    }
                  }
                }
              }
            }
          }
          var expected = [UInt8](repeating: 7, count: 3 * count + 1)
          for x in 0..<count {
            let pixel = Self.pixel(
              luma[first + x], Self.chroma(first + x, cb[0], cb[1], sampling),
              Self.chroma(first + x, cr[0], cr[1], sampling))
            for channel in 0..<3 { expected[channel * count + x] = pixel[channel] }
          }
          #expect(out == expected, "\(count) pixels from \(first) of \(width)")
        }
      }
    }
  }

  @Test(arguments: KernelPath.all) func `every color is converted as defined`(_ path: KernelPath) {
    // All pairs of two channels, with a third that goes through all its levels.
    let count = 1 << 16
    let red = (0..<count).map { UInt8($0 & 255) }
    let green = (0..<count).map { UInt8($0 >> 8) }
    let blue = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 >> 8) }
    var luma = [UInt8](repeating: 0, count: count)
    var (cb, cr) = (luma, luma)
    path.kernels.rgb_to_ycc(red, green, blue, count, &luma, &cb, &cr)
    var wrong = 0
    for i in 0..<count {
      let (r, g, b) = (Int(red[i]), Int(green[i]), Int(blue[i]))
      let expected = [
        (19_595 * r + 38_470 * g + 7471 * b + 32_768) >> 16,
        (-11_059 * r - 21_709 * g + 32_768 * b + 128 << 16 + 32_767) >> 16,
        (32_768 * r - 27_439 * g - 5329 * b + 128 << 16 + 32_767) >> 16,
      ]
      if expected != [Int(luma[i]), Int(cb[i]), Int(cr[i])] { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: KernelPath.all) func `halves are rounded in turn`(_ path: KernelPath) {
    for count in KernelSamples.lengths {
      let upper = KernelSamples.bytes(2 * count, seed: UInt64(count + 1))
      let lower = KernelSamples.bytes(2 * count, seed: UInt64(count + 2))
      var pairs = [UInt8](repeating: 0, count: count)
      var squares = pairs
      path.kernels.average_pairs(upper, nil, count, &pairs)
      path.kernels.average_pairs(upper, lower, count, &squares)
      for i in 0..<count {
        let above = Int(upper[2 * i]) + Int(upper[2 * i + 1])
        let below = Int(lower[2 * i]) + Int(lower[2 * i + 1])
        #expect(Int(pairs[i]) == (above + i % 2) >> 1)
        #expect(Int(squares[i]) == (above + below + 1 + i % 2) >> 2)
      }
    }
  }
}
