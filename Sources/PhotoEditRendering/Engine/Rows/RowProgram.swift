// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// The steps of one stage, compiled once: what remains for a row is a list of kernel calls.
final class RowProgram: @unchecked Sendable {
  // Safe: nothing changes after `init`, and the constants are only read.

  /// Kernel calls that run on one block of columns after another.
  struct Segment {
    /// The columns wanted, counted in what the segment reads.
    var columns = 0..<0
    var instructions = UnsafeBufferPointer<RowInstruction>(start: nil, count: 0)
    /// Scratch rows whose outermost samples go on beyond both ends, before the segment runs.
    var paddedRows: [Int] = []
    var padding = 0
    /// Columns of the padded rows.
    var paddedWidth = 0
  }

  /// Samples of a plane that are worked on at a time; some planes of them fit the first-level
  /// cache.
  static let blockWidth = 1024

  let stage: Stage
  let segments: [Segment]
  let places: [RowPlace]
  let registerCount: Int
  let rowCount: Int
  /// Samples of a scratch row without padding, and what may be read or written on each side.
  let rowCapacity: Int
  let padding: Int
  /// Tables from byte to byte, one for each channel, where they are all there is to do.
  let byteTables: UnsafePointer<UInt8>?
  /// Whether these tables give every byte back.
  let copiesBytes: Bool
  /// Byte where the first wanted pixel of a row begins, for `byteTables`.
  let firstByte: Int
  private let constants: RowConstants

  init(_ stage: Stage) {
    let constants = RowConstants()
    self.stage = stage
    self.constants = constants
    let tables = ByteTables(stage)
    byteTables = tables.map { constants.store($0.bytes) }
    copiesBytes = tables?.isIdentity ?? false
    firstByte = tables?.firstByte ?? 0
    var compiler = RowCompiler(stage, constants: constants)
    if tables == nil { compiler.compile() }
    segments = compiler.segments
    places = compiler.places
    registerCount = compiler.registerCount
    rowCount = compiler.rowCount
    var widest = max(stage.input.size.width, stage.output.size.width)
    if let blurred = stage.blurred { widest = max(widest, blurred.input.size.width) }
    var padding = 0
    for step in stage.steps {
      switch step {
      case .resampleRow(let weights), .enlargeBlurred(let weights):
        widest = max(widest, weights.starts.count)
        // Taps are filled up to a multiple of eight, and those of the last output read on.
        padding = max(padding, weights.widestSum + 8)
      case .blurRow(let kernel): padding = max(padding, kernel.radius)
      default: continue
      }
    }
    rowCapacity = widest
    self.padding = padding
  }

  /// Whether blocks of columns are done for all rows of a strip before the next block.
  ///
  /// A vertical sum reads many rows; those of a narrow block stay in the second-level cache.
  var goesByColumns: Bool {
    switch stage.gathering {
    case .blur, .resample: segments.count == 1
    case .rows, .turn, .area, .source: false
    }
  }
}
