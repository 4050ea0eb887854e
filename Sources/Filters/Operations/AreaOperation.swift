// SPDX-License-Identifier: Apache-2.0
public import Pixels

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

  /// The size of the picture after this step.
  package func outputSize(of size: PixelSize) -> PixelSize {
    switch self {
    case .warp(let warp): warp.size
    case .pad(let padding): padding.size
    case .neighbourhood, .cells, .wavelet: size
    }
  }

  /// Whether a pixel may end up somewhere else.
  package var movesPixels: Bool {
    switch self {
    case .warp, .pad: true
    case .neighbourhood, .cells, .wavelet: false
    }
  }

  /// The rows of a picture that some rows of the result are made of.
  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    switch self {
    case .warp(let warp): warp.inputRows(for: rows, input: input)
    case .pad(let padding): padding.inputRows(for: rows, input: input)
    case .neighbourhood(let neighbourhood):
      max(
        0, rows.lowerBound - neighbourhood.reach)..<min(
          input.height, rows.upperBound + neighbourhood.reach)
    case .cells(let side):
      rows.lowerBound / side
        * side..<min(
          input.height, (rows.upperBound + side - 1) / side * side)
    case .wavelet: 0..<input.height
    }
  }

  /// Neighbours on each side that a pixel depends on; nil where it depends on other things too.
  ///
  /// Where it is known, a cut may come first, with so many pixels more.
  package var reach: Int? {
    switch self {
    case .neighbourhood(let neighbourhood): neighbourhood.reach
    case .warp, .pad, .cells, .wavelet: nil
    }
  }

  /// Whether the result is made in one piece, out of the whole picture.
  package var isWhole: Bool {
    switch self {
    case .warp, .pad, .neighbourhood, .cells: false
    case .wavelet: true
    }
  }

  /// Rows that are worth making at once, for what they share.
  package var rowsAtOnce: Int {
    switch self {
    case .warp, .pad, .wavelet: 1
    case .neighbourhood(let neighbourhood): min(max(16, 4 * neighbourhood.reach), 256)
    case .cells(let side): side
    }
  }

  /// The step that does to the turned picture what this one does to the picture; nil where the
  /// turn has to wait.
  package func turned(by turn: Orientation) -> AreaOperation? {
    switch self {
    case .neighbourhood(let neighbourhood):
      neighbourhood.turned(by: turn).map { .neighbourhood($0) }
    case .warp, .pad, .cells, .wavelet: nil
    }
  }

  /// Whether every gray picture stays gray.
  package var keepsGray: Bool {
    switch self {
    case .warp(let warp): warp.surround?.hasEqualChannels ?? true
    case .pad(let padding): padding.color?.hasEqualChannels ?? true
    case .neighbourhood, .cells, .wavelet: true
    }
  }

  /// The step in a few words.
  package var summary: String {
    switch self {
    case .warp(let warp): "warp to \(warp.size)"
    case .pad(let padding): "frame of \(padding.size)"
    case .neighbourhood(let neighbourhood): neighbourhood.summary
    case .cells(let side): "means of cells of \(side)×\(side) pixels"
    case .wavelet: "wavelet shrinkage"
    }
  }
}

extension SIMD3<Double> {
  /// White in every space.
  package static var white: SIMD3<Double> { SIMD3(repeating: 1) }
  /// Whether red, green and blue are the same.
  package var hasEqualChannels: Bool { x == y && y == z }
}

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

  var color: SIMD3<Double>? { if case .color(let color) = fill { color } else { nil } }

  func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    let last = input.height - 1
    let first = min(max(rows.lowerBound - top, 0), last)
    return first..<min(max(rows.upperBound - 1 - top, 0), last) + 1
  }
}
