// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// Channels computed from all channels, their squares and their products.
public struct CrossPolynomial: Sendable, Hashable {
  /// The coefficients of R, G, B, R², G², B², R·G, G·B, B·R and 1, for red, green and blue.
  public let rows: [[Double]]

  /// Creates a polynomial from three rows of ten coefficients.
  public init(_ rows: [[Double]]) {
    precondition(rows.count == 3 && rows.allSatisfy { $0.count == 10 })
    self.rows = rows
  }

  /// Returns the transformed color of a pixel.
  public func callAsFunction(
    _ color: SIMD3<Double>, x: Int = 0, y: Int = 0
  ) -> SIMD3<Double> {
    let (r, g, b) = (color.x, color.y, color.z)
    let terms = [r, g, b, r * r, g * g, b * b, r * g, g * b, b * r, 1]
    let sums = rows.map { row in zip(row, terms).reduce(0) { $0 + $1.0 * $1.1 } }
    return SIMD3(sums[0], sums[1], sums[2])
  }
}

extension CrossPolynomial: PixelMapping {
  package var preservesGray: Bool { false }

  package var kernel: PixelKernel { pe_cross_polynomial }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store(rows.flatMap { $0.map { Float($0) } }))
  }
}
