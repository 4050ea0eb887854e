// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering

/// A deliberate error that a comparison with another program must detect.
enum SeededDefect: String, CaseIterable, Sendable {
  /// The arithmetic uses the other transfer encoding.
  case light
  /// The result is shifted by half a pixel.
  case shift
  /// Red and blue are exchanged.
  case swap
  /// Weights are 2 % too large.
  case weights
  /// A strip does not read the rows of adjacent strips.
  case halo

  /// The rendering of a case's graph for an image, with the defect.
  func rendering(of recorded: RecordedCase, _ file: ImageSource) throws -> RenderedPlanes {
    func render(_ image: ImageBuffer) throws -> RenderedPlanes {
      try RenderedPlanes(Charts.source(image), recorded.graph)
    }
    let source = try RenderedPlanes(file, FilterGraph())
    let planes = source.planes
    switch self {
    case .light:
      let isLinear = recorded.light == .linear
      let result = try render(image(source.size, planes, isLinear ? encoded : linear))
      return mapped(result, isLinear ? linear : encoded)
    case .swap:
      return try render(image(source.size, planes.reversed()) { $0 })
    case .weights where recorded.seedsWeightsInRed:
      return try render(image(source.size, [planes[0].map { $0 * 1.02 }] + planes[1...]) { $0 })
    case .weights:
      return try mapped(render(image(source.size, planes) { $0 })) { $0 * 1.02 }
    case .shift:
      let result = try render(image(source.size, planes) { $0 })
      let width = result.size.width
      return RenderedPlanes(
        size: result.size,
        planes: result.planes.map { plane in
          plane.indices.map { (plane[$0] + plane[$0 % width == width - 1 ? $0 : $0 + 1]) / 2 }
        })
    case .halo:
      let whole = image(source.size, planes) { $0 }
      let middle = source.size.height / 2
      let width = source.size.width
      let top = try render(whole.cropped(to: Region(x: 0, y: 0, width: width, height: middle)))
      let bottom = try render(
        whole.cropped(
          to: Region(x: 0, y: middle, width: width, height: source.size.height - middle)))
      return RenderedPlanes(
        size: PixelSize(width: top.size.width, height: top.size.height + bottom.size.height),
        planes: zip(top.planes, bottom.planes).map { $0 + $1 })
    }
  }

  /// Planes as a 16-bit image.
  private func image(
    _ size: PixelSize, _ planes: [[Float]], _ change: (Float) -> Float
  ) -> ImageBuffer {
    Charts.image(size.width, size.height, .rgb, bytesPerSample: 2) { x, y, channel in
      let value = change(planes[channel][y * size.width + x])
      return Int((min(max(value, 0), 1) * 65_535).rounded())
    }
  }

  private func mapped(
    _ image: RenderedPlanes, _ change: (Float) -> Float
  ) -> RenderedPlanes {
    RenderedPlanes(size: image.size, planes: image.planes.map { $0.map(change) })
  }

  private func linear(_ value: Float) -> Float { Float(Definition.linear(Double(value))) }
  private func encoded(_ value: Float) -> Float { Float(Definition.encoded(Double(value))) }
}

/// Red, green and blue of a rendering before it is encoded.
struct RenderedPlanes {
  let size: PixelSize
  /// Three planes; 1 is white.
  let planes: [[Float]]

  init(size: PixelSize, planes: [[Float]]) {
    self.size = size
    self.planes = planes
  }

  /// Renders a graph; a gray result has three equal planes.
  init(_ image: ImageSource, _ graph: FilterGraph) throws {
    let raster = try Renderer.raster(image, graph)
    self.init(size: raster.size, planes: raster.rgb)
  }
}
