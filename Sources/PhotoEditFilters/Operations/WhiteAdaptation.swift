// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// A map of linear light that adapts colors to another white, without clipping what becomes brighter
/// and without coloring what is white already.
///
/// The matrix is followed by a roll-off of the largest value that a channel can get. Where the
/// smallest channel approaches white, the color of the light is unknown, since all channels may be
/// clipped: there, the result fades to gray as bright as the brightest channel before or after the
/// adaptation. As nothing becomes darker by that, a ramp of grays stays one.
struct WhiteAdaptation: PixelMapping {
  /// The smallest channel at which white begins to be kept, and from which it is.
  private static let white = (low: 0.7, high: 0.93)

  private let matrix: ColorTransform
  private let rollOff: RollOff

  /// Creates the map of a matrix without a bias.
  init(_ matrix: ColorTransform) {
    self.matrix = matrix
    let most = matrix.rows.map { $0.reduce(0) { $0 + max($1, 0) } }
    rollOff = RollOff(knee: 0.75, white: max(most[0], most[1], most[2], 1))
  }

  // The matrix of an adaptation gives gray a color.
  var preservesGray: Bool { false }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let adapted = rollOff(matrix.applied(to: color), x: x, y: y)
    let share = smoothStep(Self.white.low, Self.white.high, color.min())
    return adapted + share * (max(color.max(), adapted.max()) - adapted)
  }

  var kernel: PixelKernel { pe_white_adaptation }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let m = matrix.rows.map { $0.map { Float($0) } }
    let how = pe_adaptation(
      matrix: (
        m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]
      ),
      curve: rollOff.curve, white_low: Float(Self.white.low), white_high: Float(Self.white.high))
    return UnsafeRawPointer(memory.store([how]))
  }
}
