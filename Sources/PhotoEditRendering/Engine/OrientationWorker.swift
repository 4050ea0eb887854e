// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
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
    let m = orientation.matrix
    let count = strip.rows.count
    // Rows of the strip are stored columns, in rising or falling order.
    let isRising = m.xy > 0
    let firstColumn =
      isRising ? strip.rows.lowerBound : stored.width - strip.rows.upperBound
    let firstRow = isRising ? strip.rows.lowerBound : strip.rows.upperBound - 1
    let stride = isRising ? strip.bytesPerRow : -strip.bytesPerRow
    for storedRow in 0..<stored.height {
      let column = m.yx > 0 ? storedRow : stored.height - 1 - storedRow
      pe_scatter_pixels(
        window.row(storedRow).assumingMemoryBound(to: UInt8.self) + firstColumn * bytesPerPixel,
        count, bytesPerPixel,
        (strip.row(firstRow) + offset).assumingMemoryBound(to: UInt8.self)
          + column * bytesPerPixel, stride)
    }
  }
}
