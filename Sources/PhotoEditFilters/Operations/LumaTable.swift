// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// A lookup table with one entry for each of 256 levels; linear between them.
public struct LumaTable: Sendable, Hashable {
  /// The output for the levels 0, 1/255, …, 1.
  public let levels: [Float]

  /// Creates a table of 256 levels, 0 to 1.
  public init(_ levels: [Float]) {
    precondition(levels.count == 256, "a level for each byte")
    self.levels = levels
  }

  /// Returns the output for a level; levels outside 0 to 1 are clamped.
  public func callAsFunction(_ level: Double) -> Double {
    let position = min(max(level, 0), 1) * 255
    let index = min(Int(position), 254)
    let (low, high) = (Double(levels[index]), Double(levels[index + 1]))
    return low + (high - low) * (position - Double(index))
  }
}

extension LumaTable: PixelMapping {
  package var preservesGray: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let luma = PixelMap.luma(color)
    return color + (self(luma) - luma)
  }

  package var kernel: PixelKernel { pe_luma_table }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store(levels))
  }
}
