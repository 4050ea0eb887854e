// SPDX-License-Identifier: Apache-2.0

/// A file that receives a rendering strip by strip before it is encoded.
final class RasterFile: @unchecked Sendable {
  // Safe: different parts of a file may be written concurrently; all other state is accessed under
  // the lock.
  private struct State {
    var size = PixelSize(width: 0, height: 0)
    var planes = 0
    /// The offset of the first byte of the rows of a float map.
    var start = 0
    /// The encoder of a PNG, the number of rows passed to it, and the rows that arrived early.
    var encoder: PNGRows?
    var next = 0
    var early: [Int: (rows: Range<Int>, bytes: [UInt8])] = [:]
    var end = 0
    var failure: CommandFailure?
  }

  private let staged: StagedFile
  private let isFloatMap: Bool
  private let state = LockedValue(State())

  /// - Parameter isFloatMap: Whether to write a portable float map instead of a 16-bit PNG.
  init(_ staged: StagedFile, isFloatMap: Bool) {
    self.staged = staged
    self.isFloatMap = isFloatMap
  }

  /// Starts or restarts with a raster of the given size.
  func begin(_ size: PixelSize, planes: Int) throws(RenderError) -> RasterSink {
    let head: [UInt8]
    var fresh = State()
    (fresh.size, fresh.planes) = (size, planes)
    if isFloatMap {
      head = Raster.pfmHead(size: size, planes: planes)
    } else {
      let layout = RowLayout(channels: planes == 1 ? .gray : .rgb, bytesPerSample: 2)
      let encoder = try translating(RenderError.codec, PNGRows(size: size, layout: layout))
      head = encoder.readBytes()
      fresh.encoder = encoder
    }
    (fresh.start, fresh.end) = (head.count, head.count)
    let initialState = fresh
    state.withLock { $0 = initialState }
    write(head, at: 0)
    return { [self] in isFloatMap ? writeFloats($0) : encodeSamples($0) }
  }

  func finish() throws(CommandFailure) {
    if let encoder = state.withLock({ $0.encoder }) {
      try translating(
        { CommandFailure($0 as CodecError, input: staged.file.path) }, encoder.finish())
      write(encoder.readBytes(), at: state.withLock { $0.end })
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    try mapFileErrors(staged.file.sync())
  }

  private func write(_ bytes: [UInt8], at offset: Int) {
    do throws(FileError) {
      try Self.write(bytes, to: staged.file, at: offset)
    } catch {
      state.withLock { $0.failure = $0.failure ?? CommandFailure(error) }
    }
  }

  private static func write(
    _ bytes: [UInt8], to file: borrowing OpenFile, at offset: Int
  ) throws(FileError) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
      try file.write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }

  /// Writes rows of a float map, which are stored from bottom to top at fixed offsets.
  private func writeFloats(_ strip: RasterStrip) {
    let (start, height) = state.withLock { ($0.start, $0.size.height) }
    let bytesPerRow = strip.width * strip.planes * 4
    write(strip.pfmRows, at: start + (height - strip.rows.upperBound) * bytesPerRow)
  }

  /// Passes rows of a PNG to the encoder from top to bottom; strips that arrive early wait.
  private func encodeSamples(_ strip: RasterStrip) {
    let (rows, bytes) = (strip.rows, strip.wideRows)
    state.withLock { state in
      state.early[rows.lowerBound] = (rows, bytes)
      while let (rows, bytes) = state.early.removeValue(forKey: state.next),
        let encoder = state.encoder
      {
        state.next = rows.upperBound
        do throws(CodecError) {
          try encoder.write(bytes, rows: rows.count)
        } catch {
          state.failure = state.failure ?? CommandFailure(error, input: staged.file.path)
        }
        let encoded = encoder.readBytes()
        do throws(FileError) {
          try Self.write(encoded, to: staged.file, at: state.end)
        } catch {
          state.failure = state.failure ?? CommandFailure(error)
        }
        state.end += encoded.count
      }
    }
  }
}
