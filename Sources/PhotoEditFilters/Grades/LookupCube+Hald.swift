// SPDX-License-Identifier: Apache-2.0

extension LookupCube {
  /// The levels of Hald CLUTs that are read.
  public static let haldLevels = 2...16

  /// The level of a Hald CLUT of some size; nil when a picture of that size is none.
  ///
  /// A Hald CLUT of level n is a square of n³ × n³ pixels and a cube with n² entries along a side.
  public static func haldLevel(width: Int, height: Int) -> Int? {
    haldLevels.first { $0 * $0 * $0 == width && width == height }
  }

  /// Makes a cube of the pixels of a Hald CLUT: row after row they are the cube, red fastest.
  ///
  /// - Source: Quelsolaar, "Hald images", http://www.quelsolaar.com/technology/clut.html.
  ///
  /// - Parameter samples: Red, green and blue of each pixel, interleaved, row by row from the top.
  /// - Throws: `GradeError.hald` for another size, `GradeError.values` for samples that do not fit.
  public init(haldWidth width: Int, height: Int, samples: [Float]) throws(GradeError) {
    guard let level = Self.haldLevel(width: width, height: height) else {
      throw .hald(width: width, height: height)
    }
    let count = width * height
    guard samples.count == 3 * count else {
      throw .values(
        found: "\(samples.count) samples", allowed: "\(3 * count) for \(width) × \(height) pixels")
    }
    let nodes = (0..<count).map {
      SIMD4(samples[3 * $0], samples[3 * $0 + 1], samples[3 * $0 + 2], 0)
    }
    try self.init(size: level * level, nodes: nodes, domain: .unit)
  }
}
