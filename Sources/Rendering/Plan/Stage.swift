// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

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
    }
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
  case cropColumns(Range<Int>)
  case blurRow(BlurKernel)
  case resampleRow(ResamplingWeights)
  case save
  case sharpen(Sharpening)
  case mix(Double)
  case premultiply
  case unpremultiply
  /// Alpha is used up.
  case flatten(Background)
}
