// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

/// Copies of neighboring rows, extended at both ends, for kernels that read neighboring samples.
///
/// While moving down the image, each row is copied once.
final class NeighborRows {
  let margin: Int
  /// The number of samples from a plane of a row to the next plane.
  let planeStride: Int
  private let width: Int
  private let planes: Range<Int>
  /// The weights of red, green and blue in sums that replace them; empty for the planes themselves.
  private let mixes: [[Float]]
  private let edge: EdgeMode
  private var memory: UnsafeMutableBufferPointer<Float>
  private var pointers: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  /// The row held at each index.
  private var bufferedRows: [Int?] = []
  private var rowStride: Int { planeCount * planeStride }

  init(
    width: Int, planes: Range<Int>, margin: Int, edge: EdgeMode = .replicate,
    mixing mixes: [[Double]] = []
  ) {
    self.width = width
    self.planes = planes
    self.mixes = mixes.map { $0.map { Float($0) } + [0] }
    self.margin = margin
    self.edge = edge
    planeStride = (width + 2 * margin + 15) / 16 * 16
    memory = .allocate(capacity: 0)
    pointers = .allocate(capacity: 0)
  }

  deinit {
    memory.deallocate()
    pointers.deallocate()
  }

  /// The number of planes of each row.
  var planeCount: Int { mixes.isEmpty ? planes.count : mixes.count + planes.count - 3 }

  /// Allocates memory for the given number of rows and discards the previous ones.
  func reset(capacity: Int) {
    if bufferedRows.count != capacity {
      memory.deallocate()
      pointers.deallocate()
      memory = .allocate(capacity: capacity * rowStride)
      memory.initialize(repeating: 0)
      pointers = .allocate(capacity: capacity)
      pointers.initialize(repeating: nil)
    }
    bufferedRows = Array(repeating: nil, count: capacity)
  }

  /// Runs the body with pointers to the first samples of rows, no more than the capacity.
  func with(
    _ rows: Range<Int>, of input: PlaneRows,
    _ body: (UnsafePointer<UnsafePointer<Float>?>) -> Void
  ) {
    for (index, y) in rows.enumerated() {
      let position = ((y % bufferedRows.count) + bufferedRows.count) % bufferedRows.count
      let row = memory.baseAddress.map { $0 + position * rowStride + margin }
      if bufferedRows[position] != y, let row {
        copy(edge.position(y, count: input.size.height), of: input, to: row)
        bufferedRows[position] = y
      }
      pointers[index] = UnsafePointer(row)
    }
    if let base = pointers.baseAddress { body(UnsafePointer(base)) }
  }

  private func copy(_ y: Int, of input: PlaneRows, to row: UnsafeMutablePointer<Float>) {
    for (index, weights) in mixes.enumerated() {
      let (r, g, b) = (planes.lowerBound, planes.lowerBound + 1, planes.lowerBound + 2)
      pe_weighted_sum(
        input.row(y, plane: r), input.row(y, plane: g), input.row(y, plane: b), width, weights,
        row + index * planeStride)
    }
    for (index, plane) in planes.dropFirst(mixes.isEmpty ? 0 : 3).enumerated() {
      let target = row + (mixes.count + index) * planeStride
      target.update(from: input.row(y, plane: plane), count: width)
    }
    for index in 0..<planeCount {
      let target = row + index * planeStride
      for k in 1..<margin + 1 {
        target[-k] = target[edge.position(-k, count: width)]
        target[width - 1 + k] = target[edge.position(width - 1 + k, count: width)]
      }
    }
  }
}
