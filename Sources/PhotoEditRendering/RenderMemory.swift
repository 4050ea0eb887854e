// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// What a rendering keeps in memory at the same time, at most, in bytes; worked out from headers.
public struct RenderMemory: Sendable, Hashable {
  /// What the decoder keeps for itself: coefficients of a progressive JPEG, pixels of a WebP.
  public var decoder = 0
  /// Rows between decoder, passes and encoder, and what the passes work with.
  public var strips = 0
  /// The finished file, or the pixels that are handed out.
  public var result = 0
  /// Pictures and tables that are part of the recipe.
  public var assets = 0

  /// All of it.
  public var total: Int { decoder + strips + result + assets }
}

extension RenderJob {
  /// The job on so many threads, and with strips of such a height, that it keeps within its limit.
  ///
  /// - Parameter memory: What a job takes.
  /// - Throws: `RenderError.codec` with `CodecError.limitExceeded` where nothing helps.
  func fitted(
    _ memory: (RenderJob) -> RenderMemory
  ) throws(RenderError) -> (job: RenderJob, bytes: Int) {
    let job = closestToFitting(memory)
    let bytes = memory(job).total
    try codec { () throws(CodecError) in try options.limits.check(memory: bytes) }
    return (job, bytes)
  }

  /// The job with as little memory as its limit asks for; where nothing helps, with the least.
  ///
  /// Neither changes the result. Fewer threads come first: each has strips of its own. Graphs of many
  /// branches, whose strips add up, get low ones before and make none ahead; another branch has work
  /// for a thread that would wait.
  func closestToFitting(_ memory: (RenderJob) -> RenderMemory) -> RenderJob {
    let limits = options.limits
    var job = self
    var bytes = memory(job).total
    if !isChain, options.stripHeight == nil, bytes > limits.maximumMemoryBytes / 8 {
      job.options.stripHeight = StageProducer.rowsOfMCU / 2
      job.isFrugal = true
      bytes = memory(job).total
    }
    while bytes > limits.maximumMemoryBytes, let smaller = job.withLessMemory {
      job = smaller
      bytes = memory(job).total
    }
    return job
  }

  /// Half of the threads, or rows of strips as low as is of use; nil where both are so.
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

  /// What the rendering of a plan takes.
  ///
  /// - Parameters:
  ///   - lastHeight: Rows of what leaves the engine at once.
  ///   - result: Bytes of what is made.
  func memory(
    of plan: RenderPlan, _ source: PixelSource, lastHeight: Int, result: Int
  ) -> RenderMemory {
    let heights =
      plan.stages.dropLast().map { stripHeight(of: $0) }
      + [isFrugal ? StageProducer.rowsOfMCU / 2 : lastHeight]
    // What all rows would take is known at once, and close enough where it is little.
    var strips = plan.bytesOfAllRows
    if strips > options.limits.maximumMemoryBytes / 16 {
      strips = plan.peakStripBytes(
        stripHeight: stripHeight(bytesPerRow: plan.source.bytesPerRow), heights: heights,
        threads: threads, stripsAhead: stripsAhead)
    }
    let encoding = result / max(1, plan.outputSize.height) * lastHeight * (threads + 1)
    if isFrugal, let last = plan.stages.last {
      strips += 2 * lastHeight * last.output.bytesPerRow * threads
    }
    var memory = RenderMemory()
    memory.decoder = source.decodingBytes + source.stripBytes(self)
    // Blocks of the pool are cut from pieces that do not always come out even.
    memory.strips = strips + strips / 4 + plan.workingBytes(heights: heights) * threads + encoding
    memory.result = result
    memory.assets = assetBytes
    return memory
  }

  /// Memory of the coefficients that are there at the same time, at most.
  ///
  /// - Parameter all: Whether all rows are, because they are turned.
  func coefficientBytes(all: Bool = false) -> Int {
    guard let frame = picture.frame else { return 0 }
    let rows = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    let bytesPerRow = frame.coefficientBytes / max(1, rows)
    // Several scans are read as a whole. Of strips two are read, for pixels need their neighbours,
    // and one is made for each thread.
    let strips = (2 + threads) * stripHeight(bytesPerRow: bytesPerRow)
    return (frame.isReadInHalves && !all ? min(rows, strips) : rows) * bytesPerRow
  }

  /// What rearranging coefficients takes.
  func coefficientMemory(_ transform: JPEGCoefficientTransform) -> RenderMemory {
    guard let frame = picture.frame else { return RenderMemory() }
    let rows = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    let isInOrder = transform.orientation == .up || transform.orientation == .upMirrored
    var memory = RenderMemory()
    memory.decoder = coefficientBytes(all: !isInOrder) + frame.size.width * 256 + (1 << 20)
    // A band is eight rows of MCUs, whose blocks are moved to where the encoder takes them.
    memory.strips = (threads + 1) * 2 * 8 * (frame.coefficientBytes / max(1, rows))
    // The codes of what was read are about as long as they were.
    memory.result = 2 * picture.bytes.count + (1 << 20)
    return memory
  }
}

extension RenderPlan {
  /// Bytes of all rows of all levels, the last one's included.
  var bytesOfAllRows: Int {
    stages.reduce(source.size.height * source.bytesPerRow) {
      $0 + $1.output.size.height * $1.output.bytesPerRow
    }
  }

  /// Bytes that a thread works with besides the strips, at most: rows of the widest pass as floats,
  /// and for a pass over areas all that it reads for a strip, a few times.
  func workingBytes(heights: [Int]) -> Int {
    var most = 0
    for (stage, height) in zip(stages, heights) {
      let width = max(stage.input.size.width, stage.output.size.width)
      let row = width * 4 * MemoryLayout<Float>.stride
      var rows = 24
      if case .area = stage.gathering {
        let made = 0..<min(height, stage.output.size.height)
        rows += 3 * stage.inputRows(for: made, of: 0).count
      }
      most = max(most, rows * row)
    }
    return most
  }
}
