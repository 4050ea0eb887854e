// SPDX-License-Identifier: Apache-2.0

/// An error of comparing two images sample by sample.
public enum ComparisonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The images have different sizes; nothing is scaled to match.
  case differentSizes(PixelSize, PixelSize)
  /// There are no pixels, so every mean would be a division by zero.
  case empty(PixelSize)
  /// Two planes have different numbers of samples.
  case differentCounts(Int, Int)

  /// One sentence with both sizes and what to do.
  public var description: String {
    switch self {
    case .differentSizes(let first, let second):
      "the images have different sizes (\(first) and \(second)); crop or resize one of them first"
    case .empty(let size):
      "an image of \(size) has no pixels; compare images of at least 1×1"
    case .differentCounts(let first, let second):
      "the planes have \(first) and \(second) samples; compare nonempty planes of equal size"
    }
  }
}
