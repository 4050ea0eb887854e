// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels

extension Renderer {
  /// Renders a graph at a small size and quickly, for display.
  ///
  /// A JPEG is decoded at the smallest scale that provides two pixels for each output pixel, and
  /// all lengths of the graph are scaled accordingly. For photos the result is of class P compared
  /// with the full rendering, resized.
  ///
  /// - Parameter box: The size that the preview must fit into. The preview has the aspect ratio of
  ///   the full rendering and is never larger than that; a side of zero counts as one pixel.
  /// - Throws: `RenderError`, as `render` does.
  public static func preview(
    _ image: ImageSource, _ graph: FilterGraph, fitting box: PixelSize,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    try RenderJob(image, graph, fitting: box, options: options).adapted().renderPixels()
  }

  /// Renders a graph at a small size to the encoder's input.
  ///
  /// - Parameter box: As for `preview`.
  public static func previewRaster(
    _ image: ImageSource, _ graph: FilterGraph, fitting box: PixelSize,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Raster {
    try RenderJob(image, graph, fitting: box, options: options).adapted().renderRaster()
  }
}

extension RenderJob {
  /// Creates a job for a preview.
  init(
    _ image: ImageSource, _ graph: FilterGraph, fitting box: PixelSize, options: RenderOptions
  ) throws(RenderError) {
    var job = try RenderJob(image, graph, options: options)
    let stored = image.header.size
    guard job.canBeScaled else {
      // Some steps only work on the full image: it is rendered, and then reduced.
      let target = job.outputSize.fitted(into: box)
      if target != job.outputSize {
        job.operations.append(.resample(Resampling(size: target, kernel: .lanczos3)))
      }
      job.outputSize = target
      self = job
      return
    }
    let scaling = PreviewScaling(job.operations, stored: stored, fitting: box)
    job.decodingScale = image.frame == nil ? .full : scaling.decoding
    try job.reduce(scaling)
    self = job
  }

  /// Indicates whether every step can be computed from small pixels.
  var canBeScaled: Bool { isChain && operations.allSatisfy { $0.planned.canBeScaled } }

  /// Replaces the operations by those for small pixels.
  mutating func reduce(_ scaling: PreviewScaling) throws(RenderError) {
    var scaling = scaling
    let scale = scaling.scale(resamplings:)
    let lowered: LoweredGraph
    do throws(UnsupportedNode) {
      lowered = try graph.lowered(
        size: image.size, assets: try AssetReader(graph, options).contents(),
        space: image.workingSpace
      ) { done in
        scale(done.count { if case .resample = $0 { true } else { false } })
      }
    } catch {
      throw .graph(error)
    }
    operations = scaling.scaled(
      RenderJob.withCurves(treatment, in: lowered.parts)[0].operations.withRotationsFirst(
        after: image.metadata.orientation, stored: image.header.size),
      isDecodedSmall: image.frame != nil)
    outputSize = scaling.target
  }
}
