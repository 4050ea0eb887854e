// SPDX-License-Identifier: Apache-2.0
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
  private let edge: EdgeMode
  private var memory: UnsafeMutableBufferPointer<Float>
  private var pointers: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  /// The row held at each index.
  private var bufferedRows: [Int?] = []
  private var rowStride: Int { planes.count * planeStride }

  init(width: Int, planes: Range<Int>, margin: Int, edge: EdgeMode = .replicate) {
    self.width = width
    self.planes = planes
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
    for (index, plane) in planes.enumerated() {
      let target = row + index * planeStride
      target.update(from: input.row(y, plane: plane), count: width)
      for k in 1..<margin + 1 {
        target[-k] = target[edge.position(-k, count: width)]
        target[width - 1 + k] = target[edge.position(width - 1 + k, count: width)]
      }
    }
  }
}
