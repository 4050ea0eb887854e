// SPDX-License-Identifier: Apache-2.0
package import CPhotoEditKernels
package import PhotoEditPixels

/// A map of single colors that is neither a curve for each channel nor a matrix.
public struct PixelMap: Sendable, Hashable {
  package let mapping: any PixelMapping

  package init(_ mapping: any PixelMapping) { self.mapping = mapping }

  /// Creates the map of a cube, which approximates any function of a color.
  public init(
    _ cube: ColorLUT3D, interpolation: ColorLUT3D.Interpolation = .tetrahedral
  ) {
    mapping = CubeMap(cube: cube, interpolation: interpolation)
  }

  /// Returns the same map for a part of the image.
  package func cropped(to region: Region) -> PixelMap { PixelMap(mapping.cropped(to: region)) }

  /// Returns the mapped color of a pixel in double precision.
  public func callAsFunction(_ color: SIMD3<Double>, x: Int = 0, y: Int = 0) -> SIMD3<Double> {
    mapping(color, x: x, y: y)
  }

  /// Returns whether both are the same value of the same type.
  public static func == (left: PixelMap, right: PixelMap) -> Bool {
    AnyHashable(left.mapping) == AnyHashable(right.mapping)
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { mapping.hash(into: &hasher) }

  static func luma(_ color: SIMD3<Double>) -> Double {
    let weights = LumaWeights.rec601
    return (color * SIMD3(weights[0], weights[1], weights[2])).sum()
  }
}

/// A value of a pixel map: its definition in double precision, and the kernel that computes it.
///
/// Planning, fusion and compilation are the same for all conforming types and require nothing else.
package protocol PixelMapping: Sendable, Hashable {
  /// Indicates whether every gray pixel stays gray, so that a gray image can be processed as one
  /// plane.
  var preservesGray: Bool { get }
  /// Indicates whether the map depends on the position of a pixel.
  var dependsOnPosition: Bool { get }
  /// Returns the same map for a part of the image.
  func cropped(to region: Region) -> Self
  /// Returns the mapped color of a pixel in double precision.
  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double>
  /// The function in the kernel table that computes the map.
  var kernel: PixelKernel { get }
  /// Returns the constants that the kernel reads in addition to pixels.
  func constants(in memory: any KernelMemory) -> UnsafeRawPointer
}

extension PixelMapping {
  package var dependsOnPosition: Bool { false }
  package func cropped(to region: Region) -> Self { self }
}

/// A kernel that maps pixels of a row.
package typealias PixelKernel =
  @convention(c) (UnsafePointer<pe_pixel_run>?, UnsafeRawPointer?) -> Void

/// Memory for kernel constants; it is valid while the kernels run and never moves.
package protocol KernelMemory {
  /// Copies elements.
  func store<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element>
}

/// Channels computed from all channels, their squares and their products.
public struct CrossPolynomial: Sendable, Hashable, PixelMapping {
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

  package var preservesGray: Bool { false }

  package var kernel: PixelKernel { pe_cross_polynomial }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store(rows.flatMap { $0.map { Float($0) } }))
  }
}

/// Looks up colors in a cube.
struct CubeMap: PixelMapping {
  let cube: ColorLUT3D
  let interpolation: ColorLUT3D.Interpolation

  var preservesGray: Bool { false }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    cube(color, interpolation)
  }

  var kernel: PixelKernel {
    interpolation == .tetrahedral ? pe_lut3d_tetrahedral : pe_lut3d_trilinear
  }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let (lower, scale) = (cube.domain.lower, cube.domain.scale(entries: cube.size))
    let table = pe_lookup_cube(
      entries: UnsafeRawPointer(memory.store(cube.nodes)).assumingMemoryBound(to: Float.self),
      size: cube.size, low: (lower.x, lower.y, lower.z), scale: (scale.x, scale.y, scale.z))
    return UnsafeRawPointer(memory.store([table]))
  }
}

/// A map that saturates pale colors more than others.
package struct VibranceMap: PixelMapping {
  /// The strength, −1 to 1.
  let amount: Double

  package init(_ amount: Double) { self.amount = amount }

  package var preservesGray: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let weights = LumaWeights.rec709
    let luma = (color * SIMD3(weights[0], weights[1], weights[2])).sum()
    let range = color.max() - color.min()
    return luma + (color - luma) * (1 + amount * (1 - (amount < 0 ? -range : range)))
  }

  package var kernel: PixelKernel { pe_vibrance }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store([Float(amount)]))
  }
}
