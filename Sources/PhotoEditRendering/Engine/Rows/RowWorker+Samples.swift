// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs
import PhotoEditPixels

extension RowWorker {
  /// Converts `count` pixels of a row from column x on to bytes; each channel has a block.
  func convertSamples(_ row: pe_sampled_row, _ x: Int, _ count: Int) {
    var row = row
    pe_sampled_to_rgb(
      &row, x, count, converted, converted + RowProgram.blockWidth,
      converted + 2 * RowProgram.blockWidth)
  }

  /// Writes a row of a stage whose bytes are mapped through tables.
  func mapSamples(
    _ row: pe_sampled_row, from firstColumn: Int, _ tables: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>, bytesPerChannel: Int
  ) {
    let width = program.stage.output.size.width
    for x in stride(from: 0, to: width, by: RowProgram.blockWidth) {
      let count = min(RowProgram.blockWidth, width - x)
      convertSamples(row, firstColumn + x, count)
      for channel in 0..<3 {
        pe_tables_u8(
          converted + channel * RowProgram.blockWidth, count, 1, tables + channel * 256,
          target + channel * bytesPerChannel + x)
      }
    }
  }
}

extension JPEGPlaneLayout {
  /// Returns the samples of a row of pixels.
  ///
  /// - Parameter window: The MCU rows that `rows(forPixelRows:)` names.
  func row(_ y: Int, of window: StripWindow) -> pe_sampled_row { row(y) { window.row($0) } }

  /// Returns the samples of a row of pixels.
  ///
  /// - Parameter mcuRow: Returns the first byte of an MCU row.
  @inline(__always)
  func row(_ y: Int, mcuRow: (Int) -> UnsafeRawPointer) -> pe_sampled_row {
    let nearest = y / sampling.vertical
    // Outside the image, the edge row is repeated.
    let next =
      sampling.vertical == 1
      ? nearest
      : min(max(y.isMultiple(of: 2) ? nearest - 1 : nearest + 1, 0), chromaSize.height - 1)
    func chroma(_ row: Int, _ offset: Int) -> UnsafePointer<UInt8> {
      (mcuRow(row / 8) + offset + row % 8 * chromaBytesPerRow)
        .assumingMemoryBound(to: UInt8.self)
    }
    let luma = mcuRow(y / mcuHeight) + y % mcuHeight * lumaBytesPerRow
    return pe_sampled_row(
      y: luma.assumingMemoryBound(to: UInt8.self),
      cb: (chroma(nearest, cb), chroma(next, cb)), cr: (chroma(nearest, cr), chroma(next, cr)),
      chroma_width: chromaSize.width, horizontal: Int32(sampling.horizontal),
      vertical: Int32(sampling.vertical))
  }
}

extension Stage {
  /// Indicates whether the channels of the output's bytes can be stored one after the
  /// other without slower code.
  func canSeparateChannels(reading samples: JPEGPlaneLayout?) -> Bool {
    guard case .packed(let layout) = output.format, layout.channels == .rgb else { return false }
    switch inputMapping {
    case .rotation, .area, .source: return false
    case .rows, .blur, .resample: break
    }
    return level == 0 && samples != nil || !ByteTables.canReplace(self)
  }
}
