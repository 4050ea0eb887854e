// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A step whose pixels are made of other pixels: rows of planes in, rows of planes out.
///
/// Colours are premultiplied where there is alpha. Beyond the edge the outermost pixels go on,
/// unless a case says otherwise.
public enum AreaOperation: Sendable, Hashable {
  /// Sampled along a projection.
  case warp(Warp)
  /// Put into a larger frame.
  case pad(Padding)
  /// Made of the pixels around.
  case neighbourhood(Neighbourhood)
  /// Means of square cells of so many pixels a side, from the top left on; the outermost ones may
  /// be smaller.
  case cells(Int)
  /// Without noise, by the wavelet transform of the whole picture.
  case wavelet(WaveletShrinkage)

  /// What planning asks of it; the one place that tells areas apart.
  package var facts: any AreaFacts {
    switch self {
    case .warp(let warp): warp
    case .pad(let padding): padding
    case .neighbourhood(let neighbourhood): neighbourhood.facts
    case .cells(let side): CellMeans(side: side)
    case .wavelet(let shrinkage): shrinkage
    }
  }
}

/// What planning asks of a step whose pixels are made of other pixels; each says it in its file.
package protocol AreaFacts {
  /// The size of the picture after this step.
  func outputSize(of size: PixelSize) -> PixelSize
  /// Whether a pixel may end up somewhere else.
  var movesPixels: Bool { get }
  /// The rows of a picture that some rows of the result are made of.
  func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int>
  /// Neighbors on each side that a pixel depends on; nil where it depends on other things too.
  ///
  /// Where it is known, a cut may come first, with so many pixels more.
  var neighbors: Int? { get }
  /// Rows that are worth making at once, for what they share.
  var rowsAtOnce: Int { get }
  /// Strips of a result of some height begin and end at multiples of this many rows.
  func alignment(height: Int) -> Int
  /// The step that does to the turned picture what this one does to the picture; nil where the
  /// turn has to wait.
  func turnedArea(by turn: Orientation) -> AreaOperation?
  /// Whether every gray picture stays gray.
  var keepsGray: Bool { get }
  /// The step in a few words.
  var summary: String { get }
}

extension AreaFacts {
  package func outputSize(of size: PixelSize) -> PixelSize { size }
  package var movesPixels: Bool { false }
  package var neighbors: Int? { nil }
  package var rowsAtOnce: Int { 1 }
  package func alignment(height: Int) -> Int { 1 }
  package func turnedArea(by turn: Orientation) -> AreaOperation? { nil }
  package var keepsGray: Bool { true }
}

extension SIMD3<Double> {
  /// White in every space.
  package static var white: SIMD3<Double> { SIMD3(repeating: 1) }
  /// Whether red, green and blue are the same.
  package var hasEqualChannels: Bool { x == y && y == z }
}
