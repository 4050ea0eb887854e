// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// A decoder whose library runs in a confined process.
///
/// The process decodes ahead, into memory that both share, while rows are read. All of its answers
/// are checked; pixels may have any values. It is reused after an image without errors.
///
/// Most images are opened twice, for their header and for their pixels. A decoder of which only the
/// header was needed therefore leaves the image open in the process, until that has another one. The
/// same is true of an image that is measured before it is rendered, with its pixels.
final class ConfinedDecoder: ImageDecoder {
  let header: ImageHeader
  let workingBytes: Int
  let heldBytes: Int
  private(set) var notices: [DecoderWarning]

  private let options: DecoderOptions
  private let slots: DecoderSlots
  /// Nil once it is no longer needed.
  private var process: DecoderProcess?
  private var memory: MappedSlots?
  /// The image in the process, for another reading.
  private var opened: HeldImage?
  /// The next row to read, and the first one that is not yet decoded.
  private var next = 0
  private var decoded = 0
  private var end = DecodingEnd()

  /// Reads the header; nil if the image is to be decoded in this process.
  init?(
    _ bytes: FileBytes, of format: ImageFormat, from library: DecoderLibrary,
    options: DecoderOptions
  ) throws(CodecError) {
    guard let process = try DecoderProcess.ready(for: library.rawValue, options, file: bytes) else {
      return nil
    }
    var answer = try process.open(bytes, options)
    header = try answer.header()
    guard header.format == format else {
      throw .decoderFailed("its decoder answered about another image")
    }
    try options.limits.check(header.size)
    workingBytes = try answer.number(in: 0...Int.max / 4)
    heldBytes = try answer.number(in: 0...workingBytes)
    notices = try answer.notices()
    slots = DecoderSlots(
      height: header.size.height,
      bytesPerRow: header.layout.bytesPerRow(width: header.size.width))
    self.process = process
    self.options = options
  }

  deinit {
    // A process that is decoding would have to be waited for.
    if memory == nil || decoded == header.size.height { process?.rest() }
  }

  func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let requested = min(Int(checkRows(count, bytesPerRow: bytesPerRow)), header.size.height - next)
    try end.check()
    return try end.keep { () throws(CodecError) in
      do throws(CodecError) {
        if options.isCancelled?() == true { throw .cancelled }
        var written = 0
        while written < requested {
          if next == decoded { try decodeMore() }
          written += copyRows(
            requested - written, to: base + written * bytesPerRow, bytesPerRow: bytesPerRow)
        }
        if next == header.size.height {
          process?.rest()
          release()
        }
        return written
      } catch {
        release()
        throw error
      }
    }
  }

  private func release() {
    process = nil
    memory = nil
  }

  /// Waits until further rows are decoded.
  private func decodeMore() throws(CodecError) {
    guard let process else { throw .decoderFailed("its decoder has ended") }
    if memory == nil {
      opened = process.held
      memory = try process.start(slots, readsAgain: options.readsAgain)
    }
    // One slot, which was free.
    let end = min(decoded + slots.rowsPerSlot, header.size.height)
    let isLast = end == header.size.height
    var answer = try process.answer(
      isLast ? .finished : .rows, size: header.size, isCancelled: options.isCancelled)
    let rows = try answer.number(in: end...end)
    if isLast {
      let isKept = try answer.number(in: 0...(options.readsAgain ? 1 : 0)) == 1
      if isKept { process.keep(opened) }
      notices = try answer.notices()
    }
    decoded = rows
  }

  /// Copies decoded rows of one slot and returns their number.
  private func copyRows(
    _ most: Int, to destination: UnsafeMutableRawPointer, bytesPerRow: Int
  ) -> Int {
    guard let memory, let process else { return 0 }
    let slot = next / slots.rowsPerSlot
    let first = slot * slots.rowsPerSlot
    let end = min(first + slots.rowsPerSlot, header.size.height)
    let rows = min(most, min(end, decoded) - next)
    let source =
      memory.base(of: slot, rows: end - first, slots) + (next - first) * slots.bytesPerRow
    if bytesPerRow == slots.bytesPerRow {
      destination.copyMemory(from: source, byteCount: rows * bytesPerRow)
    } else {
      for row in 0..<rows {
        (destination + row * bytesPerRow).copyMemory(
          from: source + row * slots.bytesPerRow, byteCount: slots.bytesPerRow)
      }
    }
    next += rows
    // A failure is noticed when further rows are waited for. The last slots are not written again.
    let isNeeded = (slot + DecoderSlots.count) * slots.rowsPerSlot < header.size.height
    if next == end, isNeeded { _ = process.send(.release, [slot + 1]) }
    return rows
  }
}
