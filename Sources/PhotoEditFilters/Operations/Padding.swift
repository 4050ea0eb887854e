// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A frame around a picture.
public struct Padding: Sendable, Hashable {
  /// What the frame is filled with.
  public enum Fill: Sendable, Hashable {
    /// The outermost pixels go on.
    case edge
    /// Numbers of red, green and blue in the light that is worked in; opaque.
    case color(SIMD3<Double>)
    /// Nothing: black, and where there is alpha, transparent.
    case clear
  }

  /// Columns in front of the picture; below zero they are cut off.
  public var left: Int
  /// Rows above the picture; below zero they are cut off.
  public var top: Int
  /// Size with the frame.
  public var size: PixelSize
  /// What the frame is filled with.
  public var fill: Fill

  /// Makes a frame.
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

  package var keepsGray: Bool {
    if case .color(let color) = fill { color.hasEqualChannels } else { true }
  }

  package var summary: String { "frame of \(size)" }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    let last = input.height - 1
    let first = min(max(rows.lowerBound - top, 0), last)
    return first..<min(max(rows.upperBound - 1 - top, 0), last) + 1
  }
}
