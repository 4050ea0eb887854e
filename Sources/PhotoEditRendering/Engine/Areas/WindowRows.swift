// SPDX-License-Identifier: Apache-2.0

/// Rows of several quantities around a row that moves down an image, as far as the windows of a
/// guided filter reach.
final class WindowRows<Quantity: RawRepresentable<Int>> {
  let radius: Int
  let width: Int
  /// The weight of a pixel in the mean of a window.
  let share: Double
  private let quantities: Int
  /// The number of rows of each quantity: those of a window, those covered by the windows of its
  /// lines, and one that is dropped.
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  /// The row held at each place; nil if empty.
  private var held: [Int?] = []

  /// Creates rows of ones.
  ///
  /// - Parameters:
  ///   - quantities: The number of quantities, whose raw values are below it.
  ///   - spares: The number of scratch rows.
  init(of quantities: Int, spares: Int, radius: Int, width: Int) {
    (self.quantities, self.radius, self.width) = (quantities, radius, width)
    let side = Double(2 * radius + 1)
    share = 1 / (side * side)
    capacity = 3 * radius + 3
    let count = (quantities * capacity + spares) * width
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 1, count: count)
    reset()
  }

  deinit { memory.deallocate() }

  func row(_ quantity: Quantity, _ y: Int) -> UnsafeMutablePointer<Float> {
    memory + (quantity.rawValue * capacity + position(y)) * width
  }

  /// Returns a scratch row for immediate use.
  func spare(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory + (quantities * capacity + index) * width
  }

  func read(_ quantity: Quantity) -> (Int) -> UnsafePointer<Float> {
    { UnsafePointer(self.row(quantity, $0)) }
  }

  /// Returns where a row is held; every `capacity` rows have the same place.
  private func position(_ y: Int) -> Int { (y % capacity + capacity) % capacity }

  /// Notes the row of a quantity as computed, and returns false if it already was.
  func insert(_ quantity: Quantity, _ y: Int) -> Bool {
    let place = quantity.rawValue * capacity + position(y)
    defer { held[place] = y }
    return held[place] != y
  }

  /// Discards the rows, so that the next one can be anywhere.
  func reset() { held = Array(repeating: nil, count: quantities * capacity) }
}
