// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// A thumbnail of a transformed JPEG, computed from the block means that the coefficients already
/// contain.
///
/// Sums are integers, so that the result does not depend on the order of rows or the number of
/// threads.
package final class JPEGThumbnailSums: @unchecked Sendable {
  // Safe: apart from the sums, nothing changes after `init`, and the reader is used only for its
  // tables.
  /// One component of the area of the source to keep.
  private struct Plane {
    let offset: Int
    let blocksAcross: Int
    /// Block rows per MCU row.
    let vertical: Int
    let columns: Range<Int>
    let rows: Range<Int>
    /// Number of cells across and down.
    let grid: PixelSize
    let index: Int
  }

  private let reader: JPEGEntropyDecoder
  private let transform: JPEGCoefficientTransform
  private let planes: [Plane]
  private let bytesPerRow: Int
  private let sums: LockedValue<[[Int]]>

  /// Prepares for the area of an image kept by the transform.
  package init(_ transform: JPEGCoefficientTransform, _ reader: JPEGEntropyDecoder) {
    (self.reader, self.transform) = (reader, transform)
    bytesPerRow = reader.layout.bytesPerRow
    let frame = reader.frame
    let crop = transform.crop
    let thumbnailSize = RenderedImageProperties.Thumbnail.size(of: crop.size)
    let isSingle = frame.components.count == 1 || transform.chroma != .keep
    let outer = frame.components.count == 1 ? (h: 1, v: 1) : frame.largestSampling
    planes = frame.components.prefix(isSingle ? 1 : 3).enumerated().map { index, component in
      // A single component has one block per MCU, regardless of its sampling factors.
      let h = frame.components.count == 1 ? 1 : component.horizontalSampling
      let v = frame.components.count == 1 ? 1 : component.verticalSampling
      let (unitX, unitY) = (8 * outer.h, 8 * outer.v)
      let columns = (crop.x * h / unitX)..<((crop.maxX * h + unitX - 1) / unitX)
      let rows = (crop.y * v / unitY)..<((crop.maxY * v + unitY - 1) / unitY)
      let (offset, across) = reader.plane(index)
      return Plane(
        offset: offset, blocksAcross: across, vertical: component.verticalSampling,
        columns: columns, rows: rows,
        grid: PixelSize(
          width: min(thumbnailSize.width, columns.count),
          height: min(thumbnailSize.height, rows.count)),
        index: index)
    }
    // Each cell has a sum and a count of blocks.
    sums = LockedValue(planes.map { [Int](repeating: 0, count: 2 * $0.grid.pixelCount) })
  }

  /// Adds MCU rows, which must be contiguous in memory.
  package func add(_ rows: Range<Int>, at base: UnsafeRawPointer) {
    add(rows, at: base, bytesPerBlock: JPEGIndex.bytesPerBlock)
  }

  /// Adds MCU rows of which only the first coefficient of each block is in memory.
  package func add(_ rows: Range<Int>, means: UnsafeRawPointer) {
    add(rows, at: means, bytesPerBlock: JPEGIndex.bytesPerMean)
  }

  private func add(_ rows: Range<Int>, at base: UnsafeRawPointer, bytesPerBlock: Int) {
    let reduction = JPEGIndex.bytesPerBlock / bytesPerBlock
    sums.withLock { sums in
      for plane in planes {
        let blocks = rows.lowerBound * plane.vertical..<rows.upperBound * plane.vertical
        for y in blocks.clamped(to: plane.rows) {
          let mcuRow = y / plane.vertical - rows.lowerBound
          let line =
            base + (mcuRow * bytesPerRow + plane.offset) / reduction
            + (y % plane.vertical) * plane.blocksAcross * bytesPerBlock
          let cellY = (y - plane.rows.lowerBound) * plane.grid.height / plane.rows.count
          for x in plane.columns.clamped(to: 0..<plane.blocksAcross) {
            let cellX = (x - plane.columns.lowerBound) * plane.grid.width / plane.columns.count
            let cell = 2 * (cellY * plane.grid.width + cellX)
            let mean = line.load(fromByteOffset: x * bytesPerBlock, as: Int16.self)
            sums[plane.index][cell] += Int(mean)
            sums[plane.index][cell + 1] += 1
          }
        }
      }
    }
  }

  /// Returns the thumbnail in the orientation of the image, once all rows have been added.
  package func thumbnail() throws(CodecError) -> RenderedImageProperties.Thumbnail? {
    let tables = try reader.tables()
    guard let luma = planes.first else { return nil }
    let sums = sums.withLock { $0 }
    /// Returns the mean of the samples of a cell, minus the midpoint for chroma.
    func sample(_ plane: Plane, _ x: Int, _ y: Int) -> Int {
      let cellX = x * plane.grid.width / luma.grid.width
      let cellY = y * plane.grid.height / luma.grid.height
      let cell = 2 * (cellY * plane.grid.width + cellX)
      // The first coefficient is eight times the mean.
      let divisor = 8 * max(1, sums[plane.index][cell + 1])
      let total = sums[plane.index][cell] * Int(tables[plane.index].values[0])
      return Int((Double(total) / Double(divisor)).rounded())
    }
    let isGray = transform.chroma == .drop || reader.frame.components.count == 1
    let size = transform.orientation.applied(to: luma.grid)
    var pixels: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let stored = transform.orientation.storedPosition(x: x, y: y, stored: luma.grid)
        let level = 128 + sample(luma, stored.x, stored.y)
        if isGray {
          pixels.append(UInt8(clamping: level))
        } else if planes.count < 3 {
          pixels += [UInt8](repeating: UInt8(clamping: level), count: 3)
        } else {
          let (cb, cr) = (
            sample(planes[1], stored.x, stored.y), sample(planes[2], stored.x, stored.y)
          )
          // ITU-T T.871, 7, in units of 1/65536.
          pixels += [
            UInt8(clamping: level + (91_881 * cr + 32_768) >> 16),
            UInt8(clamping: level - (22_554 * cb + 46_802 * cr + 32_768) >> 16),
            UInt8(clamping: level + (116_130 * cb + 32_768) >> 16),
          ]
        }
      }
    }
    return RenderedImageProperties.Thumbnail(size: size, isGray: isGray, pixels: pixels)
  }
}
