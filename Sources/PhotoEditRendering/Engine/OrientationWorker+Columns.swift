// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs
import PhotoEditPixels

extension OrientationWorker {
  /// Fills a strip of the image rotated by 90° or 270° from bands of columns of the samples of a
  /// JPEG's components.
  func fill(
    _ strip: Strip, from window: StripWindow, _ samples: JPEGPlaneLayout, _ bands: JPEGColumnBands
  ) {
    let columns = storedColumns(for: strip.rows)
    let place = place(of: strip)
    for band in columns.lowerBound / bands.width...(columns.upperBound - 1) / bands.width {
      let part = columns.clamped(to: band * bands.width..<(band + 1) * bands.width)
      let count = part.count
      let source = BandColumns(part, of: band, bands, samples, window)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 7 * count + 16) { memory in
        guard let red = memory.baseAddress else { return }
        let (green, blue) = (red + count, red + 2 * count)
        for storedRow in 0..<stored.height {
          var (row, first) = source.row(storedRow, chroma: red + 3 * count)
          pe_sampled_to_rgb(&row, first, count, red, green, blue)
          var target =
            place.target(storedRow) + (part.lowerBound - columns.lowerBound) * place.stride
          for index in 0..<count {
            (target[0], target[1], target[2]) = (red[index], green[index], blue[index])
            target += place.stride
          }
        }
      }
    }
  }

  /// Returns the positions of the bands that some rows of the rotated image are computed from:
  /// smooth upsampling of chroma uses a column of samples to the left and to the right.
  func bands(
    for rows: Range<Int>, _ bands: JPEGColumnBands, _ sampling: ChromaSampling
  ) -> Range<Int> {
    let columns = storedColumns(for: rows)
    let horizontal = sampling.horizontal
    let margin = horizontal - 1
    // Chroma is enlarged by whole samples.
    let first = columns.lowerBound / horizontal - margin
    let end = (columns.upperBound + horizontal - 1) / horizontal + margin
    let wider = first * horizontal..<end * horizontal
    return bands.positions(of: wider.clamped(to: 0..<stored.width))
  }
}

/// Some columns of a band of samples, with the chroma of the bands next to it.
private struct BandColumns {
  private typealias Bytes = UnsafePointer<UInt8>

  private let samples: JPEGPlaneLayout
  private let base: UnsafeRawPointer
  /// The first column in the band.
  private let first: Int
  /// The chroma samples of these columns in the band, and their number in the whole band.
  private let chroma: Range<Int>
  private let chromaCount: Int
  /// The chroma samples from the band to the right edge of the image.
  private let chromaLeft: Int
  /// The bands on the left and right, if their chroma is used.
  private let before: UnsafeRawPointer?, after: UnsafeRawPointer?

  init(
    _ columns: Range<Int>, of band: Int, _ bands: JPEGColumnBands, _ samples: JPEGPlaneLayout,
    _ window: StripWindow
  ) {
    let horizontal = samples.sampling.horizontal
    self.samples = samples
    base = window.row(bands.position(of: band))
    first = columns.lowerBound - band * bands.width
    chroma = first / horizontal..<(first + columns.count + horizontal - 1) / horizontal
    chromaCount = bands.width / horizontal
    chromaLeft = samples.chromaSize.width - band * chromaCount
    let usesBefore = horizontal == 2 && chroma.lowerBound == 0 && band > 0
    let usesAfter =
      horizontal == 2 && chroma.upperBound == chromaCount && chromaCount < chromaLeft
    before = usesBefore ? window.row(bands.position(of: band - 1)) : nil
    after = usesAfter ? window.row(bands.position(of: band + 1)) : nil
  }

  /// Returns the samples of a row of pixels, and the index of the first column in it.
  ///
  /// - Parameter memory: Room for the chroma of the columns and one sample on each side, in four
  ///   rows.
  func row(_ y: Int, chroma memory: UnsafeMutablePointer<UInt8>) -> (pe_sampled_row, first: Int) {
    var row = samples.row(y) { base + $0 * samples.bytesPerMCURow }
    row.chroma_width = min(chromaCount, chromaLeft)
    if before == nil && after == nil { return (row, first) }
    let lead = before != nil || chroma.lowerBound > 0 ? 1 : 0
    let trail = chroma.upperBound < chromaLeft ? 1 : 0
    let count = lead + chroma.count + trail
    /// Copies the samples of the columns and their neighbors.
    func gathered(_ samples: Bytes?, _ index: Int) -> Bytes? {
      guard let samples else { return nil }
      let copy = memory + index * count
      let offset = UnsafeRawPointer(samples) - base
      if lead == 1 {
        copy[0] =
          before.map { $0.load(fromByteOffset: offset + chromaCount - 1, as: UInt8.self) }
          ?? samples[chroma.lowerBound - 1]
      }
      (copy + lead).update(from: samples + chroma.lowerBound, count: chroma.count)
      if trail == 1 {
        copy[count - 1] =
          after.map { $0.load(fromByteOffset: offset, as: UInt8.self) }
          ?? samples[chroma.upperBound]
      }
      return Bytes(copy)
    }
    row.cb = (gathered(row.cb.0, 0), gathered(row.cb.1, 1))
    row.cr = (gathered(row.cr.0, 2), gathered(row.cr.1, 3))
    row.chroma_width = count
    let start = first - 2 * (chroma.lowerBound - lead)
    row.y = row.y.map { $0 + (first - start) }
    return (row, start)
  }
}
