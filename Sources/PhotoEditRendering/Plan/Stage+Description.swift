// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension Stage {
  /// The reason why the stage needs floats; nil if byte tables or moved bytes are
  /// sufficient.
  var floatReason: String? {
    if case .source = inputMapping { return "an image is composited over" }
    if case .rotation = inputMapping, case .packed = input.format { return nil }
    guard case .packed(let layout) = input.format else { return "an earlier pass outputs floats" }
    if layout.bytesPerSample > 1 { return "samples have 16 bits" }
    if layout.channels.hasAlpha { return "transparency is flattened" }
    var rest = steps[...]
    if case .curves? = rest.first { rest = rest.dropFirst() }
    let others = rest.first { if case .cropColumns = $0 { false } else { true } }
    if let others { return others.floatReason }
    guard input.format == output.format || steps.isEmpty, case .packed = output.format else {
      return "float output is requested"
    }
    return input.format == output.format ? nil : "the number of channels changes"
  }

  /// The number of additional input rows outside a strip.
  var haloRows: Int {
    switch inputMapping {
    case .rows, .rotation, .source: 0
    case .blur(let kernel, _, _): kernel.radius
    case .area(let area, _):
      area.facts.inputRows(for: 0..<1, input: input.size).count - 1
    case .resample(let weights):
      // Half of the input rows of a row are above its center.
      (0..<weights.starts.count).reduce(0) { max($0, weights.sources(of: $1).count) } / 2
    }
  }

  /// The steps of the stage, in order.
  var descriptions: [String] {
    let first: String? =
      switch inputMapping {
      case .rows: nil
      case .rotation(let rotation): "apply orientation \(rotation.rawValue)"
      case .area(let area, _): area.facts.summary
      case .source(.image(let image)): "image of the graph, \(image.storedSize)"
      case .source(.mask(let mask)): mask.summary
      case .source(.input): nil
      case .blur(let kernel, _, let keepsInput):
        (keepsInput ? "copy, " : "") + "blur over \(2 * kernel.radius + 1) rows and columns"
      case .resample(let weights):
        "resample columns from \(input.size.height) to \(weights.starts.count) rows"
      }
    let grid = gridSpacing.map { "on a grid of one sample per \($0)×\($0) pixels" }
    return [grid, first].compactMap { $0 } + steps.map(\.description)
  }
}

extension RenderPlan {
  /// The reason why the first stage that needs floats needs them; nil if none does.
  var floatReason: String? {
    guard let index = stages.firstIndex(where: { $0.floatReason != nil }) else { return nil }
    // Planes without any step are for the neighborhoods that the next pass reads.
    let isConversion = stages[index].steps.isEmpty && index + 1 < stages.count
    return isConversion ? "neighboring pixels are mixed" : stages[index].floatReason
  }
}

extension RowStep {
  fileprivate var floatReason: String {
    switch self {
    case .curves: "curves follow other steps"
    case .matrix, .weightedSum, .extremum, .map: "channels are mixed"
    case .expandGray: "gray becomes three channels"
    case .radialGain: "brightness depends on the position"
    case .cropColumns: "columns are cropped"
    case .resampleRow, .enlargeBlurred: "neighboring pixels are mixed"
    case .save, .sharpen, .mix, .merge, .keepTop: "two images are combined"
    case .premultiply, .unpremultiply, .dropAlpha, .addAlpha, .fade, .flatten:
      "transparency is flattened"
    }
  }

  /// The step in a few words.
  var description: String {
    switch self {
    case .curves: "curves"
    case .matrix: "matrix"
    case .weightedSum: "weighted sum of channels"
    case .extremum(let extremum, _):
      extremum == .maximum ? "largest channel" : "smallest channel"
    case .expandGray: "gray to three channels"
    case .radialGain: "radial gain"
    case .map: "color map"
    case .cropColumns(let columns): "crop columns \(columns.lowerBound)–\(columns.upperBound - 1)"
    case .resampleRow(let weights): "resample rows to \(weights.starts.count) columns"
    case .enlargeBlurred(let weights): "blurred image of \(weights.starts.count) columns"
    case .keepTop: "drop copies"
    case .save: "copy"
    case .sharpen: "sharpen with the copy"
    case .mix(let opacity): "mix with the copy, \(opacity)"
    case .merge(let merge): merge.description
    case .dropAlpha: "drop alpha"
    case .addAlpha: "add opaque alpha"
    case .fade(let share): "fade to \(share)"
    case .premultiply: "multiply by alpha"
    case .unpremultiply: "divide by alpha"
    case .flatten: "flatten"
    }
  }
}

extension MergeStep {
  fileprivate var description: String {
    let what =
      switch rule {
      case .blend(let mode): "blend \(mode.rawValue)"
      case .grain: "add grain"
      case .mask(let rule): "\(rule.rawValue) masks"
      case .exchange: "exchange"
      case .guide: "guide"
      }
    let with = above == nil ? " with the copy" : ""
    return what + with + (isInverted ? ", inverted" : "")
      + (opacity < 1 ? ", \(opacity)" : "") + (mask == nil ? "" : ", masked")
  }
}

extension MaskGenerator {
  fileprivate var summary: String {
    switch law {
    case .linear: "linear mask"
    case .band: "band mask"
    case .radial: "radial mask"
    case .strokes(let strokes, _):
      "brush mask of \(strokes.count) \(strokes.count == 1 ? "stroke" : "strokes")"
    case .noise: "noise"
    }
  }
}
