// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditPixels
package import PhotoEditStorage

/// The second stage of split decoding: reconstructs pixels from the coefficients of a
/// `JPEGEntropyDecoder`.
///
/// The pixels equal those of `JPEGDecoder`. Calls `jpeg_read_scanlines` with the supplied
/// coefficients.
package final class JPEGPixelReconstructor {
  /// The layout of the MCU rows.
  package let layout: JPEGCoefficientLayout
  /// The properties of the image, as stored in the file.
  package var header: ImageHeader { decoder.header }
  private let decoder: JPEGDecoder

  /// Opens an image whose `frame.usesSplitDecoding` is true; only its header is read.
  package init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    layout = try decoder.startStream(PE_JPEG_PIXELS)
  }

  /// Reconstructs the next rows.
  ///
  /// - Parameters:
  ///   - count: Number of rows; at most the number of remaining rows.
  ///   - base: Address of the first row.
  ///   - coefficients: A pointer for each of `layout.rows(forPixelRows:)`.
  ///   - first: The index of the MCU row at the first pointer.
  package func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int,
    coefficients: [UnsafeMutableRawPointer], first: Int
  ) throws(CodecError) {
    let requested = decoder.checkRows(count, bytesPerRow: bytesPerRow)
    var written: Int32 = 0
    try decoder.withRows(coefficients, first: first) {
      pe_jpeg_read_rows(
        $0, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, requested, &written)
    }
  }
}

/// The layout of the samples of a JPEG's MCU rows in memory: the rows of one component after those
/// of another.
package struct JPEGPlaneLayout: Hashable, Sendable {
  /// Number of MCU rows in the image.
  package let mcuRows: Int
  /// Pixel rows per MCU row.
  package let mcuHeight: Int
  /// Bytes per MCU row.
  package let bytesPerMCURow: Int
  /// Luma samples per chroma sample: 1×1, 2×1 or 2×2.
  package let sampling: ChromaSampling
  /// The number of chroma samples that belong to pixels.
  package let chromaSize: PixelSize
  /// Bytes from the start of an MCU row to the two chroma planes; luma comes first.
  package let cb: Int, cr: Int
  /// Bytes per row of luma and of chroma samples.
  package let lumaBytesPerRow: Int, chromaBytesPerRow: Int
  /// The bands of MCU columns that are in memory one after the other, each with all MCU rows; nil if
  /// MCU rows are complete.
  package var columns: JPEGColumnBands?

  /// Returns the layout of bands of an image, given that of one of them.
  func of(_ columns: JPEGColumnBands, size: PixelSize) -> JPEGPlaneLayout {
    JPEGPlaneLayout(
      mcuRows: mcuRows, mcuHeight: mcuHeight, bytesPerMCURow: bytesPerMCURow, sampling: sampling,
      chromaSize: size.divided(by: sampling), cb: cb, cr: cr, lumaBytesPerRow: lumaBytesPerRow,
      chromaBytesPerRow: chromaBytesPerRow, columns: columns)
  }

  /// Returns the MCU rows needed to convert rows of pixels: smooth upsampling of chroma uses a row
  /// of samples above and below.
  package func rows(forPixelRows rows: Range<Int>) -> Range<Int> {
    let margin = sampling.vertical - 1
    let end = min((rows.upperBound + margin + mcuHeight - 1) / mcuHeight, mcuRows)
    return max(0, rows.lowerBound - margin) / mcuHeight..<end
  }
}

/// The second stage of a decoder, up to the samples of each component before color conversion.
///
/// Calls `jpeg_read_raw_data` with the supplied coefficients.
package final class JPEGPlaneReconstructor {
  /// The layout of the samples.
  package let layout: JPEGPlaneLayout
  private let decoder: JPEGDecoder

  /// Opens an image whose `frame.planeSampling` is known, at full scale; only its header is read.
  package init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    let rows = try decoder.startStream(PE_JPEG_PLANES)
    guard let sampling = decoder.frame.planeSampling else {
      preconditionFailure("these components are not sampled in planes")
    }
    let planes = pe_jpeg_plane_layout(decoder.handle.pointer)
    layout = JPEGPlaneLayout(
      mcuRows: rows.mcuRows, mcuHeight: rows.mcuHeight, bytesPerMCURow: planes.bytes_per_mcu_row,
      sampling: sampling, chromaSize: decoder.frame.size.divided(by: sampling),
      cb: planes.offsets.1, cr: planes.offsets.2, lumaBytesPerRow: planes.bytes_per_row.0,
      chromaBytesPerRow: planes.bytes_per_row.1)
  }

  /// Reconstructs the next MCU rows, `layout.bytesPerMCURow` bytes apart.
  ///
  /// - Parameter coefficients: A pointer to the coefficients of each MCU row.
  package func readRows(
    _ rows: Range<Int>, into base: UnsafeMutableRawPointer, coefficients: [UnsafeMutableRawPointer]
  ) throws(CodecError) {
    precondition(coefficients.count == rows.count, "each MCU row has coefficients of its own")
    try decoder.withRows(coefficients, first: rows.lowerBound) {
      pe_jpeg_read_planes($0, base.assumingMemoryBound(to: UInt8.self), Int32(rows.count))
    }
  }
}

extension PixelSize {
  /// Returns the number of chroma samples across and down.
  fileprivate func divided(by sampling: ChromaSampling) -> PixelSize {
    PixelSize(
      width: (width + sampling.horizontal - 1) / sampling.horizontal,
      height: (height + sampling.vertical - 1) / sampling.vertical)
  }
}

extension JPEGFrame {
  /// The sampling of a YCbCr image whose planes can be converted by this project's kernels.
  package var planeSampling: ChromaSampling? {
    guard usesSplitDecoding, color == .ycbcr, components.count == 3 else { return nil }
    guard components.dropFirst().allSatisfy({ $0.isSampledOnce }) else { return nil }
    let sampling = ChromaSampling(
      horizontal: components[0].horizontalSampling, vertical: components[0].verticalSampling)
    // libjpeg does not smooth chroma of one or two columns.
    guard sampling.isHandledInPlanes, sampling.horizontal == 1 || size.width > 4 else { return nil }
    return sampling
  }
}

extension JPEGComponent {
  fileprivate var isSampledOnce: Bool { horizontalSampling == 1 && verticalSampling == 1 }
}

extension ChromaSampling {
  /// Indicates whether this project's kernels average and enlarge chroma with this sampling.
  package var isHandledInPlanes: Bool { [.s444, .s422, .s420].contains(self) }
}
