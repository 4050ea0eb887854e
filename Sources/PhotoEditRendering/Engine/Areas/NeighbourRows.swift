// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Copies of neighbouring rows that go on beyond both ends, for kernels that look around.
///
/// Going down the picture, each row is copied once.
final class NeighbourRows {
  let margin: Int
  /// Samples from a plane of a row to the next one.
  let planeStride: Int
  private let width: Int
  private let planes: Range<Int>
  private let edge: EdgeRule
  private var memory: UnsafeMutableBufferPointer<Float>
  private var pointers: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  /// The row that each place holds.
  private var held: [Int?] = []
  private var rowStride: Int { planes.count * planeStride }

  init(width: Int, planes: Range<Int>, margin: Int, edge: EdgeRule = .replicate) {
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

  /// Makes room for so many rows at once, and forgets the ones before.
  func reset(capacity: Int) {
    if held.count != capacity {
      memory.deallocate()
      pointers.deallocate()
      memory = .allocate(capacity: capacity * rowStride)
      memory.initialize(repeating: 0)
      pointers = .allocate(capacity: capacity)
      pointers.initialize(repeating: nil)
    }
    held = Array(repeating: nil, count: capacity)
  }

  /// Runs the body with pointers to the first samples of rows, no more than there is room for.
  func with(
    _ rows: Range<Int>, of input: PlaneRows,
    _ body: (UnsafePointer<UnsafePointer<Float>?>) -> Void
  ) {
    for (index, y) in rows.enumerated() {
      let place = ((y % held.count) + held.count) % held.count
      let row = memory.baseAddress.map { $0 + place * rowStride + margin }
      if held[place] != y, let row {
        copy(edge.place(y, count: input.size.height), of: input, to: row)
        held[place] = y
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
        target[-k] = target[edge.place(-k, count: width)]
        target[width - 1 + k] = target[edge.place(width - 1 + k, count: width)]
      }
    }
  }
}
