// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform
import Testing

@Suite("Tone mapping kernel")
struct ToneMapKernelTests {
  private static let steps = Int(PE_TONE_STEPS)

  private static func table(_ count: Int, _ exponent: Float) -> [Float] {
    (0..<count).map { pow(Float($0) / Float(count - 1), exponent) }
  }

  /// Returns red, green and blue for codes, each with one more value that must stay as it is.
  private func mapped(
    _ codes: [[UInt16]], _ count: Int, isWide: Bool, hasGain: Bool, _ path: KernelPath
  ) -> [[Float]] {
    let light = Self.table(65_536, 4)
    let tables = [0.2, 0.8, 0.9, 2.4, 0.8].map { Self.table(Self.steps + 1, $0) }
    var values = [Float](repeating: -7, count: 3 * (count + 1))
    light.withUnsafeBufferPointer { light in
      let all = tables.map { table in
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: table.count)
        copy.initialize(from: table, count: table.count)
        return copy
      }
      defer { for table in all { table.deallocate() } }
      var how = pe_tone_mapping(
        light: light.baseAddress, gain: hasGain ? UnsafePointer(all[0]) : nil, root: all[1],
        luma: all[2], power: all[3], curve: all[4],
        to_wide: (0.9, 0.05, 0.05, 0, 1, 0, -0.1, 0.1, 1),
        to_result: (1.3, -0.2, -0.1, 0, 1, 0, 0, 0.1, 0.9), is_wide: isWide ? 1 : 0,
        weights: (0.2627, 0.6780, 0.0593))
      values.withUnsafeMutableBufferPointer { values in
        guard let x = values.baseAddress else { return }
        path.kernels.tone_map(
          &how, count, codes[0], codes[1], codes[2], x, x + count + 1, x + 2 * (count + 1))
      }
    }
    return (0..<3).map { Array(values[($0 * (count + 1))..<(($0 + 1) * (count + 1))]) }
  }

  @Test(arguments: [false, true], [false, true])
  func `every path gives the same bits for any length, from 0 to 1`(
    isWide: Bool, hasGain: Bool
  ) throws {
    let codes = (1...3).map { seed in
      [0, .max, 1] + KernelSamples.levels(1021, seed: UInt64(seed)).map { UInt16($0 * 65_535) }
    }
    let whole = mapped(
      codes, 1024, isWide: isWide, hasGain: hasGain, try #require(KernelPath.baseline))
    #expect(whole.allSatisfy { $0.dropLast().allSatisfy { (0...1).contains($0) } })
    #expect(Set(whole.joined()).count > 2000)
    for path in KernelPath.all {
      for count in KernelSamples.lengths {
        let result = mapped(codes, count, isWide: isWide, hasGain: hasGain, path)
        for (plane, expected) in zip(result, whole) {
          #expect(bits(plane.dropLast()) == bits(expected.prefix(count)) && plane.last == -7)
        }
      }
    }
  }
}

extension KernelPath {
  fileprivate static let baseline = all.first { $0.path == PE_PATH_BASELINE }
}
