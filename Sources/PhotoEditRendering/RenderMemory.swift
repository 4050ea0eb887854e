// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The maximum memory of a rendering in bytes, computed from headers.
public struct RenderMemory: Sendable, Hashable {
  /// The memory of the decoder besides the strips: coefficients of a progressive JPEG, pixels of a
  /// WebP.
  public var decoder = 0
  /// The rows between decoder, passes and encoder, and the working memory of the passes.
  public var strips = 0
  /// The finished file, or the delivered pixels.
  public var result = 0
  /// The images and tables that are part of the graph.
  public var assets = 0

  /// The total.
  public var total: Int { decoder + strips + result + assets }
}

extension RenderJob {
  /// Returns the job with a number of threads and a strip height that keep it within its limit.
  ///
  /// - Parameter memory: Returns the memory of a job.
  /// - Throws: `RenderError.codec` with `CodecError.limitExceeded` if this is not possible.
  func fitted(
    _ memory: (RenderJob) -> RenderMemory
  ) throws(RenderError) -> (job: RenderJob, bytes: Int) {
    let job = closestToFitting(memory)
    let bytes = memory(job).total
    try codec { () throws(CodecError) in try options.limits.check(memory: bytes) }
    return (job, bytes)
  }

  /// Returns the job reduced to its memory limit, or to the least possible memory.
  ///
  /// Neither reduction changes the result. The number of threads is reduced first: each thread has
  /// strips of its own. Graphs with many branches, whose strips add up, get low strips before that
  /// and compute none ahead; a thread that would wait can work on another branch.
  func closestToFitting(_ memory: (RenderJob) -> RenderMemory) -> RenderJob {
    let limits = options.limits
    var job = self
    var bytes = memory(job).total
    if !isChain, options.stripHeight == nil, bytes > limits.maximumMemoryBytes / 8 {
      job.options.stripHeight = StageProducer.rowsOfMCU / 2
      job.minimizesMemory = true
      bytes = memory(job).total
    }
    while bytes > limits.maximumMemoryBytes, let smaller = job.withLessMemory {
      job = smaller
      bytes = memory(job).total
    }
    return job
  }

  /// The job with half of the threads, or with the lowest useful strips; nil if neither can be
  /// reduced.
  private var withLessMemory: RenderJob? {
    var job = self
    if threads > 1 {
      job.options.threads = threads / 2
    } else if options.stripHeight == nil {
      job.options.stripHeight = StageProducer.rowsOfMCU
    } else {
      return nil
    }
    return job
  }

  /// Returns the memory needed to render a plan.
  ///
  /// - Parameters:
  ///   - tiles: The tiles that the plan is divided into, if it is.
  ///   - lastHeight: The number of rows that leave the engine at once.
  ///   - result: The size of the result in bytes.
  func memory(
    of plan: RenderPlan, _ tiles: TileLayout?, _ source: PixelSource, lastHeight: Int, result: Int
  ) -> RenderMemory {
    var heights = plan.stages.map { stripHeight(of: $0) }
    if !finishesRows(of: plan), !heights.isEmpty { heights[heights.count - 1] = lastHeight }
    let readsColumns = source.rotationOfColumns(in: plan, tiles, of: self) != nil
    // The size of all rows is quickly computed, and accurate enough if it is small.
    var strips = plan.bytesOfAllRows - (readsColumns ? plan.bytesOfRows(before: 0) : 0)
    if let tiles, tiles.warp != nil {
      strips = plan.peakStripBytes(tiles, threads: threads, lastHeight: lastHeight)
    } else if strips > options.limits.maximumMemoryBytes / 16 {
      strips = plan.peakStripBytes(
        stripHeight: stripHeight(bytesPerRow: plan.source.bytesPerRow), heights: heights,
        threads: threads, stripsAhead: stripsAhead, skipsSource: readsColumns)
    }
    let encoding = result / max(1, plan.outputSize.height) * lastHeight * (threads + 1)
    if finishesRows(of: plan), let last = plan.stages.last {
      strips += 2 * lastHeight * last.output.bytesPerRow * threads
    }
    var memory = RenderMemory()
    // Blocks of the pool are carved from larger allocations, which are not always used
    // completely.
    memory.strips = strips + strips / 4 + plan.workingBytes(heights: heights) * threads + encoding
    memory.strips += plan.transformBytes
    memory.strips += levelsToKeep(of: plan, source).reduce(0) { sum, level in
      let rows = plan.stages[level - 1].output
      return sum + rows.size.height * rows.bytesPerRow
    }
    memory.result = result
    memory.assets = assetBytes
    // The memory for the first row is freed before there are many strips.
    memory.decoder =
      max(source.heldBytes, source.decodingBytes - strips)
      + (readsColumns ? source.columnBytes(self) : source.stripBytes(self))
    return memory
  }

  /// Indicates whether the encoder takes rows that are already finished, so that only those wait for
  /// a whole band, instead of the floats that they are computed from.
  func finishesRows(of plan: RenderPlan) -> Bool {
    minimizesMemory || plan.stages.suffix(2).contains(where: \.startsAtTop)
  }

  /// Returns the maximum memory of the coefficients that exist at the same time.
  ///
  /// - Parameter all: Whether all rows exist at the same time because they are rotated.
  func coefficientBytes(all: Bool = false) -> Int {
    guard let frame = image.frame else { return 0 }
    let rows = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    let bytesPerRow = frame.coefficientBytes / max(1, rows)
    // Several scans are read as a whole. Otherwise two strips are read, because pixels need their
    // neighbors, and one is computed for each thread.
    let strips = (2 + threads) * stripHeight(bytesPerRow: bytesPerRow)
    return (frame.usesSplitDecoding && !all ? min(rows, strips) : rows) * bytesPerRow
  }

  /// Returns the memory needed to rearrange coefficients.
  ///
  /// - Parameter usesIndex: Whether the coefficients of each band are read by means of an index.
  func coefficientMemory(_ transform: JPEGCoefficientTransform, usesIndex: Bool) -> RenderMemory {
    guard let frame = image.frame else { return RenderMemory() }
    let rows = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    let columns = transform.orientation.swapsAxes ? frame.mcuColumns : rows
    let isInOrder = transform.orientation.keepsRowOrder
    var memory = RenderMemory()
    memory.decoder =
      usesIndex
      ? JPEGIndexGrid(step: min(4, columns)).byteCount(for: frame)
      : coefficientBytes(all: !isInOrder)
    memory.decoder += frame.size.width * 256 + (1 << 20)
    // A band is eight MCU rows, whose blocks are moved to where the encoder takes them.
    memory.strips = (threads + 1) * 2 * 8 * (frame.coefficientBytes / max(1, columns))
    // The re-encoded data is about as long as the original data.
    memory.result = 2 * image.bytes.count + (1 << 20)
    return memory
  }
}

extension RenderPlan {
  /// The size in bytes of all rows of all levels, including the last one.
  var bytesOfAllRows: Int { bytesOfRows(before: stages.count) }

  /// Returns the size in bytes of all rows of the source and of the results of some stages.
  func bytesOfRows(before end: Int) -> Int {
    stages[..<end].reduce(source.size.height * source.bytesPerRow) {
      $0 + $1.output.size.height * $1.output.bytesPerRow
    }
  }

  /// The memory of transforms, which all threads share, in bytes.
  var transformBytes: Int {
    stages.reduce(0) { sum, stage in
      guard case .area(let area, _) = stage.inputMapping else { return sum }
      return sum + stage.imagePlanes * area.facts.transformBytes(of: stage.input.size)
    }
  }

  /// Returns the maximum working memory of a thread in addition to the strips, in bytes: rows of
  /// the widest pass as floats, and for a pass over areas several times its input for a strip.
  func workingBytes(heights: [Int]) -> Int {
    var most = 0
    for (stage, height) in zip(stages, heights) {
      let width = max(stage.input.size.width, stage.output.size.width)
      let row = width * 4 * MemoryLayout<Float>.stride
      var rows = 24
      if case .area(let area, _) = stage.inputMapping, area.facts.needsWorkingRows,
        area.facts.transformBytes(of: stage.input.size) == 0
      {
        let outputRows = 0..<min(height, stage.output.size.height)
        rows += 3 * stage.inputRows(for: outputRows, of: 0).count
      }
      most = max(most, rows * row)
    }
    return most
  }
}
