// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A step that computes pixels from other pixels, from rows of planes to rows of planes.
///
/// Colors are premultiplied if there is alpha. At the edges the outermost pixels are extended,
/// unless a case specifies otherwise.
public enum AreaOperation: Sendable, Hashable {
  /// Resampling along a projection.
  case warp(Warp)
  /// Padding to a larger frame.
  case pad(Padding)
  /// Computation from the surrounding pixels.
  case neighborhood(NeighborhoodOperation)
  /// Means of square cells with a side length in pixels, from the top left; the outermost cells may
  /// be smaller.
  case cells(Int)
  /// The replacement of discs by other discs.
  case healing(Healing)
  /// Noise reduction by the wavelet transform of the whole image.
  case wavelet(WaveletShrinkage)
  /// The measurement of noise.
  case noise(NoiseMeasurement)

  /// The properties used for planning; the only switch over area operations.
  package var facts: any AreaFacts {
    switch self {
    case .warp(let warp): warp
    case .pad(let padding): padding
    case .neighborhood(let neighborhood): neighborhood.facts
    case .cells(let side): CellMeans(side: side)
    case .healing(let healing): healing
    case .wavelet(let shrinkage): shrinkage
    case .noise(let measurement): measurement
    }
  }
}

/// The properties used for planning a step that computes pixels from other pixels; each conforming
/// type declares them in its file.
package protocol AreaFacts {
  /// Returns the size of the image after this step.
  func outputSize(of size: PixelSize) -> PixelSize
  /// Indicates whether pixels may move.
  var movesPixels: Bool { get }
  /// Returns the rows of the input that rows of the result depend on.
  func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int>
  /// The number of neighbors on each side that a pixel depends on; nil if it depends on anything
  /// else.
  ///
  /// If it is known, a crop may run first, enlarged by this number of pixels.
  var neighbors: Int? { get }
  /// The number of rows that are best computed at once because of shared work.
  var rowsAtOnce: Int { get }
  /// Indicates whether a strip may need memory for some rows as large as its input.
  var needsWorkingRows: Bool { get }
  /// Indicates whether strips are computed in order from the top of the image, each from the rows
  /// of the input that the strips above did not need; `inputRows` returns those.
  var startsAtTop: Bool { get }
  /// Returns the memory for a transform of one plane, which all strips share, in bytes; 0 if strips
  /// are independent.
  func transformBytes(of size: PixelSize) -> Int
  /// Returns the number of rows to which the strips of a result of some height are aligned.
  func alignment(height: Int) -> Int
  /// Returns the equivalent step for the rotated image; nil if the rotation cannot run before it.
  func rotatedArea(by orientation: Orientation) -> AreaOperation?
  /// Indicates whether every gray image stays gray.
  var preservesGray: Bool { get }
  /// A short description of the step.
  var summary: String { get }
}

extension AreaFacts {
  package func outputSize(of size: PixelSize) -> PixelSize { size }
  package var movesPixels: Bool { false }
  package var neighbors: Int? { nil }
  package var rowsAtOnce: Int { 1 }
  package var needsWorkingRows: Bool { true }
  package var startsAtTop: Bool { false }
  package func transformBytes(of size: PixelSize) -> Int { 0 }
  package func alignment(height: Int) -> Int { 1 }
  package func rotatedArea(by orientation: Orientation) -> AreaOperation? { nil }
  package var preservesGray: Bool { true }
}

extension SIMD3<Double> {
  /// White in every color space.
  package static var white: SIMD3<Double> { SIMD3(repeating: 1) }
  /// Indicates whether red, green and blue are equal.
  package var hasEqualChannels: Bool { x == y && y == z }
}

/// Means of square cells.
struct CellMeans: AreaFacts {
  let side: Int

  func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    rows.lowerBound / side * side..<min(input.height, (rows.upperBound + side - 1) / side * side)
  }

  var rowsAtOnce: Int { side }
  func alignment(height: Int) -> Int { side }
  var summary: String { "mean of \(side)×\(side) pixel cells" }
}

/// A border around an image.
public struct Padding: Sendable, Hashable, AreaFacts {
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
    (self.left, self.top, self.size, self.fill) = (left, top, size, fill)
  }

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
