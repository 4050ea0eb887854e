// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
package import PhotoEditStorage

/// Turns, mirrors, crops or grays a JPEG without decoding it: blocks move, nothing is rounded.
///
/// First the crop, then the turn. The output is baseline Huffman with the standard tables and a
/// restart marker per MCU row. Calls `jpeg_write_coefficients`.
package struct JPEGCoefficientTransform: Hashable, Sendable {
  /// What becomes of the two chroma planes of a colour picture; gray ones have none to lose.
  package enum Chroma: Hashable, Sendable {
    /// They are kept.
    case keep
    /// They are left out: the output has one component.
    case drop
    /// They stay, with all coefficients 0: the output has three components and shows gray.
    case zero
  }

  /// From stored to upright, with the meaning of Exif.
  package var orientation: Orientation
  /// What is kept, in stored pixels.
  package var crop: Region
  /// What becomes of chroma.
  package var chroma: Chroma

  /// Makes a transform.
  package init(orientation: Orientation, crop: Region, chroma: Chroma = .keep) {
    self.orientation = orientation
    self.crop = crop
    self.chroma = chroma
  }

  /// Whether the result is the picture asked for, with no pixel more or less and none rounded.
  ///
  /// That needs YCbCr or gray, and every edge of the crop that becomes a left or upper edge of the
  /// output on the grid of MCUs. Only luma counts for the grid when chroma is lost: 8×8 then.
  package func isExact(for frame: JPEGFrame) -> Bool {
    guard !crop.size.isEmpty, Region(frame.size).contains(crop) else { return false }
    guard let grid = grid(for: frame) else { return false }
    let (mirrorsX, mirrorsY) = mirrors
    return (mirrorsX ? crop.maxX : crop.x) % grid.width == 0
      && (mirrorsY ? crop.maxY : crop.y) % grid.height == 0
  }

  /// The pixels that move as one, or `nil` for colours whose planes must not be moved.
  private func grid(for frame: JPEGFrame) -> PixelSize? {
    switch (frame.color, frame.components.count) {
    case (.gray, 1): return frame.mcuSize
    case (.ycbcr, 3): break
    default: return nil
    }
    if chroma != .drop && !frame.fitsOneScan { return nil }
    if chroma == .keep { return frame.mcuSize }
    let luma = frame.components[0]
    let isFull = frame.components.allSatisfy {
      $0.horizontalSampling <= luma.horizontalSampling
        && $0.verticalSampling <= luma.verticalSampling
    }
    return isFull ? PixelSize(width: 8, height: 8) : nil
  }

  /// Which stored axes run backwards in the output.
  var mirrors: (x: Bool, y: Bool) {
    let m = orientation.matrix
    return (m.xx + m.xy < 0, m.yx + m.yy < 0)
  }

  /// Transforms a file.
  ///
  /// Coefficients beyond the range of baseline JPEG, which progressive and arithmetic files can hold,
  /// are refused as `.unsupported`: such a picture must be decoded.
  ///
  /// - Parameters:
  ///   - bytes: A JPEG.
  ///   - options: Limits, leniency and cancellation.
  ///   - segments: Written behind the start marker, in this order.
  ///   - addsJFIF: Whether a JFIF segment goes first if the segments bring none.
  ///   - isCancelled: Takes the place of the one in `options`.
  package func run(
    _ bytes: FileBytes, options: DecoderOptions = DecoderOptions(),
    segments: [JPEGSegment] = [],
    addsJFIF: Bool = true, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> (bytes: [UInt8], notices: [CodecNotice]) {
    var options = options
    if let isCancelled { options.isCancelled = isCancelled }
    options.decodesLumaOnly = chroma != .keep
    let decoder = try JPEGDecoder(bytes, options: options)
    guard isExact(for: decoder.frame) else {
      throw .unsupported("a JPEG whose blocks cannot be moved to \(crop)")
    }
    let reader = try JPEGCoefficientReader(bytes, options: options)
    let bands = JPEGCoefficientBands(self, reader)
    let assembler = try JPEGAssembler(size: bands.size, segments: segments, addsJFIF: addsJFIF)
    let layout = reader.layout
    let memory = LargeMemory.allocate(byteCount: layout.mcuRows * layout.bytesPerRow)
    defer { memory.deallocate() }
    guard let base = memory.baseAddress else { throw .outOfMemory }
    try reader.readRows(0..<layout.mcuRows, into: base)
    let encoder = try JPEGEncoderHandle()
    for band in 0..<bands.count {
      if options.isCancelled?() == true { throw .cancelled }
      let rows = bands.mcuRows(forBands: band..<band + 1)
      try bands.encode(
        band, rows: rows.map { base + $0 * layout.bytesPerRow }, first: rows.lowerBound,
        with: encoder
      ) { bytes throws(CodecError) in try assembler.add(bytes, at: band) }
    }
    return (try assembler.finish(), reader.notices)
  }
}
