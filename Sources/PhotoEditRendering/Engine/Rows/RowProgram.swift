// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The steps of one stage, compiled once into a list of kernel calls for each row.
final class RowProgram: @unchecked Sendable {
  // Safe: nothing changes after `init`, and the constants are only read.

  /// Kernel calls that run on one block of columns after another.
  struct Segment {
    /// The requested columns, relative to the input of the segment.
    var columns = 0..<0
    var instructions = UnsafeBufferPointer<RowInstruction>(start: nil, count: 0)
  }

  /// The number of samples of a plane that are processed at a time; some planes of them fit the
  /// first-level cache.
  static let blockWidth = 1024

  let stage: Stage
  /// The layout of the input rows, if they are MCU rows of samples.
  let samples: JPEGPlaneLayout?
  /// The bytes from a channel to the next in the output rows; nil if they are interleaved.
  let bytesPerChannel: Int?
  let segments: [Segment]
  let locations: [RowLocation]
  let registerCount: Int
  let rowCount: Int
  /// The number of samples of a scratch row without padding, and the number that may be read or
  /// written on each side.
  let rowCapacity: Int
  let padding: Int
  /// Tables from byte to byte, one for each channel, if the stage needs nothing else.
  let byteTables: UnsafePointer<UInt8>?
  /// Indicates whether these tables leave every byte unchanged.
  let copiesBytes: Bool
  /// The byte offset of the first requested pixel of a row, for `byteTables`.
  let firstByte: Int
  private let constants: RowConstants

  /// Compiles a stage.
  ///
  /// - Parameters:
  ///   - samples: The layout of the input rows, if they are MCU rows of samples.
  ///   - bytesPerChannel: The bytes from a channel to the next in the output rows; nil if they are
  ///     interleaved.
  init(_ stage: Stage, reading samples: JPEGPlaneLayout? = nil, bytesPerChannel: Int? = nil) {
    let constants = RowConstants()
    self.stage = stage
    self.samples = samples
    self.bytesPerChannel = bytesPerChannel
    self.constants = constants
    // Tables map bytes to bytes in place.
    let tables = (samples == nil) == (bytesPerChannel == nil) ? ByteTables(stage) : nil
    byteTables = tables.map { constants.store($0.bytes) }
    copiesBytes = tables?.isIdentity ?? false
    firstByte = tables?.firstByte ?? 0
    var compiler = RowCompiler(stage, readsSamples: samples != nil, constants: constants)
    if tables == nil { compiler.compile() }
    segments = compiler.segments
    locations = compiler.locations
    registerCount = compiler.registerCount
    rowCount = compiler.rowCount
    var widest = max(stage.input.size.width, stage.output.size.width)
    if let blurred = stage.blurred { widest = max(widest, blurred.input.size.width) }
    var padding = 0
    for step in stage.steps {
      switch step {
      case .resampleRow(let weights), .enlargeBlurred(let weights):
        widest = max(widest, weights.starts.count)
        // Taps are padded to a multiple of eight, and those of the last output read past the end.
        padding = max(padding, weights.widestSum + 8)
      default: continue
      }
    }
    rowCapacity = widest
    self.padding = padding
  }

  /// Indicates whether a block of columns is processed for all rows of a strip before the next
  /// block.
  ///
  /// A vertical sum reads many rows; those of a narrow block stay in the second-level cache.
  var isColumnMajor: Bool {
    switch stage.inputMapping {
    case .blur, .resample: segments.count == 1
    case .rows, .rotation, .area, .source: false
    }
  }
}
