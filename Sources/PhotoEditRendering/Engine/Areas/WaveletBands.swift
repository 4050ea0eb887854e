// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The coefficients of a decomposition level in bands, low or high vertically and then
/// horizontally: all of its rows, or the last ones.
final class WaveletBands: @unchecked Sendable {
  // Safe: a band is written and read by one thread at a time, or only read.
  /// The size of each band.
  let size: PixelSize
  /// The number of rows in memory.
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Daubechies' wavelet with two vanishing moments, with its coefficients in reverse order.
  static let filters: pe_wavelet = {
    let root = 3.0.squareRoot()
    let low = [1 - root, 3 - root, 3 + root, 1 + root].map { Float($0 / 32.0.squareRoot()) }
    return pe_wavelet(
      low: (low[0], low[1], low[2], low[3]), high: (-low[3], low[2], -low[1], low[0]))
  }()

  /// Allocates the bands of an image of the given size.
  init(of size: PixelSize, capacity: Int) {
    self.size = WaveletShrinkage.bandSize(of: size)
    self.capacity = capacity
    memory = .allocate(capacity: 4 * capacity * self.size.width)
  }

  deinit { memory.deallocate() }

  /// Returns a row of a band, numbered from 0; the first one is low in both directions, and is used
  /// only by the coarsest level.
  func row(_ y: Int, _ band: Int) -> UnsafeMutablePointer<Float> {
    memory + (y % capacity * 4 + band) * size.width
  }
}
