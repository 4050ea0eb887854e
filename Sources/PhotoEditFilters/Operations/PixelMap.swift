// SPDX-License-Identifier: Apache-2.0
package import CPhotoEditKernels
package import PhotoEditPixels

/// A change of single colors that is neither a curve for each channel nor a matrix.
public struct PixelMap: Sendable, Hashable {
  package let mapping: any PixelMapping

  package init(_ mapping: any PixelMapping) { self.mapping = mapping }

  /// The same change for a part of the picture.
  package func cut(to region: Region) -> PixelMap { PixelMap(mapping.cut(to: region)) }

  /// The color that a pixel becomes, in double precision.
  public func callAsFunction(_ color: SIMD3<Double>, x: Int = 0, y: Int = 0) -> SIMD3<Double> {
    mapping(color, x: x, y: y)
  }

  /// Whether both are the same value of the same kind.
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

/// A value of a pixel map: its definition in double precision, and the kernel that does it.
///
/// Planning, fusion and compilation are the same for all of them and ask for nothing else.
package protocol PixelMapping: Sendable, Hashable {
  /// Whether every gray pixel stays gray, or a gray picture is worked on as one plane.
  var keepsGray: Bool { get }
  /// Whether the change depends on where a pixel lies.
  var dependsOnPlace: Bool { get }
  /// The same change for a part of the picture.
  func cut(to region: Region) -> Self
  /// The color that a pixel becomes, in double precision.
  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double>
  /// The function of the list of kernels that does it.
  var kernel: PixelKernel { get }
  /// What the kernel reads besides pixels.
  func constants(in memory: any KernelMemory) -> UnsafeRawPointer
}

extension PixelMapping {
  package var dependsOnPlace: Bool { false }
  package func cut(to region: Region) -> Self { self }
}

/// A kernel that maps pixels of a row.
package typealias PixelKernel =
  @convention(c) (UnsafePointer<pe_pixel_run>?, UnsafeRawPointer?) -> Void

/// Memory for what kernels read; it lasts as long as they run and never moves.
package protocol KernelMemory {
  /// Copies elements.
  func store<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element>
}
