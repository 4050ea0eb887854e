// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs
import PhotoEditPixels

/// Rotates and flips rows of interleaved pixels.
struct OrientationWorker {
  let orientation: Orientation
  let stored: PixelSize
  private let bytesPerPixel: Int
  private let planes: Int

  init(_ orientation: Orientation, _ stored: StripShape) {
    self.orientation = orientation
    self.stored = stored.size
    switch stored.format {
    case .packed(let layout): (bytesPerPixel, planes) = (layout.bytesPerPixel, 1)
    case .planes(let count): (bytesPerPixel, planes) = (MemoryLayout<Float>.stride, count)
    }
  }

  /// Fills a strip of the image rotated by 90° or 270° from the samples of a JPEG's components.
  ///
  /// All rows of the source wait for the first strip, and samples take half the memory of pixels.
  func fill(_ strip: Strip, from window: StripWindow, _ samples: JPEGPlaneLayout) {
    let place = place(of: strip)
    let count = strip.rows.count
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count) { channels in
      guard let red = channels.baseAddress else { return }
      let (green, blue) = (red + count, red + 2 * count)
      for storedRow in 0..<stored.height {
        var row = samples.row(storedRow, of: window)
        pe_sampled_to_rgb(&row, place.firstColumn, count, red, green, blue)
        var target = place.target(storedRow)
        for index in 0..<count {
          (target[0], target[1], target[2]) = (red[index], green[index], blue[index])
          target += place.stride
        }
      }
    }
  }

  /// Fills a strip of the rotated image.
  func fill(_ strip: Strip, from window: StripWindow) {
    for plane in 0..<planes {
      let width = orientation.applied(to: stored).width
      fill(
        strip, from: window.shifted(by: plane * stored.width * bytesPerPixel),
        at: plane * width * bytesPerPixel)
    }
  }

  /// Fills one plane, which starts at the given byte offset in each row.
  private func fill(_ strip: Strip, from window: StripWindow, at offset: Int) {
    if orientation.swapsAxes {
      transpose(into: strip, from: window, at: offset)
    } else {
      for y in strip.rows {
        let source = orientation.storedPosition(x: 0, y: y, stored: stored)
        let row = window.row(source.y).assumingMemoryBound(to: UInt8.self)
        let target = (strip.row(y) + offset).assumingMemoryBound(to: UInt8.self)
        if source.x == 0 {
          target.update(from: row, count: stored.width * bytesPerPixel)
        } else {
          pe_reverse_pixels(row, stored.width, bytesPerPixel, target)
        }
      }
    }
  }

  /// Reads along stored rows, which become columns, so that every cache line is read once.
  private func transpose(into strip: Strip, from window: StripWindow, at offset: Int) {
    let place = place(of: strip)
    for storedRow in 0..<stored.height {
      pe_scatter_pixels(
        window.row(storedRow).assumingMemoryBound(to: UInt8.self)
          + place.firstColumn * bytesPerPixel,
        strip.rows.count, bytesPerPixel, place.target(storedRow) + offset, place.stride)
    }
  }

  /// Indicates whether the rows of the rotated image are stored columns from left to right.
  private var isRising: Bool { orientation.matrix.xy > 0 }

  /// Returns the stored columns that become some rows of the image rotated by 90° or 270°.
  func storedColumns(for rows: Range<Int>) -> Range<Int> {
    isRising ? rows : stored.width - rows.upperBound..<stored.width - rows.lowerBound
  }

  /// The stored columns that become the rows of a strip, in rising or falling order.
  struct Place {
    let firstColumn: Int
    /// The bytes from the pixel of a stored column to that of the next one.
    let stride: Int
    /// The first pixel of the first column.
    let first: UnsafeMutablePointer<UInt8>
    /// The bytes from the pixel of a stored row to that of the next one.
    let step: Int

    func target(_ storedRow: Int) -> UnsafeMutablePointer<UInt8> { first + storedRow * step }
  }

  func place(of strip: Strip) -> Place {
    let m = orientation.matrix
    let row = strip.row(isRising ? strip.rows.lowerBound : strip.rows.upperBound - 1)
    let column = m.yx > 0 ? 0 : stored.height - 1
    return Place(
      firstColumn: storedColumns(for: strip.rows).lowerBound,
      stride: isRising ? strip.bytesPerRow : -strip.bytesPerRow,
      first: row.assumingMemoryBound(to: UInt8.self) + column * bytesPerPixel,
      step: m.yx > 0 ? bytesPerPixel : -bytesPerPixel)
  }
}
