// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditPixels

/// An encoder of bands of rows, one after the other, each as a complete small JPEG.
///
/// A band has the standard Huffman tables, a restart marker per MCU row and no APP segment, so that
/// `JPEGAssembler` can join bands from several encoders. Calls `jpeg_write_scanlines`. Must not be
/// used by several threads at the same time.
package final class JPEGBandEncoder {
  private let width: Int
  private let settings: JPEGSettings
  private let layout: RowLayout
  private let takesSamples: Bool
  private let handle: JPEGEncoderHandle

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - width: Width of the image, 1 to 65,500.
  ///   - layout: Layout of the rows in memory: 8-bit gray or RGB; RGB rows with gray settings are
  ///     encoded as luma.
  ///   - takesSamples: Whether the samples of each component are supplied by `writeSamples`.
  ///   - coder: The implementation that transforms the blocks and writes their codes.
  package init(
    width: Int, settings: JPEGSettings, layout: RowLayout, takesSamples: Bool = false,
    coder: JPEGCoder = .fastest
  ) throws(CodecError) {
    guard (1...65_500).contains(width) else {
      throw .encoding("JPEG width must be 1–65500 (found \(width))")
    }
    guard layout.bytesPerSample == 1, !layout.channels.hasAlpha else {
      throw .encoding("a JPEG requires 8-bit gray or RGB without alpha")
    }
    guard settings.isGray || layout.channels == .rgb else {
      throw .encoding("grayscale rows require grayscale encoder settings")
    }
    let sampling = settings.sampling
    guard settings.isGray || sampling.isValid else {
      throw .encoding(
        "chroma subsampling \(sampling.horizontal)×\(sampling.vertical) (maximum: 4×2 or 2×4)"
      )
    }
    handle = try JPEGEncoderHandle(coder: coder)
    (self.width, self.settings, self.layout) = (width, settings, layout)
    self.takesSamples = takesSamples
  }

  /// Begins a band with a number of rows, 1 to 65,500; an unfinished band is discarded.
  package func begin(rows: Int) throws(CodecError) {
    guard (1...65_500).contains(rows) else {
      throw .encoding("JPEG height must be 1–65500 (found \(rows))")
    }
    var band = pe_jpeg_band()
    band.width = Int32(width)
    band.height = Int32(rows)
    band.input_channels = Int32(layout.channels.count)
    band.takes_samples = takesSamples ? 1 : 0
    band.is_gray = settings.isGray ? 1 : 0
    band.horizontal = Int32(settings.sampling.horizontal)
    band.vertical = Int32(settings.sampling.vertical)
    let code = settings.luma.values.withUnsafeBufferPointer { luma in
      settings.chroma.values.withUnsafeBufferPointer { chroma in
        band.luma = luma.baseAddress
        band.chroma = chroma.baseAddress
        return pe_jpeg_begin_band(handle.pointer, &band)
      }
    }
    try handle.check(code)
  }

  /// Writes the next rows of the band.
  package func write(rows: Int, from base: UnsafeRawPointer, bytesPerRow: Int) throws(CodecError) {
    precondition(bytesPerRow >= layout.bytesPerRow(width: width), "the rows overlap")
    try handle.check(
      pe_jpeg_write_rows(
        handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(rows)))
  }

  /// Writes the next MCU row of an encoder that takes samples.
  ///
  /// - Parameters:
  ///   - luma: Samples of the height of an MCU, padded on the right to whole MCUs.
  ///   - chroma: The same for both chroma components.
  package func writeSamples(
    luma: UnsafePointer<UInt8>, bytesPerRow: Int,
    chroma: (UnsafePointer<UInt8>, UnsafePointer<UInt8>), bytesPerChromaRow: Int
  ) throws(CodecError) {
    var samples = pe_jpeg_samples(
      planes: (luma, chroma.0, chroma.1),
      bytes_per_row: (bytesPerRow, bytesPerChromaRow, bytesPerChromaRow))
    try handle.check(pe_jpeg_write_samples(handle.pointer, &samples))
  }

  /// Ends the band and passes it to a body.
  package func end<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    try handle.check(pe_jpeg_end_band(handle.pointer, &bytes, &count))
    return try body(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// The owner of a libjpeg encoder; must not be used by several threads at the same time.
package final class JPEGEncoderHandle {
  let pointer: OpaquePointer

  /// Creates an idle encoder.
  package init(coder: JPEGCoder = .fastest) throws(CodecError) {
    guard let pointer = pe_jpeg_encoder_create(coder.code) else { throw .outOfMemory }
    self.pointer = pointer
  }

  deinit { pe_jpeg_encoder_destroy(pointer) }

  /// Converts the code of a call to an error.
  func check(_ code: pe_jpeg_code) throws(CodecError) {
    switch code {
    case .PE_JPEG_OK: return
    case .PE_JPEG_OUT_OF_MEMORY: throw .outOfMemory
    case .PE_JPEG_UNSUPPORTED: throw .unsupported("a JPEG with \(message)")
    default: throw .encoding(message)
    }
  }

  private var message: String { String(cString: pe_jpeg_encoder_message(pointer)) }
}

/// The common settings of an image's bands, so that several threads can encode them.
package struct JPEGStripEncoder: Sendable {
  /// Width of the image, 1 to 65,500.
  package let width: Int
  /// Tables and sampling.
  package let settings: JPEGSettings

  /// Creates an encoder for images of one width.
  package init(width: Int, settings: JPEGSettings) {
    (self.width, self.settings) = (width, settings)
  }

  /// Returns the height of every band but the last: eight MCU rows, after which restart markers
  /// start again at 0.
  package static func bandHeight(_ settings: JPEGSettings) -> Int {
    8 * 8 * (settings.isGray ? 1 : settings.sampling.vertical)
  }

  /// Encodes a band whose rows are all in memory.
  ///
  /// - Parameters:
  ///   - rows: Number of rows, at least 1.
  ///   - layout: Layout of the rows in memory.
  ///   - base: Address of the first row.
  ///   - bytesPerRow: Distance between rows.
  package func encode(
    rows: Int, layout: RowLayout, from base: UnsafeRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> [UInt8] {
    let encoder = try JPEGBandEncoder(width: width, settings: settings, layout: layout)
    try encoder.begin(rows: rows)
    try encoder.write(rows: rows, from: base, bytesPerRow: bytesPerRow)
    return try encoder.end { Array($0) }
  }
}

extension ImageBuffer {
  /// Returns the image as a JPEG, encoded on this thread.
  package func jpeg(
    _ settings: JPEGSettings, segments: [JPEGSegment] = [], addsJFIF: Bool = true
  ) throws(CodecError) -> [UInt8] {
    let encoder = try JPEGBandEncoder(width: size.width, settings: settings, layout: layout)
    let assembler = try JPEGAssembler(size: size, segments: segments, addsJFIF: addsJFIF)
    let bytesPerRow = layout.bytesPerRow(width: size.width)
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    for (index, first) in stride(from: 0, to: size.height, by: bandHeight).enumerated() {
      let rows = min(bandHeight, size.height - first)
      try encoder.begin(rows: rows)
      try bytes.withUnsafeBufferPointer { bytes throws(CodecError) in
        guard let base = bytes.baseAddress else { return }
        try encoder.write(rows: rows, from: base + first * bytesPerRow, bytesPerRow: bytesPerRow)
      }
      try encoder.end { band throws(CodecError) in try assembler.add(band, at: index) }
    }
    return try assembler.finish()
  }
}

/// An implementation that transforms the blocks of a JPEG and writes their codes; all of them write
/// the same bytes.
package enum JPEGCoder {
  /// The fastest one for this processor.
  case fastest
  /// This project's coder for AVX2, on processors that have it.
  case avx2
  case library

  fileprivate var code: pe_jpeg_coder {
    switch self {
    case .fastest: .PE_JPEG_FASTEST_CODER
    case .avx2: .PE_JPEG_AVX2_CODER
    case .library: .PE_JPEG_LIBRARY_CODER
    }
  }
}
