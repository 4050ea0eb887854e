// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditPixels

/// The bands of a rotated, cropped or grayscale JPEG, encoded from the coefficients of its source.
///
/// Bands are independent of each other: several threads may encode them, each with its own encoder.
package final class JPEGCoefficientBands: @unchecked Sendable {
  // Safe: nothing changes after `init`, and the reader is used only for its tables.
  /// The size of the result.
  package let size: PixelSize
  /// Pixel rows of every band but the last.
  package let bandHeight: Int

  private let transform: JPEGCoefficientTransform
  private let reader: JPEGEntropyDecoder
  private let components: [Component]

  /// One component of the result, in blocks.
  private struct Component {
    var isBlank: Bool
    var moves: pe_jpeg_moves
    /// Blocks across and down, without those that only pad MCUs.
    var columns: Int
    var rows: Int
    /// Sampling in the result; 1 by 1 if it is the only component.
    var horizontal: Int
    var vertical: Int

    /// Bytes of a complete band's blocks, if they are moved.
    var bandByteCount: Int { blockRowsPerBand * columns * JPEGCoefficientBands.bytesPerBlock }
    /// Eight MCU rows.
    var blockRowsPerBand: Int { 8 * vertical }
  }

  /// Prepares to transform the image of a reader; the transform must be exact for its frame.
  package init(_ transform: JPEGCoefficientTransform, _ reader: JPEGEntropyDecoder) {
    (self.transform, self.reader) = (transform, reader)
    let frame = reader.frame
    let crop = transform.crop
    size = transform.orientation.applied(to: crop.size)
    let isSingle = frame.components.count == 1 || transform.chroma == .drop
    let outer = isSingle ? (h: 1, v: 1) : frame.largestSampling
    let swaps = transform.orientation.swapsAxes
    let (flipsX, flipsY) = transform.flips
    components = frame.components.prefix(isSingle ? 1 : 3).enumerated().map { index, component in
      let h = isSingle ? 1 : component.horizontalSampling
      let v = isSingle ? 1 : component.verticalSampling
      let (unitX, unitY) = (8 * outer.h, 8 * outer.v)
      let (offset, blocksAcross) = reader.plane(index)
      let columns = (crop.width * h + unitX - 1) / unitX
      let rows = (crop.height * v + unitY - 1) / unitY
      let moves = pe_jpeg_moves(
        offset: offset, blocks_across: Int32(blocksAcross),
        vertical: Int32(component.verticalSampling),
        first_x: Int32(flipsX ? crop.maxX * h / unitX - 1 : crop.x * h / unitX),
        first_y: Int32(flipsY ? crop.maxY * v / unitY - 1 : crop.y * v / unitY),
        step_x: flipsX ? -1 : 1, step_y: flipsY ? -1 : 1, swaps_axes: swaps ? 1 : 0)
      return Component(
        isBlank: transform.chroma == .zero && index > 0, moves: moves,
        columns: swaps ? rows : columns, rows: swaps ? columns : rows,
        horizontal: swaps ? v : h, vertical: swaps ? h : v)
    }
    bandHeight = 8 * 8 * (swaps ? outer.h : outer.v)
  }

  /// The number of bands.
  package var count: Int { (size.height + bandHeight - 1) / bandHeight }

  /// The MCUs of an index from which bands are read, if they are not read from complete rows.
  package var grid: JPEGIndexGrid {
    let frame = reader.frame
    guard transform.orientation.swapsAxes else { return JPEGIndexGrid(step: frame.mcuColumns) }
    return JPEGIndexGrid(
      step: min(frame.mcuColumns, max(1, bandHeight / frame.mcuSize.width)),
      including: area(forBands: 0..<1).columns.lowerBound)
  }

  /// Returns the MCU rows of the source that are needed for some bands.
  package func mcuRows(forBands bands: Range<Int>) -> Range<Int> {
    area(forBands: bands).rows
  }

  /// Returns the MCUs of the source that are needed for some bands.
  package func area(forBands bands: Range<Int>) -> JPEGArea {
    let first = bands.lowerBound * bandHeight
    let end = min(bands.upperBound * bandHeight, size.height)
    let rows = Region(x: 0, y: first, width: size.width, height: end - first)
    let source = transform.orientation.storedRegion(rows, stored: transform.crop.size)
    let (left, right) = (transform.crop.x + source.x, transform.crop.x + source.maxX)
    let (top, bottom) = (transform.crop.y + source.y, transform.crop.y + source.maxY)
    let (mcuWidth, mcuHeight) = (reader.frame.mcuSize.width, reader.layout.mcuHeight)
    return JPEGArea(
      rows: top / mcuHeight..<(bottom + mcuHeight - 1) / mcuHeight,
      columns: left / mcuWidth..<(right + mcuWidth - 1) / mcuWidth)
  }

  /// Encodes a band and passes it to a body.
  ///
  /// - Parameters:
  ///   - rows: A pointer for each of `mcuRows(forBands:)`.
  ///   - first: The index of the MCU row at the first pointer.
  ///   - columns: The MCU columns of the rows, for bands that are not in the order of the source;
  ///     all of them if nil.
  /// - Throws: `CodecError.unsupported` for coefficients that baseline JPEG cannot represent.
  package func encode(
    _ band: Int, rows: [UnsafeMutableRawPointer], first: Int, columns: Range<Int>? = nil,
    with encoder: JPEGEncoderHandle, _ body: (UnsafeBufferPointer<UInt8>) throws(CodecError) -> Void
  ) throws(CodecError) {
    let tables = try reader.tables()
    var parameters = pe_jpeg_coefficient_band()
    parameters.width = Int32(size.width)
    parameters.height = Int32(min(bandHeight, size.height - band * bandHeight))
    parameters.component_count = Int32(components.count)
    var planes: [pe_jpeg_coefficient_plane] = []
    var scratch: [UInt8] = []
    var memory = rows.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
    let staysInPlace = transform.orientation == .up
    precondition(!staysInPlace || columns == nil, "blocks that stay in place are in complete rows")
    if !staysInPlace { scratch = moved(band, memory, first: first, columns) }
    var offset = 0
    for (index, component) in components.enumerated() {
      let table = tables[index]
      var plane = pe_jpeg_coefficient_plane()
      let start = band * component.blockRowsPerBand
      plane.is_blank = component.isBlank ? 1 : 0
      plane.horizontal = Int32(component.horizontal)
      plane.vertical = Int32(component.vertical)
      // Components with the same quantization values share a table.
      plane.table_index = Int32(tables.prefix(index).firstIndex(of: table) ?? index)
      if staysInPlace {
        let moves = component.moves
        plane.offset = moves.offset + Int(moves.first_x) * Self.bytesPerBlock
        plane.blocks_across = moves.blocks_across
        plane.source_vertical = moves.vertical
        plane.first_row = moves.first_y + Int32(start) - Int32(first) * moves.vertical
      } else {
        plane.offset = offset
        plane.blocks_across = Int32(component.columns)
        plane.source_vertical = Int32(component.blockRowsPerBand)
        offset += component.bandByteCount
      }
      planes.append(plane)
    }
    let values = tables.map { transform.orientation.swapsAxes ? $0.transposed.values : $0.values }
    let code = scratch.withUnsafeMutableBufferPointer { scratch in
      if !staysInPlace { memory = [scratch.baseAddress] }
      parameters.row_count = Int32(memory.count)
      return withTables(values, &planes, &parameters) { parameters in
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let code = pe_jpeg_encode_coefficients(
          encoder.pointer, &parameters, memory, &bytes, &count)
        return (code, UnsafeBufferPointer(start: bytes, count: count))
      }
    }
    try encoder.check(code.0)
    try body(code.1)
  }

  private static let bytesPerBlock = 128

  /// Returns the transformed blocks of a band, one component after the other.
  private func moved(
    _ band: Int, _ memory: [UnsafeMutablePointer<UInt8>?], first: Int, _ columns: Range<Int>?
  ) -> [UInt8] {
    let across = reader.frame.mcuColumns
    let byteCount = components.reduce(0) { $0 + $1.bandByteCount }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      let scratch = UnsafeMutableRawBufferPointer(bytes)
      count = byteCount
      // All blocks that the encoder reads are moved, except those that pad the last band.
      if band == self.count - 1 { scratch.initializeMemory(as: UInt8.self, repeating: 0) }
      var offset = 0
      for component in components {
        defer { offset += component.bandByteCount }
        if component.isBlank { continue }
        var moves = component.moves
        if let columns {
          let blocks = moves.blocks_across / Int32(across)
          moves.blocks_across = blocks * Int32(columns.count)
          moves.offset = moves.offset / across * columns.count
          moves.first_x -= blocks * Int32(columns.lowerBound)
        }
        let start = band * component.blockRowsPerBand
        for row in start..<min(start + component.blockRowsPerBand, component.rows) {
          let blocks = scratch.baseAddress.map {
            $0 + offset + (row - start) * component.columns * Self.bytesPerBlock
          }
          pe_jpeg_move_blocks(
            &moves, memory, Int32(first), Int32(row), Int32(component.columns),
            blocks?.assumingMemoryBound(to: Int16.self))
        }
      }
    }
  }

  /// Passes pointers to the tables' values that are valid while C reads them.
  private func withTables<Result>(
    _ values: [[UInt16]], _ planes: inout [pe_jpeg_coefficient_plane],
    _ parameters: inout pe_jpeg_coefficient_band,
    _ body: (inout pe_jpeg_coefficient_band) -> Result
  ) -> Result {
    let flat = values.flatMap { $0 }
    return flat.withUnsafeBufferPointer { flat in
      for index in planes.indices { planes[index].table = flat.baseAddress.map { $0 + index * 64 } }
      withUnsafeMutableBytes(of: &parameters.planes) { raw in
        planes.withUnsafeBytes { raw.copyMemory(from: $0) }
      }
      return body(&parameters)
    }
  }
}
