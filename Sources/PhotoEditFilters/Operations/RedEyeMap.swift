// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

/// Takes the red out of red pixels in discs, one disc after another.
struct RedEyeMap: PixelMapping {
  /// A disc, in pixels from the upper left corner.
  struct Disc: Hashable {
    var center: SIMD2<Double>
    var radius: Double
  }

  private var discs: [Disc]
  private let slack: Double

  /// Creates the map; `threshold` is that of the filter.
  init(discs: [Disc], threshold: Double) {
    (self.discs, slack) = (discs, 2 * (threshold - 0.4))
  }

  var preservesGray: Bool { false }
  var dependsOnPosition: Bool { true }

  func cropped(to region: Region) -> RedEyeMap {
    var cropped = self
    let origin = SIMD2(Double(region.x), Double(region.y))
    for index in discs.indices { cropped.discs[index].center -= origin }
    return cropped
  }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let position = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    var red = color.x
    for disc in discs {
      let offset = position - disc.center
      let distance = (offset * offset).sum().squareRoot() / disc.radius
      guard distance < 1, 0.5133 * red >= color.y - slack,
        0.5133 * red >= 0.1933 * color.z - slack
      else { continue }
      let dark = min(max((color.y + 0.1933 * color.z) / 1.0266, 0), 1)
      red += (1 - smoothStep(0.75, 1, distance)) * (dark - red)
    }
    return SIMD3(red, color.y, color.z)
  }

  var kernel: PixelKernel { pe_red_eye }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let stored = memory.store(
      discs.map {
        pe_disc(x: Float($0.center.x), y: Float($0.center.y), radius: Float($0.radius))
      })
    let how = pe_red_discs(discs: stored, count: discs.count, slack: Float(slack))
    return UnsafeRawPointer(memory.store([how]))
  }
}
