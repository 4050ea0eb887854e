// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Decodes at once and in two stages, with equal pixels or errors; restart intervals decoded
/// separately, and columns decoded from an index, must have the same coefficients as in sequential
/// decoding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let file = FileBytes(Array(UnsafeBufferPointer(start: start, count: count)))
  let choice = Int(file.buffer.last ?? 0)
  let options = DecoderOptions(
    limits: ImageLimits(maximumPixels: 1 << 16, maximumSide: 4096, maximumScans: 20),
    isLenient: choice & 1 == 1, decodesLumaOnly: choice & 2 == 2)
  guard let decoder = try? JPEGDecoder(file, options: options), decoder.frame.usesSplitDecoding
  else {
    return 0
  }
  let whole = result { () throws(CodecError) in try ImageDecoders.decode(decoder).bytes }
  let halves = result { () throws(CodecError) in try pixels(of: file, options) }
  precondition(whole == halves, "two-stage decoding differs")
  return 0
}

private func result(_ body: () throws(CodecError) -> [UInt8]) -> Result<[UInt8], CodecError> {
  do throws(CodecError) {
    return .success(try body())
  } catch {
    return .failure(error)
  }
}

private func pixels(of file: FileBytes, _ options: DecoderOptions) throws(CodecError) -> [UInt8] {
  let reader = try JPEGEntropyDecoder(file, options: options, rowsPerInterval: { _ in 1 })
  let layout = reader.layout
  let byteCount = layout.mcuRows * layout.bytesPerRow
  let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
  defer { memory.deallocate() }
  try reader.readRows(0..<layout.mcuRows, into: memory)
  compareIntervals(reader, UnsafeRawBufferPointer(start: memory, count: byteCount))
  try compareColumns(file, options, UnsafeRawBufferPointer(start: memory, count: byteCount))
  let reconstructor = try JPEGPixelReconstructor(file, options: options)
  let (header, size) = (reconstructor.header, reconstructor.header.size)
  let bytesPerRow = header.layout.bytesPerRow(width: size.width)
  var image = [UInt8](repeating: 0, count: size.height * bytesPerRow)
  let error = image.withUnsafeMutableBytes { image -> CodecError? in
    guard let base = image.baseAddress else { return nil }
    do throws(CodecError) {
      for first in stride(from: 0, to: size.height, by: 5) {
        let rows = first..<min(first + 5, size.height)
        let mcuRows = layout.rows(forPixelRows: rows)
        try reconstructor.readRows(
          rows.count, into: base + first * bytesPerRow, bytesPerRow: bytesPerRow,
          coefficients: mcuRows.map { memory + $0 * layout.bytesPerRow },
          first: mcuRows.lowerBound)
      }
      return nil
    } catch {
      return error
    }
  }
  if let error { throw error }
  return image
}

private func compareIntervals(_ reader: JPEGEntropyDecoder, _ whole: UnsafeRawBufferPointer) {
  guard let intervals = reader.intervals, !reader.notices.contains(where: { $0.kind == .filled })
  else {
    return
  }
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: whole.count, alignment: 64)
  defer { memory.deallocate() }
  guard let base = memory.baseAddress,
    (try? intervals.readRows(0..<reader.layout.mcuRows, into: base)) != nil
  else { return }
  // Blank planes are neither written nor read.
  precondition(memory.elementsEqual(whole), "restart intervals differ")
}

private func compareColumns(
  _ file: FileBytes, _ options: DecoderOptions, _ whole: UnsafeRawBufferPointer
) throws(CodecError) {
  let reader = try JPEGEntropyDecoder(file, options: options, rowsPerInterval: { _ in 1 })
  let (layout, across) = (reader.layout, reader.frame.mcuColumns)
  let step = min(3, across)
  guard let index = reader.index(JPEGIndexGrid(step: step, including: across / 2)) else { return }
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: layout.mcuRows * (index.bytesPerRow(columns: step) + index.meanBytesPerRow),
    alignment: 64)
  defer { bytes.deallocate() }
  guard let base = bytes.baseAddress,
    (try? index.add(
      0..<layout.mcuRows, means: base + layout.mcuRows * index.bytesPerRow(columns: step))) != nil
  else { return }
  for first in stride(from: 0, to: across, by: step) {
    let columns = first..<min(first + step, across)
    // Data that was indexed is clean.
    guard (try? index.read(JPEGArea(rows: 0..<layout.mcuRows, columns: columns), into: base)) != nil
    else { preconditionFailure("an area of an index is damaged") }
    let count = options.decodesLumaOnly ? 1 : reader.frame.components.count
    for component in 0..<count {
      let (offset, blocks) = reader.plane(component)
      let vertical = reader.frame.components[component].verticalSampling
      let (own, part) = (offset / across * columns.count, blocks / across * columns.count)
      for y in 0..<layout.mcuRows * vertical {
        let (row, line) = (y / vertical, y % vertical)
        let block = line * blocks + blocks / across * first
        let start = row * layout.bytesPerRow + offset + block * 128
        let ownStart = row * index.bytesPerRow(columns: columns.count) + own + line * part * 128
        precondition(
          whole[start..<start + part * 128].elementsEqual(
            UnsafeRawBufferPointer(bytes)[ownStart..<ownStart + part * 128]),
          "columns differ")
      }
    }
  }
}
