// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
public import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// Measurements of images from which filters with plain numbers follow.
///
/// All pixels are counted at full size, so that the same image and graph give the same numbers on
/// any number of threads; only the horizon is found in a reduced image.
extension Renderer {
  /// Measures the result of a graph and returns the filters that improve it.
  ///
  /// `FilterGraph.apply(_:)` adds them to the graph:
  ///
  /// ```swift
  /// let adjustment = try Renderer.automaticAdjustment(of: image, after: graph.beforeAutomaticNodes)
  /// try graph.apply(adjustment)
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The groups of properties to adjust.
  ///   - options: Limits, leniency, threads, attachments and cancellation; the others are ignored.
  /// - Throws: `RenderError`, as `render` does.
  public static func automaticAdjustment(
    of image: ImageSource, after graph: FilterGraph = FilterGraph(),
    kinds: Set<AutomaticAdjustment.Kind> = [.whiteBalance, .light, .color],
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> AutomaticAdjustment {
    var kinds = kinds
    let straightens = kinds.remove(.straighten) != nil
    var graph = graph
    // All else is measured on the corrected photo.
    let lens = kinds.remove(.lens).map { _ in graph.correctingLens(of: image) }
    let job = kinds.isEmpty ? nil : try RenderJob.measuring(image, graph, options: options)
    let (cells, isGray) = try job?.colorCells() ?? (ColorCells(), true)
    var adjustment = try graphErrors { () throws(ParameterError) in
      try AutomaticAdjustment(cells, isGray: isGray, in: image.workingSpace, kinds: kinds)
    }
    if let job, !isGray, adjustment.amplifiesNoise {
      adjustment.addNoiseReduction(try job.noise())
    }
    if straightens {
      let side = AutomaticAdjustment.horizonSide
      let raster = try previewRaster(
        image, graph, fitting: PixelSize(width: side, height: side), options: options)
      let planes = raster.planes
      let luma = planes[0].indices.map { i in
        planes.count == 1
          ? planes[0][i] * 255
          : (0.299 * planes[0][i] + 0.587 * planes[1][i] + 0.114 * planes[2][i]) * 255
      }
      adjustment.addStraightening(luma, width: raster.size.width, height: raster.size.height)
    }
    if let lens {
      let isAlone = kinds.isEmpty && !straightens
      switch lens {
      case .success(let lens): adjustment.add(lens, isAlone: isAlone)
      case .failure(let refusal): adjustment.leaveLens(refusal.reason, isAlone: isAlone)
      }
    }
    return adjustment
  }

  /// Measures the exposure and the white balance of a photo, for others to match.
  public static func sceneMatch(
    of image: ImageSource, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> SceneMatch {
    let graph = try initialGraph(for: image, options: options).graph
    let (cells, isGray) = try RenderJob.measuring(image, graph, options: options).colorCells()
    return SceneMatch(cells, isGray: isGray, in: image.workingSpace)
  }

  /// Measures the result of a graph and returns the filters that give it the exposure and the white
  /// balance of another photo.
  public static func automaticAdjustment(
    of image: ImageSource, after graph: FilterGraph = FilterGraph(), matching reference: SceneMatch,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> AutomaticAdjustment {
    let (cells, isGray) = try RenderJob.measuring(image, graph, options: options).colorCells()
    return try graphErrors { () throws(ParameterError) in
      try reference.adjustment(of: cells, isGray: isGray, in: image.workingSpace)
    }
  }

  /// Returns the white balance by which the average color of a disc becomes gray; nil if a channel of
  /// the average is clipped.
  ///
  /// - Parameters:
  ///   - x: The center of the disc, as a fraction of the width of the graph's result.
  ///   - y: The same of the height.
  ///   - radius: The radius as a fraction of the longer side; at least the pixel at the center
  ///     counts.
  public static func whiteBalance(
    grayAt x: Double, _ y: Double, radius: Double, of image: ImageSource,
    after graph: FilterGraph = FilterGraph(), options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> WhiteBalance? {
    let job = try RenderJob.measuring(image, graph, options: options)
    let light = try job.averageLight(x, y, radius: radius)
    let levels = [light.x, light.y, light.z].map { SRGBTransfer.encode($0) * 255 }
    guard levels.allSatisfy({ (2...253).contains($0) }) else { return nil }
    return WhiteBalance(gray: light, in: image.workingSpace)
  }

  private static func graphErrors<Result>(
    _ body: () throws(ParameterError) -> Result
  ) throws(RenderError) -> Result {
    try translating({ RenderError.graph(UnsupportedNode(node: nil, .parameter($0))) }, body)
  }
}

extension FilterGraph {
  /// Corrects the lens of a photo before everything else, unless that was done.
  fileprivate mutating func correctingLens(
    of image: ImageSource
  ) -> Result<Lens, LensDatabase.Refusal> {
    guard !correctsLens else { return .failure(LensDatabase.Refusal("already corrected")) }
    return Result { () throws(LensDatabase.Refusal) in
      let lens = try LensDatabase.correction(of: image)
      try translating({ LensDatabase.Refusal("\($0 as GraphEditError)") }, insertFirst(lens))
      return lens
    }
  }
}

extension RenderJob {
  /// Measures the noise of the result.
  fileprivate func noise() throws(RenderError) -> ImageStatistics {
    var job = self
    job.operations += HistogramAdjustment.noise.measuredSteps
    return try job.statistics(for: .noise).0
  }

  /// Returns the average linear light of a disc of the result.
  fileprivate func averageLight(
    _ x: Double, _ y: Double, radius: Double
  ) throws(RenderError) -> SIMD3<Double> {
    try measure { size, planes in
      let (centerX, centerY) = (x * Double(size.width) - 0.5, y * Double(size.height) - 0.5)
      let reach = max(radius * Double(size.longEdge), 0.75)
      let counts = LockedValue([Int](repeating: 0, count: 3 * 256))
      return (
        body: { strip in
          for row in strip.rows where abs(Double(row) - centerY) <= reach {
            let dy = Double(row) - centerY
            let half = (reach * reach - dy * dy).squareRoot()
            let first = max(0, Int((centerX - half).rounded(.up)))
            let last = min(size.width - 1, Int((centerX + half).rounded(.down)))
            guard first <= last else { continue }
            let samples = strip.row(row).assumingMemoryBound(to: Float.self)
            for channel in 0..<3 {
              let plane = samples + (planes == 1 ? 0 : channel * size.width)
              var bytes = [UInt8](repeating: 0, count: last - first + 1)
              pe_pack_gray(plane + first, bytes.count, &bytes)
              counts.withLock { counts in
                for level in bytes { counts[channel * 256 + Int(level)] += 1 }
              }
            }
          }
        },
        result: {
          let counts = counts.withLock { $0 }
          func average(_ channel: Int) -> Double {
            let levels = counts[channel * 256..<(channel + 1) * 256]
            let sum = levels.enumerated().reduce(0.0) {
              $0 + Double($1.element) * SRGBTransfer.decode(Double($1.offset) / 255)
            }
            return sum / Double(max(1, levels.reduce(0, +)))
          }
          return SIMD3(average(0), average(1), average(2))
        }
      )
    }
  }
}
