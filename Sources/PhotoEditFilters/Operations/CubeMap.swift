// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

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
