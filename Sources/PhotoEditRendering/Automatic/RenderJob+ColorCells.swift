// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Creates the job that computes the result of a graph for a measurement: in the transfer
  /// encoding of sRGB, as a filter after the graph would receive it.
  static func measuring(
    _ image: ImageSource, _ graph: FilterGraph, options: RenderOptions
  ) throws(RenderError) -> RenderJob {
    let measured = try translating(
      { RenderError.graph(UnsupportedNode(node: nil, .parameter($0))) }
    ) { () throws(ParameterError) in try graph.appending([Equalize()]) }
    var job = try RenderJob(image, measured, options: options)
    guard case .adapt? = job.operations.last else {
      preconditionFailure("the last step is not the measurement")
    }
    job.operations.removeLast()
    return try job.adapted()
  }

  /// Runs a body on the strips of the result, in any order and on several threads.
  ///
  /// - Parameter prepare: Creates the body for a result of a size with one or three planes; called
  ///   again if the image has to be read from the start.
  /// - Returns: The last body's result.
  func measure<Result>(
    _ prepare: (_ size: PixelSize, _ planes: Int) -> (body: RowSink.Sink, result: () -> Result)
  ) throws(RenderError) -> Result {
    try withSource(readsAgain: true) { source throws(RenderError) in
      let plan = workingPlan(source.shape, result: .floats)
      let (body, result) = prepare(plan.outputSize, plan.outputPlanes)
      try deliver(plan, of: source, to: body)
      return result()
    }
  }

  /// Counts the colors of the result.
  func colorCells() throws(RenderError) -> (cells: ColorCells, isGray: Bool) {
    try measure { size, planes in
      let counters = LockedValue<[ColorCells]>([])
      let columns = ColorCells.weights(along: size.width)
      let rows = ColorCells.weights(along: size.height)
      return (
        body: { strip in
          // Each thread continues with counts that no other one uses.
          var cells = counters.withLock { $0.popLast() } ?? ColorCells()
          cells.count(strip, width: size.width, planes: planes, columns: columns, rows: rows)
          counters.withLock { $0.append(cells) }
        },
        result: {
          var parts = counters.withLock { $0 }
          var sum = parts.popLast() ?? ColorCells()
          for part in parts { sum.add(part) }
          return (sum, planes == 1)
        }
      )
    }
  }
}

extension ColorCells {
  /// Counts the pixels of a strip, each sample rounded as the encoder does.
  fileprivate mutating func count(
    _ strip: Strip, width: Int, planes: Int, columns: [UInt8], rows: [UInt8]
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * width) { bytes in
      guard let base = bytes.baseAddress else { return }
      for y in strip.rows {
        let row = strip.row(y).assumingMemoryBound(to: Float.self)
        for plane in 0..<planes {
          pe_pack_gray(row + plane * width, width, base + plane * width)
        }
        let other = planes == 1 ? 0 : width
        pe_count_colors(
          base, base + other, base + 2 * other, width, columns, rows[y], &counts, &weights)
      }
    }
  }
}
