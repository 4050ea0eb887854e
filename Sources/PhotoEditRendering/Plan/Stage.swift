// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// A pass over rows: gathers rows of its input, runs row steps on them, gives rows of its output.
struct Stage: Sendable, Hashable {
  /// How rows of the input become rows of the output, before the row steps.
  enum Gathering: Sendable, Hashable {
    /// Row y of the output is row y + `firstRow` of the input.
    case rows
    /// Pixels change places; the format stays and there are no row steps.
    case turn(Orientation)
    /// A weighted sum of neighbouring rows, for the planes from the given one on.
    case blur(BlurKernel, fromPlane: Int)
    /// Rows are sampled anew.
    case resample(ResamplingWeights)
    /// Pixels are made of others, for the planes from the given one on; there are no row steps.
    case area(AreaOperation, fromPlane: Int)
    /// Rows are made of nothing; there is no input and there are no row steps.
    case source(Layer.Source)
  }

  var gathering: Gathering
  /// How many rows of the input lie above the first output row; a crop leaves them out.
  var firstRow = 0
  /// What is done with each row, in order.
  var steps: [RowStep]
  var input: StripShape
  var output: StripShape
  /// Planes of one picture as the rows come in, alpha included.
  var picturePlanes: Int
  /// Whether the last of these planes is alpha.
  var hasAlpha: Bool
  /// Where the rows come from: 0 is the decoder, n the n-th stage.
  var level = 0
  /// Rows of a second level, for `enlargeBlurred`.
  var blurred: BlurredRows?
  /// Rows of further levels, for `merge`.
  var sides: [SideRows] = []
  /// Pixels between the samples of a coarse grid, where the rows are those of one.
  var gridSpacing: Int?

  /// Rows that a strip should not exceed: on a coarse grid many would stand for the whole picture,
  /// and rows that wait to be merged would wait for it.
  var mostRowsPerStrip: Int { gridSpacing.map { max(1, 32 / $0) } ?? .max }

  /// Rows that a strip should have, where rows share what they are made of.
  var fewestRowsPerStrip: Int {
    if case .area(let area, _) = gathering { area.facts.rowsAtOnce } else { 1 }
  }

  /// The levels that are read, in the order of a producer's inputs.
  var levels: [Int] {
    if case .source = gathering { return [] }
    return [level] + (blurred.map { [$0.level] } ?? []) + sides.map(\.picture.level)
  }

  /// The rows that some rows of the output are made of, of one of the levels.
  func inputRows(for rows: Range<Int>, of position: Int) -> Range<Int> {
    if position == 0 { return inputRows(for: rows) }
    if let blurred, position == 1 {
      return blurred.rows(for: rows.lowerBound + firstRow..<rows.upperBound + firstRow)
    }
    let side = sides[position - (blurred == nil ? 1 : 2)]
    let first = firstRow - side.firstRow
    return rows.isEmpty ? rows : rows.lowerBound + first..<rows.upperBound + first
  }

  /// The rows of the input that some rows of the output are made of.
  func inputRows(for rows: Range<Int>) -> Range<Int> {
    guard !rows.isEmpty else { return 0..<0 }
    let height = input.size.height
    switch gathering {
    case .rows: return rows.lowerBound + firstRow..<rows.upperBound + firstRow
    case .turn(let orientation):
      if orientation.swapsAxes { return 0..<height }
      let isMirrored = orientation == .down || orientation == .downMirrored
      return isMirrored ? height - rows.upperBound..<height - rows.lowerBound : rows
    case .blur(let kernel, _):
      let first = rows.lowerBound + firstRow - kernel.radius
      let end = rows.upperBound + firstRow + kernel.radius
      return max(0, first)..<min(height, end)
    case .resample(let weights):
      let first = weights.sources(of: rows.lowerBound + firstRow)
      let last = weights.sources(of: rows.upperBound - 1 + firstRow)
      return first.lowerBound..<last.upperBound
    case .source: return 0..<0
    case .area(let area, let fromPlane):
      let made = area.facts.inputRows(for: rows, input: input.size)
      // Saved pictures go along row by row.
      return fromPlane == 0 ? made : made.hull(with: rows)
    }
  }

  /// Strips begin and end at multiples of this many rows.
  var alignment: Int {
    if case .area(let area, _) = gathering {
      area.facts.alignment(height: output.size.height)
    } else {
      1
    }
  }
}

/// A picture blurred on a coarse grid, as another stage gives it.
struct BlurredRows: Sendable, Hashable {
  /// The stage that gives it, as `Stage.level`.
  var level: Int
  var input: StripShape
  /// Makes rows of the picture out of rows of the grid.
  var weights: ResamplingWeights
  /// The first row of the blurred picture is this row of the gathered ones.
  var firstRow: Int

  /// The rows of the grid that some gathered rows are merged with.
  func rows(for rows: Range<Int>) -> Range<Int> {
    guard !rows.isEmpty else { return 0..<0 }
    let first = weights.sources(of: rows.lowerBound - firstRow)
    let last = weights.sources(of: rows.upperBound - 1 - firstRow)
    return first.lowerBound..<last.upperBound
  }
}

/// What is done with one row of planes; none of it needs another row.
///
/// A worker holds a stack of pictures, each with the planes of colour and, where there is one,
/// alpha. Steps work on the top one; `save` duplicates it.
enum RowStep: Sendable, Hashable {
  case curves([ToneCurve])
  case matrix(ColorTransform)
  /// Three planes become one.
  case weightedSum([Double], bias: Double)
  case extremum(ChannelExtremum, givesOnePlane: Bool)
  /// One plane becomes three alike, in every picture of the stack.
  case expandGray
  /// The first row of the shaded picture is row `firstRow` of the gathered ones.
  case shade(Shade, firstRow: Int)
  /// The same for a map of colours.
  case map(PixelMap, firstRow: Int)
  case cropColumns(Range<Int>)
  case blurRow(BlurKernel)
  case resampleRow(ResamplingWeights)
  /// The picture on top gives way to the row of `Stage.blurred`, with columns made by the weights.
  case enlargeBlurred(ResamplingWeights)
  /// Only the picture on top goes on.
  case keepTop
  case save
  case sharpen(Sharpening)
  case mix(Double)
  case merge(MergeStep)
  case dropAlpha
  /// Every picture of the stack becomes opaque, with an alpha that says so.
  case addAlpha
  /// Alpha of the picture on top is multiplied.
  case fade(Double)
  case premultiply
  case unpremultiply
  /// Alpha is used up.
  case flatten(SIMD3<Double>)
}
