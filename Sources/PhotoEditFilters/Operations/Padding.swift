// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A border around an image.
public struct Padding: Sendable, Hashable {
  /// The contents of the border.
  public enum Fill: Sendable, Hashable {
    /// The outermost pixels, extended.
    case edge
    /// Values of red, green and blue in the current transfer encoding; opaque.
    case color(SIMD3<Double>)
    /// Black, and with alpha, transparent.
    case clear
  }

  /// Columns to the left of the image; negative values crop.
  public var left: Int
  /// Rows above the image; negative values crop.
  public var top: Int
  /// The size including the border.
  public var size: PixelSize
  /// The contents of the border.
  public var fill: Fill

  /// Creates a border.
  public init(left: Int, top: Int, size: PixelSize, fill: Fill) {
    self.left = left
    self.top = top
    self.size = size
    self.fill = fill
  }

}

extension Padding: AreaFacts {
  package func outputSize(of size: PixelSize) -> PixelSize { self.size }
  package var movesPixels: Bool { true }

  package var preservesGray: Bool {
    if case .color(let color) = fill { color.hasEqualChannels } else { true }
  }

  package var summary: String { "border to \(size)" }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    let last = input.height - 1
    let first = min(max(rows.lowerBound - top, 0), last)
    return first..<min(max(rows.upperBound - 1 - top, 0), last) + 1
  }
}
