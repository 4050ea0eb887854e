// SPDX-License-Identifier: Apache-2.0
import Codecs
public import Filters
import Pixels

extension Renderer {
  /// Says what `render` will do; nothing is decoded.
  ///
  /// - Throws: `RenderError`, as `render` does for graphs and sizes that cannot be rendered.
  public static func outline(
    _ picture: Picture, _ graph: FilterGraph, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> RenderOutline {
    try RenderJob(picture, graph, options: options).withSuppositions().outline()
  }
}

extension RenderJob {
  func outline() throws(RenderError) -> RenderOutline {
    guard case .pixels(let reason) = coefficientChoice else {
      return RenderOutline(
        method: .coefficients, reason: "blocks of coefficients are moved and nothing else",
        sourceSize: picture.header.size, outputSize: outputSize, decodedChannels: 0,
        decodingThreads: 1, threads: threads, passes: [],
        peakStripBytes: coefficientBytes(width: picture.header.size.width))
    }
    let source = try PixelSource(self, usesSlices: true)
    let plan = plan(source.shape, result: .bytes(expandingGray: hasColorProfile))
    let method = method(of: plan)
    let detail =
      switch method {
      case .float:
        plan.stages.lazy.compactMap(\.floatReason).first.map { ", and \($0)" } ?? ""
      case .tables: ", and each channel has a curve of its own"
      case .luma: ", and colour counts for nothing"
      case .coefficients: ""
      }
    let heights = stripHeights(of: plan)
    let pixelBytes = plan.peakStripBytes(
      stripHeight: stripHeight(bytesPerRow: plan.source.bytesPerRow), heights: heights,
      threads: threads)
    return RenderOutline(
      method: method, reason: reason + detail, sourceSize: picture.header.size,
      outputSize: outputSize,
      decodedChannels: decodesLumaOnly ? 1 : picture.header.layout.channels.count,
      decodingThreads: source.hasSlices ? threads : isReadInHalves ? min(2, threads) : 1,
      threads: threads,
      passes: zip(plan.stages, heights).map { RenderOutline.Pass($0, stripHeight: $1) },
      peakStripBytes: pixelBytes
        + (isReadInHalves ? coefficientBytes(width: picture.header.size.width) : 0))
  }

  /// Rows of the strips that each stage gives; those of the last one are bands for the encoder.
  private func stripHeights(of plan: RenderPlan) -> [Int] {
    guard case .packed(let layout)? = plan.stages.last?.output.format else { return [] }
    let encoding = options.quality.encoding(
      frame: picture.frame, isGray: layout.channels == .gray, swapsAxes: turn.swapsAxes)
    return plan.stages.dropLast().map { stripHeight(of: $0) }
      + [JPEGStripEncoder.bandHeight(encoding.settings)]
  }

  /// Memory of the coefficients that are there at the same time, at most.
  private func coefficientBytes(width: Int) -> Int {
    guard let frame = picture.frame else { return 0 }
    let mcu = frame.mcuSize
    let blocks = frame.components.reduce(0) {
      $0 + (frame.components.count == 1 ? 1 : $1.horizontalSampling * $1.verticalSampling)
    }
    let bytesPerRow = (width + mcu.width - 1) / mcu.width * blocks * 64 * MemoryLayout<Int16>.stride
    let rows = (frame.size.height + mcu.height - 1) / mcu.height
    // Several scans are read as a whole. Of strips two are read, for pixels need their neighbours,
    // and one is made for each thread.
    let strips = (2 + threads) * stripHeight(bytesPerRow: bytesPerRow)
    return (isReadInHalves ? min(rows, strips) : rows) * bytesPerRow
  }

  /// The work of a plan for pixels.
  func method(of plan: RenderPlan) -> RenderMethod {
    if decodesLumaOnly { return .luma }
    return plan.stages.allSatisfy { $0.floatReason == nil } ? .tables : .float
  }
}

extension RenderOutline.Pass {
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
