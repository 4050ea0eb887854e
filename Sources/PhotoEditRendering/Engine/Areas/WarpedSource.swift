// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The first passes of tiles that sample the source along a projection: only the pixels that a tile
/// depends on are rotated and converted to planes.
///
/// A rotation by a large angle needs nearly all rows of the source at once. They stay as the
/// decoder delivers them; planes would take four bytes for each sample.
final class WarpedSource: Sendable {
  /// The number of rows of a tile that are computed at a time; together with `tileWidth`, nearly a
  /// square, which has the smallest bounding box in the source.
  static let rowsAtOnce = 64
  static let tileWidth = 128
  /// The limit in bytes for the planes of the pixels that these rows depend on.
  private static let byteBudget = 2 << 20

  private let warp: Warp
  private let worker: WarpWorker
  /// The conversion of a part of the stored source to planes.
  private let program: RowProgram
  private let planes: Int
  /// The size of the image that the projection samples, and where it begins in the rotated source.
  private let size: PixelSize
  private let origin: (x: Int, y: Int)
  private let rotation: Orientation
  /// The size of the source as the decoder delivers it, and the bytes of its pixels; 0 for samples.
  private let stored: PixelSize
  private let bytesPerPixel: Int
  /// The size of the parts that are converted.
  private let part: PixelSize
  private let pool: StripPool
  private let readers = ObjectPool<RowWorker>()

  /// Returns the projection along which the second of some passes samples what the first one
  /// converts; nil if they do anything else.
  static func warp(of stages: [Stage]) -> Warp? {
    guard stages.count > 2, stages[0].inputMapping == .rows,
      case .packed = stages[0].input.format, stages[0].steps.dropFirst().allSatisfy(\.isUniform),
      stages[0].steps.first.map({ $0.isUniform || $0.croppedColumns != nil }) ?? true,
      case .area(.warp(let warp), fromPlane: 0) = stages[1].inputMapping
    else { return nil }
    return warp
  }

  /// Returns the size of the largest part of the source that some rows of a tile depend on; nil if
  /// it is too large.
  ///
  /// - Parameters:
  ///   - stages: Passes that have a `warp(of:)`.
  ///   - tiles: The parts of the projection's result that the tiles compute.
  static func mostPixels(_ stages: [Stage], _ warp: Warp, tiles: [Region]) -> PixelSize? {
    let size = stages[1].input.size
    var most = PixelSize(width: 1, height: 1)
    for tile in tiles {
      for first in stride(from: 0, to: tile.height, by: rowsAtOnce) {
        let rows = first..<min(first + rowsAtOnce, tile.height)
        let source = warp.source(of: tile.rows(rows), input: size)
        // Rows that start elsewhere may touch one more pixel on each side.
        most.width = max(most.width, min(source.width + 2, size.width))
        most.height = max(most.height, min(source.height + 2, size.height))
      }
    }
    let bytesPerPixel = stages[0].imagePlanes * MemoryLayout<Float>.stride
    return most.width * most.height * bytesPerPixel <= byteBudget ? most : nil
  }

  /// Prepares the passes.
  ///
  /// - Parameters:
  ///   - stages: Passes that have a `warp(of:)`.
  ///   - mostPixels: The result of `mostPixels`.
  ///   - rotation: The rotation of the source before the first pass: none, or one that swaps the
  ///     axes.
  ///   - samples: The layout of the source's samples, if it delivers them instead of pixels.
  init(
    _ stages: [Stage], _ warp: Warp, mostPixels: PixelSize, after rotation: Orientation,
    reading samples: JPEGPlaneLayout?, pool: StripPool
  ) {
    guard case .packed(let layout) = stages[0].input.format,
      case .planes(let planes) = stages[0].output.format
    else { preconditionFailure("a projection samples planes that are converted from bytes") }
    var reading = stages[0]
    let crop = reading.steps.first?.croppedColumns
    if crop != nil { reading.steps.removeFirst() }
    origin = (crop?.lowerBound ?? 0, reading.firstRow)
    reading.firstRow = 0
    let width = rotation.applied(to: mostPixels).width
    reading.input.size.width = width
    reading.output.size.width = width
    stored = rotation.applied(to: stages[0].input.size)
    reading.input.size.height = stored.height
    reading.output.size.height = stored.height
    program = RowProgram(reading, reading: samples)
    worker = WarpWorker(warp, hasAlpha: stages[1].hasAlpha)
    bytesPerPixel = samples == nil ? layout.bytesPerPixel : 0
    part = mostPixels
    (self.warp, self.planes, size) = (warp, planes, stages[1].input.size)
    (self.rotation, self.pool) = (rotation, pool)
  }

  /// Computes rows of a tile, at most `rowsAtOnce`.
  ///
  /// - Parameters:
  ///   - tile: The part of the projection's result.
  ///   - available: The rows that may be read, counted as those of the image that the projection
  ///     samples.
  func fill(
    _ rows: Range<Int>, of tile: Region, from window: StripWindow, _ available: Range<Int>,
    into target: UnsafeMutablePointer<Float>, samplesPerRow: Int
  ) {
    var source = warp.source(of: tile.rows(rows), input: size)
    let boundary = (rows.lowerBound / Self.rowsAtOnce + 1) * Self.rowsAtOnce
    if source.width > part.width || source.height > part.height, boundary < rows.upperBound {
      // Each half is within rows whose part of the source was measured.
      fill(
        rows.lowerBound..<boundary, of: tile, from: window, available, into: target,
        samplesPerRow: samplesPerRow)
      fill(
        boundary..<rows.upperBound, of: tile, from: window, available,
        into: target + (boundary - rows.lowerBound) * samplesPerRow, samplesPerRow: samplesPerRow)
      return
    }
    // As many pixels are converted as for any other tile, as far as they may be read: all columns,
    // which are rows as they are stored if the source is rotated, and the available rows.
    source.x = min(source.x, size.width - part.width)
    source.width = part.width
    if rotation.swapsAxes {
      source.y = min(source.y, size.height - part.height)
      source.height = part.height
    } else {
      let needed = (source.y..<source.maxY).clamped(to: available)
      (source.y, source.height) = (needed.lowerBound, needed.count)
    }
    let pixels = converted(source, from: window)
    let pointers = (0..<source.height).map {
      Optional(UnsafePointer(pixels.row($0).assumingMemoryBound(to: Float.self)))
    }
    // The pool may reuse the rows of a strip that is no longer referenced.
    withExtendedLifetime(pixels) {
      worker.fill(
        rows, of: tile, from: pointers, showing: source, of: size, planes: planes
      ) { target + ($0 - rows.lowerBound) * samplesPerRow }
    }
  }

  /// Returns the planes of a region of the image that the projection samples.
  private func converted(_ region: Region, from window: StripWindow) -> Strip {
    let rotated = Region(
      x: origin.x + region.x, y: origin.y + region.y, width: region.width, height: region.height)
    let stored = rotation.storedRegion(rotated, stored: stored)
    let shape = StripShape(size: rotation.applied(to: part), format: .planes(planes))
    let pixels = Strip(rows: 0..<shape.size.height, bytesPerRow: shape.bytesPerRow, pool: pool)
    readers.with({ RowWorker(program) }) { reader in
      reader.run(
        rows: stored.y..<stored.maxY,
        from: window.shifted(by: stored.x * bytesPerPixel, firstColumn: stored.x),
        into: pixels.memory, bytesPerRow: shape.bytesPerRow)
    }
    if rotation == .up { return pixels }
    let rotatedShape = StripShape(size: part, format: .planes(planes))
    let strip = Strip(rows: 0..<part.height, bytesPerRow: rotatedShape.bytesPerRow, pool: pool)
    OrientationWorker(rotation, shape).fill(
      strip, from: StripWindow([pixels], stripHeight: shape.size.height))
    return strip
  }
}

extension Region {
  /// Returns some rows of the region, counted from its top.
  fileprivate func rows(_ rows: Range<Int>) -> Region {
    Region(x: x, y: y + rows.lowerBound, width: width, height: rows.count)
  }
}

extension RowStep {
  /// The columns that remain, if the step is a crop.
  fileprivate var croppedColumns: Range<Int>? {
    if case .cropColumns(let columns) = self { columns } else { nil }
  }

  /// Indicates whether the step treats every column of an image alike, independent of its neighbors.
  fileprivate var isUniform: Bool {
    switch self {
    case .curves, .matrix, .weightedSum, .extremum, .expandGray, .keepTop, .save, .sharpen, .mix,
      .dropAlpha, .addAlpha, .fade, .premultiply, .unpremultiply, .flatten:
      true
    case .map(let map, _): !map.mapping.dependsOnPosition
    case .radialGain, .cropColumns, .resampleRow, .enlargeBlurred, .merge: false
    }
  }
}
