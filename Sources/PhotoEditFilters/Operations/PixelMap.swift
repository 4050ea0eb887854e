// SPDX-License-Identifier: Apache-2.0
package import CPhotoEditKernels
package import PhotoEditPixels

/// A map of single colors that is neither a curve for each channel nor a matrix.
public struct PixelMap: Sendable, Hashable {
  package let mapping: any PixelMapping

  package init(_ mapping: any PixelMapping) { self.mapping = mapping }

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
