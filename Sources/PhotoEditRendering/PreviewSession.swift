// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

/// Renders changing graphs of one image at a display size, from reduced pixels that it keeps.
///
/// The image is decoded once for each size that graphs need: a graph that only changes colors or
/// blurs reads as many pixels as the preview has, one that moves pixels or reads their neighbors
/// otherwise twice as many in each direction. For photos, the result is of class P compared with the
/// full rendering, resized. Statistics, masks, layers and areas are also computed from the reduced
/// pixels.
///
/// A session can be used by many threads at once; the latest request wins, and earlier ones throw
/// `RenderError.cancelled` at their next strip.
public final class PreviewSession: Sendable {
  /// The maximum size in bytes of the reduced pixels that a session keeps; larger ones are
  /// discarded after the request.
  public static let maximumBytes = 96 << 20

  private let image: ImageSource
  /// The image as if its orientation had been applied.
  private let oriented: ImageSource
  private let box: PixelSize
  private let options: RenderOptions
  private let state = LockedValue(State())
  /// The reduced images, the most recently used last.
  ///
  /// Locked while one is created, since the next request most likely needs the same one.
  private let cache = LockedValue<[ReducedImage]>([])

  private struct State {
    /// The number of requests so far.
    var requests = 0
  }

  /// Creates a session; nothing is decoded yet.
  ///
  /// - Parameters:
  ///   - box: The size that previews must fit into; they have the aspect ratio of the full
  ///     rendering and are never larger. A side of zero counts as one pixel.
  ///   - options: Quality, limits, attachments and threads of all previews. Metadata is not
  ///     written.
  public init(
    _ image: ImageSource, fitting box: PixelSize, options: RenderOptions = RenderOptions()
  ) {
    self.image = image
    oriented = image.reduced(to: image.size)
    self.box = box
    var options = options
    options.strip = .all
    options.dither = .none
    self.options = options
  }

  /// The number of bytes of reduced pixels that the session keeps now.
  public var keptBytes: Int { cache.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

  /// Cancels all requests; they throw `RenderError.cancelled` at their next strip.
  package func cancel() { state.withLock { $0.requests += 1 } }

  /// The resemblance of a preview to the full rendering.
  public enum Precision: Hashable, Sendable {
    /// Graphs that only change colors or blur are applied to as many pixels as the preview has.
    case interactive
    /// Every graph is applied to twice as many pixels in each direction. A preview as large as the
    /// full rendering has its quality and chroma sampling; a smaller one has the default chroma
    /// sampling of its quality, because its chroma has the resolution of the preview.
    case still
  }

  /// Renders a graph to a JPEG; cancels the requests before it.
  ///
  /// - Parameter quality: The quality of the JPEG; nil means that of the session's options. With
  ///   the precision `still`, it applies to previews smaller than the full rendering.
  /// - Throws: `RenderError`, as `Renderer.render` does; `cancelled` if a later request was made.
  public func render(
    _ graph: FilterGraph, quality: JPEGQuality? = nil, precision: Precision = .interactive
  ) throws(RenderError) -> Rendering {
    var job = try job(graph, precision)
    if precision == .still {
      var graph = graph
      graph.source = nil
      let full = try RenderJob(image, graph, options: job.options)
      guard full.outputSize != job.outputSize else {
        // A step that needs statistics is never lossless.
        if !full.needsStatistics, var rendering = try full.renderCoefficients() {
          if options.countsLevels { rendering.levels = try job.adapted().renderPixels().levels }
          return rendering
        }
        job.encodingSource = EncodingSource(full)
        return try job.adapted().renderPixels()
      }
      job.encodingSource = EncodingSource()
    }
    job.options.quality = quality ?? job.options.quality
    return try job.adapted().renderPixels()
  }

  /// Returns the size of the full rendering of a graph; nothing is decoded.
  ///
  /// - Throws: `RenderError`, as `render` does.
  public func outputSize(of graph: FilterGraph) throws(RenderError) -> PixelSize {
    var graph = graph
    graph.source = nil
    return try RenderJob(oriented, graph, options: options).outputSize
  }

  /// Renders a graph to the encoder's input; cancels the requests before it.
  ///
  /// - Throws: As `render` does.
  public func raster(
    _ graph: FilterGraph, precision: Precision = .interactive
  ) throws(RenderError) -> Raster {
    try job(graph, precision).adapted().renderRaster()
  }

  /// Renders a graph as `raster` does, but cancels no other request and is canceled by none.
  package func independentRaster(
    _ graph: FilterGraph, precision: Precision
  ) throws(RenderError) -> Raster {
    try job(graph, precision, options).adapted().renderRaster()
  }

  /// Renders a graph to an approximate JPEG, but cancels no other request and is canceled by none.
  package func independentRendering(
    _ graph: FilterGraph, quality: JPEGQuality
  ) throws(RenderError) -> Rendering {
    var job = try job(graph, .interactive, options)
    job.options.quality = quality
    return try job.adapted().renderPixels()
  }

  /// Returns the job of a request that cancels those before it.
  private func job(
    _ graph: FilterGraph, _ precision: Precision
  ) throws(RenderError) -> RenderJob {
    var options = options
    let request = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    let (state, isCancelled) = (state, options.isCancelled)
    options.isCancelled = { isCancelled() || state.withLock { $0.requests != request } }
    return try job(graph, precision, options)
  }

  private func job(
    _ graph: FilterGraph, _ precision: Precision, _ options: RenderOptions
  ) throws(RenderError) -> RenderJob {
    var graph = graph
    // The identity is a digest of the whole file, which few graphs name.
    if let source = graph.source, !source.isSameImage(as: image.identity) {
      throw .sourceMismatch(expected: source, found: image.identity)
    }
    graph.source = nil
    let full = try RenderJob(oriented, graph, options: options)
    let hasAlpha = image.header.layout.channels.hasAlpha
    guard full.canBeScaled, !hasAlpha else {
      if let job = try reducedJob(full, graph, options) { return job }
      return try RenderJob(image, graph, fitting: box, options: options)
    }
    let margin =
      if precision == .interactive { try full.interactiveMargin() } else { PreviewScaling.margin }
    let scaling = PreviewScaling(
      full.operations, stored: image.size, target: full.outputSize.fitted(into: box),
      margin: margin)
    let rotation =
      if case .orient(let orientation)? = full.operations.first { orientation } else {
        Orientation.up
      }
    let size = scaling.smallestSize(rotation: rotation)
    var job = full
    let reduction = scaling.starting(with: size)
    try job.reduce(reduction)
    if margin == 1 {
      let scale = reduction.scale(resamplings: 0)
      job.operations = job.operations.map {
        if case .blur(let kernel) = $0 { .blur(kernel.ofImage(reducedBy: scale)) } else { $0 }
      }
    }
    let reduced = try reduced(to: size, treatment: full.treatment, options)
    job.pixels = reduced.pixels(
      after: job.takeFirstCurves(of: reduced.shape), isCancelled: options.isCancelled)
    return job
  }

  /// Returns the job of computing everything from reduced pixels as if they were the image; nil if
  /// the result would not look like the rendering.
  private func reducedJob(
    _ full: RenderJob, _ graph: FilterGraph, _ options: RenderOptions
  ) throws(RenderError) -> RenderJob? {
    let target = full.outputSize.fitted(into: box)
    let scale = min(
      1,
      PreviewScaling.margin
        * max(
          Double(target.width) / Double(full.outputSize.width),
          Double(target.height) / Double(full.outputSize.height)))
    guard !image.header.layout.channels.hasAlpha, full.looksAlikeWhenReduced(by: scale) else {
      return nil
    }
    let size = image.size.scaled(by: scale)
    let reduced = try reduced(to: size, treatment: full.treatment, options)
    var job = try RenderJob(
      image.reduced(to: size), graph,
      scale: Double(size.longEdge) / Double(image.size.longEdge), options: options)
    job.pixels = reduced.pixels(isCancelled: options.isCancelled)
    if job.outputSize != target {
      job.operations.append(.resample(Resampling(size: target, kernel: .lanczos3)))
      job.outputSize = target
    }
    return job
  }

  /// Returns the pixels at a size, from the cache or the file.
  private func reduced(
    to size: PixelSize, treatment: ColorManagement, _ options: RenderOptions
  ) throws(RenderError) -> ReducedImage {
    let isConverted = treatment.conversion != nil
    let (image, maximum) = (image, Self.maximumBytes)
    // A later request needs the pixels as well.
    var decoding = self.options
    decoding.threads = options.threads
    return try cache.withLock { cache throws(RenderError) in
      if let index = cache.firstIndex(where: {
        $0.shape.size == size && $0.isConverted == isConverted
      }) {
        let found = cache.remove(at: index)
        cache.append(found)
        return found
      }
      let made = try ReducedImage(image, to: size, treatment: treatment, options: decoding)
      cache.append(made)
      while cache.reduce(0, { $0 + $1.byteCount }) > maximum, !cache.isEmpty {
        cache.removeFirst()
      }
      return made
    }
  }
}

extension RenderJob {
  /// Returns the input pixels per pixel of a preview during a drag: one if pixels may be averaged
  /// before the steps instead of after them, since colors and neighbors are mixed linearly or changed
  /// by nearly linear functions, and pixels do not move.
  fileprivate func interactiveMargin() throws(RenderError) -> Double {
    var pointwise: [[FilterOperation]] = [[]]
    var mixesNeighbors = false
    for operation in operations {
      switch operation {
      case .curves, .matrix, .extremum: pointwise[pointwise.count - 1].append(operation)
      case .map(let map) where !map.mapping.dependsOnPosition:
        pointwise[pointwise.count - 1].append(operation)
      case .radialGain(let gain) where gain.keepsWhite: return PreviewScaling.margin
      case .orient, .radialGain, .save, .mix, .fade: pointwise.append([])
      case .blur(let kernel) where kernel.light == .encoded:
        mixesNeighbors = true
        pointwise.append([])
      case .sharpen(let sharpening) where sharpening.threshold == 0:
        mixesNeighbors = true
        pointwise.append([])
      default: return PreviewScaling.margin
      }
    }
    for steps in pointwise where !steps.isEmpty {
      let entries = 17
      let colors = try steps.colors(entries: entries, isCancelled: options.isCancelled)
      if !colors.areNearlyLinear(entries: entries) {
        return mixesNeighbors ? PreviewScaling.margin : PreviewScaling.marginOfPoints
      }
    }
    return 1
  }

  /// Indicates whether a rendering of reduced pixels looks like the reduced rendering: no step
  /// counts pixels, has steps between levels, or depends on single pixels.
  fileprivate func looksAlikeWhenReduced(by scale: Double) -> Bool {
    parts.allSatisfy { part in
      if case .layer(.mask(let mask)) = part.source, case .noise = mask.law { return false }
      return part.operations.allSatisfy { operation in
        switch operation {
        case .layer: true
        case .merge(let composite): composite.rule.looksAlikeWhenReduced
        // The window shrinks with the image; a smaller one would be rounded too far.
        case .area(.neighborhood(.guided(let tone))): Double(tone.radius) * scale >= 4
        case .area(.neighborhood(.hues)): true
        default: operation.planned.canBeScaled
        }
      }
    }
  }
}

extension Composite.Rule {
  /// Indicates whether averages of pixels can be combined instead of pixels.
  fileprivate var looksAlikeWhenReduced: Bool {
    switch self {
    // Quotients, and hues of grays, differ greatly between nearly equal pixels.
    case .blend(.colorDodge), .blend(.colorBurn), .blend(.hue), .blend(.saturation), .blend(.color):
      false
    // The mean of the larger values is not the larger mean.
    case .blend(.darken), .blend(.lighten), .blend(.difference): false
    case .grain: false
    case .blend, .mask, .exchange, .guide: true
    }
  }
}

extension [SIMD3<Float>] {
  /// Returns whether the mean of colors is nearly the color of the mean: the function whose results
  /// for a grid these are is nearly linear between neighbors, except for few colors, and overshoots
  /// at edges of black and white remain invisible, as they are near the extremes or in light grays.
  fileprivate func areNearlyLinear(entries: Int) -> Bool {
    guard let black = first, let white = last,
      (0..<3).allSatisfy({ black[$0] <= 0.05 || black[$0] >= 0.95 }),
      (0..<3).allSatisfy({ white[$0] <= 0.05 || white[$0] >= 0.4 })
    else { return false }
    // Edges between complementary colors, the largest differences of neighbors. Lightness computed in
    // linear light, for example, bends little between similar colors, but makes such edges darker.
    let end = count - 1
    for corner in [entries - 1, (entries - 1) * entries, (entries - 1) * entries * entries] {
      let bend = (self[corner] + self[end - corner]) * 0.5 - self[end / 2]
      if bend.max() > 0.2 || bend.min() < -0.2 { return false }
    }
    // Along each channel and along grays.
    let (across, along) = (entries, entries * entries)
    var (count, bent) = (0, 0)
    for index in indices {
      func isInside(_ step: Int) -> Bool { (1..<entries - 1).contains(index / step % entries) }
      let inside = (isInside(1), isInside(across), isInside(along))
      for (step, isInside) in [
        (1, inside.0), (across, inside.1), (along, inside.2),
        (1 + across + along, inside.0 && inside.1 && inside.2),
      ] where isInside {
        let bend = (self[index - step] + self[index + step]) * 0.5 - self[index]
        count += 1
        if bend.max() > 0.02 || bend.min() < -0.02 { bent += 1 }
      }
    }
    return bent * 20 <= count
  }
}

extension PixelSize {
  /// Returns the size multiplied by a factor, at least one pixel.
  fileprivate func scaled(by factor: Double) -> PixelSize {
    func side(_ side: Int) -> Int { max(1, Int((Double(side) * factor).rounded())) }
    return PixelSize(width: side(width), height: side(height))
  }
}
