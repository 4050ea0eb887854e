// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering

/// Renders frames with the photo pipeline.
struct FrameRendererBox {
  private let renderer: FrameRenderer

  init(_ graph: FilterGraph, _ size: PixelSize) throws {
    renderer = try FrameRenderer(graph, size: size, layout: RowLayout(channels: .rgb))
  }

  func render(_ image: ImageBuffer) throws -> ImageBuffer { try renderer.render(image) }
}
