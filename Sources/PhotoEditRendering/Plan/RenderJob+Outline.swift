// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
import PhotoEditPixels

extension Renderer {
  /// Returns a summary of how `render` will process the image; nothing is decoded.
  ///
  /// - Throws: `RenderError`, as `render` does for graphs and sizes that cannot be rendered.
  public static func outline(
    _ image: ImageSource, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> RenderPlanSummary {
    try RenderJob(image, graph, options: options).withSuppositions().outline()
  }
}

extension RenderJob {
  func outline() throws(RenderError) -> RenderPlanSummary {
    let reason: String
    switch coefficientChoice {
    case .pixels(let why): reason = why
    case .coefficients(let transform):
      // A file that cannot be read fails when it is rendered.
      let reader = try? reader(transform, usesRestartIntervals: false)
      let usesIndex = reader.map { needsIndex(transform, $0) } ?? false
      let memory = coefficientMemory(transform, usesIndex: usesIndex)
      return RenderPlanSummary(
        method: .coefficients, reason: "lossless transform of coefficient blocks",
        sourceSize: image.header.size, outputSize: outputSize, decodedChannels: 0,
        decodingThreads: usesIndex ? threads : 1, threads: threads, passes: [],
        peakStripBytes: usesIndex ? memory.strips : coefficientBytes(), memory: memory)
    }
    let source = try PixelSource(self, usesRestartIntervals: true)
    let plan = plan(source.shape, result: .bytes(expandingGray: hasColorProfile))
    let settings = settings(of: plan)
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    let tiles = tiles(of: plan, bandHeight: bandHeight)
    let memory = { (job: RenderJob) in
      job.memory(
        of: plan, tiles, source, lastHeight: bandHeight,
        result: settings.usualBytes(for: plan.outputSize))
    }
    return closestToFitting(memory).outline(plan, tiles, source, reason: reason, memory)
  }

  private func outline(
    _ plan: RenderPlan, _ tiles: TileLayout?, _ source: PixelSource, reason: String,
    _ memory: (RenderJob) -> RenderMemory
  ) -> RenderPlanSummary {
    let method = method(of: plan)
    let detail =
      switch method {
      case .float:
        plan.floatReason.map { ", and \($0)" } ?? ""
      case .tables: ", and each channel has its own curve"
      case .luma: ", and color is not used"
      case .coefficients: ""
      }
    let heights = stripHeights(of: plan)
    let readsColumns = source.rotationOfColumns(in: plan, tiles, of: self) != nil
    let pixelBytes =
      if let tiles, tiles.warp != nil {
        plan.peakStripBytes(tiles, threads: threads, lastHeight: heights.last ?? 0)
      } else {
        plan.peakStripBytes(
          stripHeight: stripHeight(bytesPerRow: plan.source.bytesPerRow), heights: heights,
          threads: threads, skipsSource: readsColumns)
      }
    let decoderBytes =
      readsColumns ? source.columnBytes(self) : usesSplitDecoding ? coefficientBytes() : 0
    return RenderPlanSummary(
      method: method, reason: reason + detail, sourceSize: image.header.size,
      outputSize: outputSize,
      decodedChannels: decodesLumaOnly ? 1 : image.header.layout.channels.count,
      decodingThreads: source.hasRestartIntervals || readsColumns
        ? threads : usesSplitDecoding ? min(2, threads) : 1,
      threads: threads,
      passes: zip(plan.stages, heights).map { RenderPlanSummary.Pass($0, stripHeight: $1) },
      peakStripBytes: pixelBytes + decoderBytes,
      memory: memory(self))
  }

  /// Returns the strip heights of all stages; the strips of the last one are bands for the encoder.
  private func stripHeights(of plan: RenderPlan) -> [Int] {
    plan.stages.dropLast().map { stripHeight(of: $0) }
      + [JPEGStripEncoder.bandHeight(settings(of: plan))]
  }

  /// Returns the encoder settings for the result of a plan for bytes.
  private func settings(of plan: RenderPlan) -> JPEGSettings {
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("byte plan must end in bytes")
    }
    return encoding(isGray: layout.channels == .gray).settings
  }

  /// Returns the tables and the sampling of the result.
  func encoding(isGray: Bool) -> RenderEncoding {
    let source = encodingSource ?? EncodingSource(self)
    return options.quality.encoding(
      frame: source.frame, isGray: isGray, swapsAxes: source.swapsAxes)
  }

  /// Returns the method of a plan for pixels.
  func method(of plan: RenderPlan) -> RenderMethod {
    if decodesLumaOnly { return .luma }
    return plan.stages.allSatisfy { $0.floatReason == nil } ? .tables : .float
  }

  /// The eligibility, determined from headers and operations alone.
  var coefficientChoice: LosslessEligibility {
    guard isChain else { return .pixels("several images are combined") }
    guard options.allowsCoefficients else { return .pixels("pixel processing is requested") }
    guard treatment.conversion == nil, !isConvertedToSRGB else {
      return .pixels("colors are converted to sRGB")
    }
    guard let frame = image.frame else { return .pixels("the source is not a JPEG") }
    guard options.quality == .preserve else {
      return .pixels("quality \(options.quality) requires requantization")
    }
    let header = image.header
    let joined = operations.joined(channels: header.layout.channels, source: header.size)
    guard let geometry = joined.losslessGeometry(stored: header.size) else {
      return .pixels("the graph changes more than the geometry")
    }
    let dropsColor = geometry.isGray && frame.color != .gray
    let transform = JPEGCoefficientTransform(
      orientation: geometry.rotation, crop: geometry.crop,
      chroma: !dropsColor ? .keep : hasColorProfile ? .zero : .drop)
    guard transform.isExact(for: frame) else {
      return .pixels(
        frame.color == .ycbcr || frame.color == .gray
          ? "an edge is not on the block grid" : "the source is not stored as luma and chroma")
    }
    return .coefficients(transform)
  }
}

extension RenderPlanSummary.Pass {
  fileprivate init(_ stage: Stage, stripHeight: Int) {
    steps = stage.descriptions
    floatReason = stage.floatReason
    inputSize = stage.input.size
    outputSize = stage.output.size
    haloRows = stage.haloRows
    self.stripHeight = min(stripHeight, stage.output.size.height)
    bytesPerStrip = self.stripHeight * stage.output.bytesPerRow
  }
}

/// The eligibility of a rendering for rearranging the coefficients of its source.
enum LosslessEligibility: Hashable {
  /// Eligible: nothing is rounded.
  case coefficients(JPEGCoefficientTransform)
  /// Not eligible, for the reason given in one clause.
  case pixels(String)
}
