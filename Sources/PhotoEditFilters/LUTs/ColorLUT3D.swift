// SPDX-License-Identifier: Apache-2.0

/// A map of colors as a cube of entries with even steps along red, green and blue.
///
/// - Source: Adobe, "Cube LUT Specification 1.0", 2013, three-dimensional tables.
public struct ColorLUT3D: Sendable, Hashable {
  /// The interpolation between entries.
  public enum Interpolation: String, Sendable, Hashable, CaseIterable {
    /// From the four corners of the enclosing tetrahedron; keeps grays neutral.
    case tetrahedral
    /// From the eight corners of the enclosing cell.
    case trilinear
  }

  /// The allowed number of entries along a side; at most that of a Hald CLUT of level 16.
  public static let allowedSize = 2...256

  /// The number of entries along a side.
  public let size: Int
  /// The colors from the first to the last entry of each side.
  public let domain: LookupDomain
  /// The colors, red fastest, then green, then blue; the fourth number is 0.
  package let nodes: [SIMD4<Float>]

  /// Creates a cube.
  ///
  /// - Parameters:
  ///   - size: The number of entries along a side, 2 to 256.
  ///   - entries: size³ colors; red changes fastest, blue slowest.
  /// - Throws: `LUTFileError.values` for another number of entries, or one that is not finite.
  public init(
    size: Int, entries: [SIMD3<Float>], domain: LookupDomain = .unit
  ) throws(LUTFileError) {
    try self.init(size: size, nodes: entries.map { SIMD4($0, 0) }, domain: domain)
  }

  init(size: Int, nodes: [SIMD4<Float>], domain: LookupDomain) throws(LUTFileError) {
    guard Self.allowedSize.contains(size) else {
      throw .values(found: "\(size) entries per side", allowed: "2–256 entries")
    }
    guard nodes.count == size * size * size else {
      throw .values(
        found: "\(nodes.count) entries",
        allowed: "\(size * size * size) entries for \(size) per side")
    }
    guard nodes.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }) else {
      throw .values(found: "a non-finite entry", allowed: "finite numbers")
    }
    (self.size, self.nodes, self.domain) = (size, nodes, domain)
  }

  /// The color of an entry.
  public subscript(red: Int, green: Int, blue: Int) -> SIMD3<Float> {
    let node = nodes[(blue * size + green) * size + red]
    return SIMD3(node.x, node.y, node.z)
  }

  /// Hashes the size, the domain and a few colors: hashing a whole cube would take longer than
  /// using it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(domain)
    for index in stride(from: 0, to: nodes.count, by: max(1, nodes.count / 16)) {
      hasher.combine(nodes[index])
    }
  }

  /// Applies the cube to a color in double precision.
  public func callAsFunction(
    _ color: SIMD3<Double>, _ interpolation: Interpolation
  ) -> SIMD3<Double> {
    var entries = SIMD3<Int>()
    var shares = SIMD3<Double>()
    for channel in 0..<3 {
      (entries[channel], shares[channel]) = domain.position(
        color[channel], channel: channel, entries: size)
    }
    func corner(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Double> {
      SIMD3<Double>(self[entries.x + red, entries.y + green, entries.z + blue])
    }
    switch interpolation {
    case .trilinear:
      func along(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ share: Double) -> SIMD3<Double> {
        a * (1 - share) + b * share
      }
      func plane(_ blue: Int) -> SIMD3<Double> {
        along(
          along(corner(0, 0, blue), corner(1, 0, blue), shares.x),
          along(corner(0, 1, blue), corner(1, 1, blue), shares.x), shares.y)
      }
      return along(plane(0), plane(1), shares.z)
    case .tetrahedral:
      // From the cell's first corner to its last along its edges, the largest fraction first.
      let axes = [0, 1, 2].sorted { shares[$0] > shares[$1] }
      var step = SIMD3<Int>()
      var result = corner(0, 0, 0) * (1 - shares[axes[0]])
      for (position, axis) in axes.enumerated() {
        step[axis] = 1
        let next = position < 2 ? shares[axes[position + 1]] : 0
        result += corner(step.x, step.y, step.z) * (shares[axis] - next)
      }
      return result
    }
  }

  /// The levels of Hald CLUTs that can be read.
  public static let haldLevels = 2...16

  /// Returns the level of a Hald CLUT of a size; nil if an image of that size is not a Hald CLUT.
  ///
  /// A Hald CLUT of level n is a square of n³ × n³ pixels and a cube with n² entries along a side.
  public static func haldLevel(width: Int, height: Int) -> Int? {
    haldLevels.first { $0 * $0 * $0 == width && width == height }
  }

  /// Creates a cube from the pixels of a Hald CLUT: row after row they are the cube, red fastest.
  ///
  /// - Source: Quelsolaar, "Hald images", http://www.quelsolaar.com/technology/clut.html.
  ///
  /// - Parameter samples: Red, green and blue of each pixel, interleaved, row by row from the top.
  /// - Throws: `LUTFileError.hald` for another size, `LUTFileError.values` for samples that do not
  ///   match.
  public init(haldWidth width: Int, height: Int, samples: [Float]) throws(LUTFileError) {
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
