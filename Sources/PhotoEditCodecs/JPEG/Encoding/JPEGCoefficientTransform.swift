// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
package import PhotoEditStorage

/// A lossless rotation, flip, crop or grayscale conversion of a JPEG: blocks are moved, nothing is
/// rounded.
///
/// The crop is applied before the orientation. The output is baseline Huffman with the standard
/// tables and a restart marker per MCU row. Calls `jpeg_write_coefficients`.
package struct JPEGCoefficientTransform: Hashable, Sendable {
  /// The treatment of the two chroma planes of a color image; ignored for gray images.
  package enum Chroma: Hashable, Sendable {
    /// Chroma is kept.
    case keep
    /// Chroma is removed: the output has one component.
    case drop
    /// All chroma coefficients become 0: the output has three components and appears gray.
    case zero
  }

  /// The orientation to apply to the stored image, as in EXIF.
  package var orientation: Orientation
  /// The area to keep, in stored pixels.
  package var crop: Region
  /// The treatment of chroma.
  package var chroma: Chroma

  /// Creates a transform.
  package init(orientation: Orientation, crop: Region, chroma: Chroma = .keep) {
    (self.orientation, self.crop, self.chroma) = (orientation, crop, chroma)
  }

  /// Returns whether the result is exactly the requested image, with the same pixels and no
  /// rounding.
  ///
  /// This requires YCbCr or gray, and every edge of the crop that becomes a left or top edge of the
  /// output must be on the MCU grid. If chroma is removed or zeroed, only luma determines the grid:
  /// 8×8.
  package func isExact(for frame: JPEGFrame) -> Bool {
    guard !crop.size.isEmpty, Region(frame.size).contains(crop) else { return false }
    guard let grid = grid(for: frame) else { return false }
    let (flipsX, flipsY) = flips
    return (flipsX ? crop.maxX : crop.x) % grid.width == 0
      && (flipsY ? crop.maxY : crop.y) % grid.height == 0
  }

  /// Returns the size of the blocks to move, or `nil` for color models whose planes must not be
  /// moved.
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

  /// The stored axes that are reversed in the output.
  var flips: (x: Bool, y: Bool) {
    let m = orientation.matrix
    return (m.xx + m.xy < 0, m.yx + m.yy < 0)
  }

  /// Transforms a file.
  ///
  /// Coefficients outside the range of baseline JPEG, which progressive and arithmetic files can
  /// contain, throw `.unsupported`: such an image must be decoded.
  ///
  /// - Parameters:
  ///   - bytes: A JPEG.
  ///   - options: Limits, leniency and cancellation.
  ///   - segments: Segments to write after the start marker, in this order.
  ///   - addsJFIF: Whether to write a JFIF segment first if the segments do not include one.
  ///   - isCancelled: Replaces the cancellation check in `options`.
  package func run(
    _ bytes: FileBytes, options: DecoderOptions = DecoderOptions(),
    segments: [JPEGSegment] = [],
    addsJFIF: Bool = true, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> (bytes: [UInt8], notices: [DecoderWarning]) {
    var options = options
    if let isCancelled { options.isCancelled = isCancelled }
    options.decodesLumaOnly = chroma != .keep
    let decoder = try JPEGDecoder(bytes, options: options)
    guard isExact(for: decoder.frame) else {
      throw .unsupported("a JPEG that cannot be losslessly cropped to \(crop)")
    }
    let reader = try JPEGEntropyDecoder(bytes, options: options)
    let bands = JPEGCoefficientBands(self, reader)
    let assembler = try JPEGAssembler(size: bands.size, segments: segments, addsJFIF: addsJFIF)
    let layout = reader.layout
    let memory = HugePageMemory(byteCount: layout.mcuRows * layout.bytesPerRow)
    defer { withExtendedLifetime(memory) {} }
    guard let base = memory.buffer.baseAddress else { throw .outOfMemory }
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
