// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// Sums the rows of a rendering into the cells of a thumbnail while they are in the cache.
///
/// Sums are integers, so that the order of rows and the number of threads do not affect them. If
/// cells are high, only some of their rows count: at least eight.
final class ThumbnailSums: Sendable {
  private let size: PixelSize
  private let target: PixelSize
  private let channels: Int
  /// Indicates whether a row has the bytes of one channel after those of another.
  private let separatesChannels: Bool
  /// The row interval: only every `step`-th row is summed.
  private let step: Int
  /// The first column of each cell, and the end of the last.
  private let bounds: [UInt32]
  private let sums: LockedValue<[UInt32]>

  /// Prepares for 8-bit rows of an image with one or three channels.
  init(size: PixelSize, channels: Int, separatesChannels: Bool) {
    self.size = size
    self.channels = channels
    self.separatesChannels = separatesChannels
    let target = RenderedImageProperties.Thumbnail.size(of: size)
    self.target = target
    step = max(1, size.height / target.height / 8)
    bounds = (0...target.width).map {
      UInt32(($0 * size.width + target.width - 1) / target.width)
    }
    sums = LockedValue([UInt32](repeating: 0, count: target.pixelCount * channels))
  }

  /// The contribution of one thread: the rows of one band.
  struct Band {
    private let owner: ThumbnailSums
    private var columns: [UInt16]
    private var cells: [UInt32]
    private var row: Int?

    fileprivate init(_ owner: ThumbnailSums) {
      self.owner = owner
      columns = [UInt16](repeating: 0, count: owner.size.width * owner.channels)
      cells = [UInt32](repeating: 0, count: owner.target.width * owner.channels)
    }

    /// Adds rows that follow those added before.
    mutating func add(_ strip: Strip) {
      let first = (strip.rows.lowerBound + owner.step - 1) / owner.step * owner.step
      for y in stride(from: first, to: strip.rows.upperBound, by: owner.step) {
        let cell = y * owner.target.height / owner.size.height
        if cell != row { finish() }
        row = cell
        pe_add_bytes(
          strip.row(y).assumingMemoryBound(to: UInt8.self), columns.count, &columns)
      }
    }

    /// Adds the collected sums to the shared ones.
    mutating func finish() {
      guard let row else { return }
      let (width, channels) = (owner.target.width, owner.channels)
      let parts = owner.separatesChannels ? channels : 1
      for part in 0..<parts {
        columns.withUnsafeMutableBufferPointer { columns in
          cells.withUnsafeMutableBufferPointer { cells in
            pe_collect_cells(
              columns.baseAddress.map { $0 + part * owner.size.width }, owner.bounds, width,
              channels / parts, cells.baseAddress.map { $0 + part * width })
          }
        }
      }
      let start = row * cells.count
      owner.sums.withLock { sums in
        for i in cells.indices {
          let offset = parts == 1 ? i : i % width * channels + i / width
          sums[start + offset] += cells[i]
        }
      }
      for i in cells.indices { cells[i] = 0 }
      self.row = nil
    }
  }

  /// Starts a band.
  func band() -> Band { Band(self) }

  /// Returns the thumbnail, once all rows have been added.
  func thumbnail(isGray: Bool) -> RenderedImageProperties.Thumbnail? {
    var rows = [Int](repeating: 0, count: target.height)
    for y in stride(from: 0, to: size.height, by: step) {
      rows[y * target.height / size.height] += 1
    }
    let sums = sums.withLock { $0 }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(sums.count)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let count = max(1, rows[y] * Int(bounds[x + 1] - bounds[x]))
        let start = (y * target.width + x) * channels
        let means = (0..<channels).map { (Int(sums[start + $0]) + count / 2) / count }
        if isGray && channels == 3 {
          let luma = (19_595 * means[0] + 38_470 * means[1] + 7471 * means[2] + 32_768) >> 16
          pixels.append(UInt8(clamping: luma))
        } else {
          pixels += means.map { UInt8(clamping: $0) }
        }
      }
    }
    return RenderedImageProperties.Thumbnail(
      size: target, isGray: isGray || channels == 1, pixels: pixels)
  }
}
