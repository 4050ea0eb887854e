// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Runs the program of one stage; owns the scratch memory of one task at a time.
///
/// Memory is allocated once, for blocks of columns and for whole rows where a step needs them;
/// running rows allocates nothing.
final class RowWorker {
  let program: RowProgram
  let registerStride: Int
  private let rowStride: Int
  let inputChannels: Int
  let inputWidth: Int
  private let scratch: UnsafeMutablePointer<Float>
  /// The first sample of every location, and the samples to advance per column: 1, or 0 for blocks.
  let bases: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let strides: UnsafeMutablePointer<Int>
  /// Rows of planes that the rows of a strip are computed from.
  private var inputs = RowPointers()
  /// Rows of the blurred image that they are merged with.
  private var blurred = RowPointers()
  let blurredWidth: Int
  /// A block of each channel, converted from samples.
  let converted: UnsafeMutablePointer<UInt8>
  /// Rows of the secondary inputs.
  private var sides: ArraySlice<StripWindow> = []
  /// Vertical sums of a block for several rows, with as many columns on both sides as a horizontal
  /// sum reads.
  private let gatheredSums: UnsafeMutablePointer<Float>
  private let sumStride: Int
  private static let rowsAtOnce = 8

  convenience init(_ stage: Stage) { self.init(RowProgram(stage)) }

  init(_ program: RowProgram) {
    self.program = program
    inputWidth = program.stage.input.size.width
    blurredWidth = program.stage.blurred?.input.size.width ?? 0
    inputChannels =
      switch program.stage.input.format {
      case .packed(let layout): layout.channels.count
      case .planes(let count): count
      }
    // Blocks spaced at multiples of a page would compete for the same cache lines.
    registerStride = RowProgram.blockWidth + 32
    rowStride = (program.rowCapacity + 2 * program.padding + 15) / 16 * 16
    let count = program.registerCount * registerStride + program.rowCount * rowStride
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * 4, alignment: 64)
    scratch = bytes.bindMemory(to: Float.self, capacity: max(1, count))
    // Samples outside a row have weight 0 but must be numbers.
    scratch.initialize(repeating: 0, count: max(1, count))
    let blurs = program.segments.flatMap(\.instructions).filter { $0.operation == .blur }
    sumStride = registerStride + 2 * Self.columnsAround(radius: blurs.first?.radius ?? 0)
    gatheredSums = .allocate(capacity: blurs.count * Self.rowsAtOnce * sumStride)
    converted = .allocate(capacity: program.samples == nil ? 0 : 3 * RowProgram.blockWidth)
    bases = .allocate(capacity: max(1, program.locations.count))
    bases.initialize(repeating: scratch, count: program.locations.count)
    strides = .allocate(capacity: max(1, program.locations.count))
    strides.initialize(repeating: 1, count: program.locations.count)
    for (index, location) in program.locations.enumerated() {
      switch location {
      case .side: continue
      case .register(let number):
        bases[index] += number * registerStride
        strides[index] = 0
      case .row(let number, let shift): bases[index] += firstSample(ofRow: number) - shift
      case .input, .output: continue
      }
    }
  }

  private func firstSample(ofRow number: Int) -> Int {
    program.registerCount * registerStride + number * rowStride + program.padding
  }

  deinit {
    scratch.deallocate()
    bases.deallocate()
    strides.deallocate()
    inputs.deallocate()
    gatheredSums.deallocate()
    converted.deallocate()
    blurred.deallocate()
  }

  /// Computes neighboring rows of the output.
  ///
  /// - Parameter others: Rows of the other levels that a stage reads: those of the blurred image,
  ///   if there is one, and those of each secondary input.
  func run(
    rows: Range<Int>, from window: StripWindow, and others: ArraySlice<StripWindow> = [],
    into target: UnsafeMutableRawPointer, bytesPerRow: Int
  ) {
    var others = others
    let grid = program.stage.blurred == nil ? nil : others.popFirst()
    sides = others
    defer { sides = [] }
    if program.byteTables == nil { collect(rows, from: window, and: grid) }
    if program.isColumnMajor {
      let segment = program.segments[0]
      forEachBlock(of: segment) { x, count in
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rowsAtOnce) {
          let some = first..<min(first + Self.rowsAtOnce, rows.upperBound)
          for (number, step) in segment.instructions.enumerated() where step.operation == .blur {
            let gathered = some.lowerBound + program.stage.firstRow
            sumColumns(number, step, gathered..<gathered + some.count, x, count)
          }
          for y in some {
            let output = target + (y - rows.lowerBound) * bytesPerRow
            run(segment, begin(y, window, into: output), x, count, gathered: y - first)
          }
        }
      }
      return
    }
    for y in rows {
      let output = target + (y - rows.lowerBound) * bytesPerRow
      if let tables = program.byteTables {
        runBytes(y, tables, window, into: output)
        continue
      }
      let position = begin(y, window, into: output)
      for index in program.segments.indices {
        let segment = program.segments[index]
        forEachBlock(of: segment) { x, count in run(segment, position, x, count, gathered: 0) }
      }
    }
  }

  /// Computes the vertical sums of a blur for a block of columns and several rows of the input, so
  /// that the rows in between are read once; columns outside the image repeat its edges.
  func sumColumns(
    _ number: Int, _ step: RowInstruction, _ rows: Range<Int>, _ x: Int, _ count: Int
  ) {
    guard let pointers = inputs.rows.baseAddress else { return }
    let around = Self.columnsAround(radius: step.radius)
    let first = max(0, x - around), end = min(inputWidth, x + count + around)
    let left = first - (x - around), right = x + count + around - end
    let index = rows.lowerBound - inputs.first
    let ahead = inputs.count - (index + rows.count + step.radius)
    pe_convolve_rows(
      pointers + index, first + step.index * inputWidth, end - first,
      step.constants?.assumingMemoryBound(to: Float.self), step.radius,
      gathered(number, row: 0) + left, sumStride, rows.count, min(rows.count, ahead))
    if left == 0 && right == 0 { return }
    for row in 0..<rows.count {
      let sums = gathered(number, row: row) + left
      (sums - left).update(repeating: sums[0], count: left)
      (sums + (end - first)).update(repeating: sums[end - first - 1], count: right)
    }
  }

  /// The columns on each side of a block for which vertical sums are computed: whole vectors.
  static func columnsAround(radius: Int) -> Int { (radius + 15) / 16 * 16 }

  /// Returns the sums of one instruction for one of several rows.
  func gathered(_ instruction: Int, row: Int) -> UnsafeMutablePointer<Float> {
    gatheredSums + (instruction * Self.rowsAtOnce + row) * sumStride
  }

  private func runBytes(
    _ y: Int, _ tables: UnsafePointer<UInt8>, _ window: StripWindow,
    into target: UnsafeMutableRawPointer
  ) {
    guard case .packed(let layout) = program.stage.output.format else { return }
    if let samples = program.samples, let bytesPerChannel = program.bytesPerChannel {
      return mapSamples(
        samples.row(y + program.stage.firstRow, of: window),
        from: window.firstColumn + program.firstByte / layout.bytesPerPixel, tables,
        into: target.assumingMemoryBound(to: UInt8.self), bytesPerChannel: bytesPerChannel)
    }
    let width = program.stage.output.size.width
    let source = window.row(y + program.stage.firstRow) + program.firstByte
    if program.copiesBytes {
      target.copyMemory(from: source, byteCount: width * layout.bytesPerPixel)
    } else {
      pe_tables_u8(
        source.assumingMemoryBound(to: UInt8.self), width, layout.channels.count, tables,
        target.assumingMemoryBound(to: UInt8.self))
    }
  }

  // MARK: Rows of planes

  private func collect(_ rows: Range<Int>, from window: StripWindow, and grid: StripWindow?) {
    let stage = program.stage
    if rows.isEmpty { return }
    if let shape = stage.blurred?.input, let grid {
      blurred.collect(stage.inputRows(for: rows, of: 1), from: grid, height: shape.size.height)
    }
    guard case .planes = stage.input.format else { return }
    let first = rows.lowerBound + stage.firstRow
    let requested =
      switch stage.inputMapping {
      case .blur(let kernel, _, _): first - kernel.radius..<first + rows.count + kernel.radius
      case .rows, .resample, .rotation, .area, .source: stage.inputRows(for: rows)
      }
    inputs.collect(requested, from: window, height: stage.input.size.height)
  }

  /// Sets the locations of input and output to one row.
  private func begin(
    _ y: Int, _ window: StripWindow, into target: UnsafeMutableRawPointer
  ) -> RowPosition {
    let gathered = y + program.stage.firstRow
    for index in program.locations.indices {
      switch program.locations[index] {
      case .register, .row: continue
      case .side(let number, let plane, let shift):
        let side = program.stage.sides[number]
        let row = sides[sides.startIndex + number].row(gathered - side.firstRow)
        let first = row.assumingMemoryBound(to: Float.self)
        bases[index] = UnsafeMutablePointer(
          mutating: first + plane * side.image.shape.size.width - shift)
      case .input(let plane):
        guard let row = inputs.rows[gathered - inputs.first] else { continue }
        let first = row + plane * program.stage.input.size.width
        bases[index] = UnsafeMutablePointer(mutating: first)
      case .output(let plane, let shift):
        let first = plane * program.stage.output.size.width - shift
        bases[index] = target.assumingMemoryBound(to: Float.self) + first
      }
    }
    let samples = program.samples?.row(gathered, of: window)
    let packed =
      if samples == nil, case .packed = program.stage.input.format { window.row(gathered) } else {
        UnsafeRawPointer(target)
      }
    return RowPosition(
      y: gathered, packed: packed, samples: samples, firstColumn: window.firstColumn,
      inputs: UnsafePointer(inputs.rows.baseAddress),
      first: inputs.first, blurred: UnsafePointer(blurred.rows.baseAddress),
      firstBlurred: blurred.first, target: target)
  }

  /// Splits the columns into blocks of nearly equal width, so that no block is left with only a few
  /// columns.
  private func forEachBlock(of segment: RowProgram.Segment, _ body: (Int, Int) -> Void) {
    let columns = segment.columns
    let count = (columns.count + RowProgram.blockWidth - 1) / RowProgram.blockWidth
    guard count > 0 else { return }
    let width = ((columns.count + count - 1) / count + 63) / 64 * 64
    var x = columns.lowerBound
    while x < columns.upperBound {
      body(x, min(width, columns.upperBound - x))
      x += width
    }
  }
}

/// One row of the output and its inputs.
struct RowPosition {
  /// The row of the input, or of the values gathered from it.
  var y: Int
  /// The row of interleaved samples, if the input is interleaved.
  var packed: UnsafeRawPointer
  /// The samples of the row, if the input is the components of a JPEG, and their first column.
  var samples: pe_sampled_row?
  var firstColumn: Int
  /// Rows of planes starting at row `first` of the input, if the input is planar.
  var inputs: UnsafePointer<UnsafePointer<Float>?>?
  var first: Int
  /// Rows of the blurred image's grid starting at row `firstBlurred`.
  var blurred: UnsafePointer<UnsafePointer<Float>?>?
  var firstBlurred: Int
  var target: UnsafeMutableRawPointer
}

/// Pointers to neighboring rows of planes; outside the image, the edge row is repeated.
private struct RowPointers {
  private(set) var rows = UnsafeMutableBufferPointer<UnsafePointer<Float>?>(start: nil, count: 0)
  /// The index of the first row, counted from the top of the image.
  private(set) var first = 0
  private(set) var count = 0

  mutating func collect(_ requested: Range<Int>, from window: StripWindow, height: Int) {
    if requested.count > rows.count {
      rows.deallocate()
      rows = .allocate(capacity: requested.count)
      rows.initialize(repeating: nil)
    }
    for (index, y) in requested.enumerated() {
      rows[index] = window.row(min(max(y, 0), height - 1)).assumingMemoryBound(to: Float.self)
    }
    first = requested.lowerBound
    count = requested.count
  }

  func deallocate() { rows.deallocate() }
}
