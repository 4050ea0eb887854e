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
    _ picture: Picture, _ graph: FilterGraph, fitting box: PixelSize,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    try RenderJob(picture, graph, fitting: box, options: options).adapted().renderPixels()
  }

  /// Renders a graph at a small size to the encoder's input.
  ///
  /// - Parameter box: As for `preview`.
  public static func previewRaster(
    _ picture: Picture, _ graph: FilterGraph, fitting box: PixelSize,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Raster {
    try RenderJob(picture, graph, fitting: box, options: options).adapted().renderRaster()
  }
}

extension RenderJob {
  /// Creates a job for a preview.
  init(
    _ picture: Picture, _ graph: FilterGraph, fitting box: PixelSize, options: RenderOptions
  ) throws(RenderError) {
    var job = try RenderJob(picture, graph, options: options)
    let stored = picture.header.size
    guard job.isChain, job.operations.allSatisfy({ $0.planned.canBeScaled }) else {
      // Some steps only work on the full image: it is rendered, and then reduced.
      let target = job.outputSize.fitted(into: box)
      if target != job.outputSize {
        job.operations.append(.resample(Resampling(size: target, kernel: .lanczos3)))
      }
      job.outputSize = target
      self = job
      return
    }
    var scaling = PreviewScaling(job.operations, stored: stored, fitting: box)
    let lowered: [FilterOperation]
    let scale = scaling.scale(resamplings:)
    do throws(GraphObstacle) {
      let graph = try graph.lowered(
        size: picture.size, assets: try AssetReader(graph, options).contents(),
        space: picture.workingSpace
      ) { done in
        scale(done.count { if case .resample = $0 { true } else { false } })
      }
      lowered = RenderJob.withCurves(job.treatment, in: graph.parts)[0].operations
    } catch {
      throw .graph(error)
    }
    let isJPEG = picture.frame != nil
    job.decodingScale = isJPEG ? scaling.decoding : .full
    job.operations = scaling.scaled(
      lowered.withTurnsFirst(after: picture.metadata.orientation, stored: stored),
      isDecodedSmall: isJPEG)
    job.outputSize = scaling.target
    self = job
  }
}
