// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// A pass over rows: gathers rows of its input, runs row steps on them, and outputs rows.
struct Stage: Sendable, Hashable {
  /// The way in which rows of the input become rows of the output, before the row steps.
  enum InputMapping: Sendable, Hashable {
    /// Row y of the output is row y + `firstRow` of the input.
    case rows
    /// Pixels are rearranged; the format stays and there are no row steps.
    case rotation(Orientation)
    /// A weighted sum of neighboring rows and columns, for the planes starting at the given one;
    /// these planes themselves can remain as a saved image.
    case blur(BlurKernel, fromPlane: Int, keepsInput: Bool)
    /// Rows are resampled.
    case resample(ResamplingWeights)
    /// Pixels are computed from others, for the planes starting at the given one; there are no row
    /// steps.
    case area(AreaOperation, fromPlane: Int)
    /// Rows are generated; there is no input and there are no row steps.
    case source(Layer.Source)
  }

  var inputMapping: InputMapping
  /// The number of input rows above the first output row, which a crop drops.
  var firstRow = 0
  /// The steps applied to each row, in order.
  var steps: [RowStep]
  var input: StripShape
  var output: StripShape
  /// The number of planes of one image in the input rows, including alpha.
  var imagePlanes: Int
  /// Indicates whether the last of these planes is alpha.
  var hasAlpha: Bool
  /// The source of the rows: 0 is the decoder, n the n-th stage.
  var level = 0
  /// The rows of a second level, for `enlargeBlurred`.
  var blurred: BlurredRows?
  /// The rows of further levels, for `merge`.
  var sides: [SecondaryRows] = []
  /// The number of pixels between the samples of a coarse grid, if the rows belong to one.
  var gridSpacing: Int?
  /// The values that a wavelet transform needs, once they are known.
  var measurement: WaveletMeasurement?
  /// The rows of the output, if they are already computed.
  var keptRows: KeptRows?

  /// The maximum height of a strip: on a coarse grid many rows would cover the whole image, and
  /// rows that wait to be merged would wait for it.
  var mostRowsPerStrip: Int { gridSpacing.map { max(1, 32 / $0) } ?? .max }

  /// The minimum height of a strip, if rows share their input.
  var fewestRowsPerStrip: Int {
    if case .area(let area, _) = inputMapping { area.facts.rowsAtOnce } else { 1 }
  }

  /// The levels that are read, in the order of a producer's inputs.
  var levels: [Int] {
    if case .source = inputMapping { return [] }
    if keptRows != nil { return [] }
    return [level] + (blurred.map { [$0.level] } ?? []) + sides.map(\.image.level)
  }

  /// Returns the rows of one of the levels that some rows of the output are computed from.
  func inputRows(for rows: Range<Int>, of position: Int) -> Range<Int> {
    if position == 0 { return inputRows(for: rows) }
    if let blurred, position == 1 {
      return blurred.rows(for: rows.lowerBound + firstRow..<rows.upperBound + firstRow)
    }
    let side = sides[position - (blurred == nil ? 1 : 2)]
    let first = firstRow - side.firstRow
    return rows.isEmpty ? rows : rows.lowerBound + first..<rows.upperBound + first
  }

  /// Returns the rows of the input that some rows of the output are computed from.
  func inputRows(for rows: Range<Int>) -> Range<Int> {
    guard !rows.isEmpty else { return 0..<0 }
    let height = input.size.height
    switch inputMapping {
    case .rows: return rows.lowerBound + firstRow..<rows.upperBound + firstRow
    case .rotation(let orientation):
      if orientation.swapsAxes { return 0..<height }
      let isMirrored = orientation == .down || orientation == .downMirrored
      return isMirrored ? height - rows.upperBound..<height - rows.lowerBound : rows
    case .blur(let kernel, _, _):
      let first = rows.lowerBound + firstRow - kernel.radius
      let end = rows.upperBound + firstRow + kernel.radius
      return max(0, first)..<min(height, end)
    case .resample(let weights):
      let first = weights.sources(of: rows.lowerBound + firstRow)
      let last = weights.sources(of: rows.upperBound - 1 + firstRow)
      return first.lowerBound..<last.upperBound
    case .source: return 0..<0
    case .area(let area, let fromPlane):
      let areaRows = area.facts.inputRows(for: rows, input: input.size)
      // Saved images are carried along row by row, and so is the alpha of a pass from the top.
      let carriesRows = fromPlane > 0 || (hasAlpha && startsAtTop)
      return carriesRows ? areaRows.hull(with: rows) : areaRows
    }
  }

  /// Indicates whether rows are computed in order from the top.
  var startsAtTop: Bool {
    if case .area(let area, _) = inputMapping { area.facts.startsAtTop } else { false }
  }

  /// The alignment of strip boundaries in rows.
  var alignment: Int {
    if case .area(let area, _) = inputMapping {
      area.facts.alignment(height: output.size.height)
    } else {
      1
    }
  }
}

/// An image blurred on a coarse grid by another stage.
struct BlurredRows: Sendable, Hashable {
  /// The stage that produces it, like `Stage.level`.
  var level: Int
  var input: StripShape
  /// The weights to compute rows of the image from rows of the grid.
  var weights: ResamplingWeights
  /// The gathered row that the first row of the blurred image belongs to.
  var firstRow: Int

  /// Returns the rows of the grid that some gathered rows are merged with.
  func rows(for rows: Range<Int>) -> Range<Int> {
    guard !rows.isEmpty else { return 0..<0 }
    let first = weights.sources(of: rows.lowerBound - firstRow)
    let last = weights.sources(of: rows.upperBound - 1 - firstRow)
    return first.lowerBound..<last.upperBound
  }
}

/// A step on one row of planes that needs no other row.
///
/// A worker holds a stack of images, each with its color planes and, if there is one, alpha. Steps
/// work on the top one; `save` duplicates it.
enum RowStep: Sendable, Hashable {
  case curves([ToneCurve])
  case matrix(ColorTransform)
  /// Three planes become one.
  case weightedSum([Double], bias: Double)
  case extremum(ChannelExtremum, producesOnePlane: Bool)
  /// One plane becomes three equal ones, in every image of the stack.
  case expandGray
  /// The first row of the processed image is row `firstRow` of the gathered ones.
  case radialGain(RadialGain, firstRow: Int)
  /// The same for a color mapping.
  case map(PixelMap, firstRow: Int)
  case cropColumns(Range<Int>)
  case resampleRow(ResamplingWeights)
  /// The top image is replaced with the row of `Stage.blurred`, enlarged horizontally with the
  /// weights.
  case enlargeBlurred(ResamplingWeights)
  /// All images except the top one are dropped.
  case keepTop
  case save
  case sharpen(Sharpening)
  case mix(Double)
  case merge(MergeStep)
  case dropAlpha
  /// An opaque alpha plane is added to every image of the stack.
  case addAlpha
  /// The alpha of the top image is multiplied.
  case fade(Double)
  case premultiply
  case unpremultiply
  /// The image is composited over the background, which removes alpha.
  case flatten(SIMD3<Double>)
}

/// The memory layout of the rows between two stages.
struct StripShape: Hashable, Sendable {
  /// The format of a row.
  enum Format: Hashable, Sendable {
    /// Interleaved samples, as used by decoders and encoders.
    case packed(RowLayout)
    /// Rows of floats; each row holds its planes one after the other.
    case planes(Int)
  }

  var size: PixelSize
  var format: Format

  var bytesPerRow: Int {
    switch format {
    case .packed(let layout): layout.bytesPerRow(width: size.width)
    case .planes(let count): count * size.width * MemoryLayout<Float>.stride
    }
  }

  /// The distance between rows that are read together, in bytes: an odd number of cache lines.
  ///
  /// Rows at multiples of a page would compete for the same lines of the first-level cache.
  var spacedBytesPerRow: Int { (bytesPerRow + 63) & ~63 | 64 }
}
