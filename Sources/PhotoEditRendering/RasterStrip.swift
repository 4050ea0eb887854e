// SPDX-License-Identifier: Apache-2.0
package import PhotoEditFilters
package import PhotoEditPixels
import PhotoEditStorage

/// Some rows of a rendering before encoding, with the values of `Raster`.
package struct RasterStrip {
  private let strip: Strip
  /// The number of columns of the whole raster.
  package let width: Int
  /// The number of planes of the whole raster: one for gray, or three.
  package let planes: Int

  /// The range of rows.
  package var rows: Range<Int> { strip.rows }

  init(_ strip: Strip, width: Int, planes: Int) {
    self.strip = strip
    self.width = width
    self.planes = planes
  }

  /// Returns the samples of a row, which are valid as long as the strip exists.
  package func row(_ y: Int, plane: Int) -> UnsafePointer<Float> {
    UnsafePointer(strip.row(y).assumingMemoryBound(to: Float.self) + plane * width)
  }
}

/// Receives strips, in any order and several at once.
package typealias RasterSink = @Sendable (RasterStrip) -> Void

extension Renderer {
  /// Renders a graph to the encoder's input and delivers it strip by strip.
  ///
  /// - Parameter begin: Receives the size and the number of planes, and returns the sink for the
  ///   strips. It is called again, and all strips so far must be discarded, if a damaged image is
  ///   read from the top again.
  package static func raster(
    _ image: ImageSource, _ graph: FilterGraph, options: RenderOptions = RenderOptions(),
    _ begin: (PixelSize, _ planes: Int) throws(RenderError) -> RasterSink
  ) throws(RenderError) {
    try RenderJob(image, graph, options: options).adapted().renderRows(begin)
  }
}

extension RenderJob {
  /// Decodes and filters, strip by strip.
  ///
  /// - Parameter bytesPerSample: The bytes of each sample that the receiver keeps.
  func renderRows(
    bytesPerSample: Int = 0,
    _ begin: (PixelSize, _ planes: Int) throws(RenderError) -> RasterSink
  ) throws(RenderError) {
    try withSource { source throws(RenderError) in
      let plan = plan(source.shape, result: .floats)
      let (size, planes) = (plan.outputSize, plan.outputPlanes)
      let sink = try begin(size, planes)
      try deliver(plan, of: source, result: size.pixelCount * planes * bytesPerSample) {
        sink(RasterStrip($0, width: size.width, planes: planes))
      }
    }
  }

  /// Decodes and filters into memory.
  func renderRaster() throws(RenderError) -> Raster {
    var raster: Raster?
    let planes = LockedValue<[[Float]]>([])
    try renderRows(bytesPerSample: MemoryLayout<Float>.stride) { size, count in
      raster = Raster(size: size, planes: [])
      planes.withLock { $0 = [] }
      return { strip in
        planes.withLock { planes in
          if planes.isEmpty {
            planes = [[Float]](
              repeating: [Float](repeating: 0, count: size.pixelCount), count: count)
          }
          for y in strip.rows {
            for plane in 0..<count {
              planes[plane].withUnsafeMutableBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                (base + y * size.width).update(from: strip.row(y, plane: plane), count: size.width)
              }
            }
          }
        }
      }
    }
    guard let raster else { preconditionFailure("rendering is empty") }
    return Raster(size: raster.size, planes: planes.withLock { $0 })
  }
}
