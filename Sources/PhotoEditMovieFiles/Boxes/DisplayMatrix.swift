// SPDX-License-Identifier: Apache-2.0

/// The transformation matrix for displaying a track or movie; ISO 14496-12, 6.2.2.
///
/// The four factors are 16.16 fixed point: x' = a·x + c·y, y' = b·x + d·y, with y downwards.
struct TrackMatrix: Hashable, Sendable {
  var a: Int
  var b: Int
  var c: Int
  var d: Int

  static let identity = TrackMatrix(a: 1 << 16, b: 0, c: 0, d: 1 << 16)
}

extension TrackMatrix {
  /// Reads the nine numbers of the box; the translation and the projection are ignored.
  init(_ cursor: inout BoxReader) throws(MovieError) {
    a = try cursor.signed(wide: false)
    b = try cursor.signed(wide: false)
    try cursor.skip(4)
    c = try cursor.signed(wide: false)
    d = try cursor.signed(wide: false)
    try cursor.skip(16)
  }

  /// Returns this transform followed by another one.
  func times(_ next: TrackMatrix) -> TrackMatrix {
    // Factors are 32-bit, so a sum of two products fits in 64 bits unless both are the minimum.
    func sum(_ x: Int, _ y: Int, _ z: Int, _ w: Int) -> Int { ((x &* y) &+ (z &* w)) >> 16 }
    return TrackMatrix(
      a: sum(a, next.a, b, next.c), b: sum(a, next.b, b, next.d),
      c: sum(c, next.a, d, next.c), d: sum(c, next.b, d, next.d))
  }

  /// Degrees clockwise if this is a multiple of 90° at any scale; nil otherwise.
  var rotation: Int? {
    switch (a.signum(), b.signum(), c.signum(), d.signum()) {
    case (1, 0, 0, 1): 0
    case (0, 1, -1, 0): 90
    case (-1, 0, 0, -1): 180
    case (0, -1, 1, 0): 270
    default: nil
    }
  }
}

/// A display matrix with its translation; ISO 14496-12, 6.2.2, without perspective.
///
/// All numbers are 16.16 fixed point: x' = a·x + c·y + x₀, y' = b·x + d·y + y₀, y downward.
struct DisplayMatrix: Sendable, Hashable {
  var linear: TrackMatrix
  var x: Int
  var y: Int

  static let identity = DisplayMatrix(linear: .identity, x: 0, y: 0)
}

extension DisplayMatrix {
  /// Reads the nine numbers at an offset of a header; nil for a matrix with perspective.
  init?(_ box: BoxTree, at offset: Int) throws(MovieError) {
    func number(_ index: Int) throws(MovieError) -> Int { try box.signed(at: offset + 4 * index) }
    linear = TrackMatrix(
      a: try number(0), b: try number(1), c: try number(3), d: try number(4))
    x = try number(6)
    y = try number(7)
    let one = try number(8)
    // Some writers omit the last number.
    guard try number(2) == 0, try number(5) == 0, one == 1 << 30 || one == 0 else { return nil }
  }

  /// Writes the nine numbers at an offset of a header.
  func write(to box: inout BoxTree, at offset: Int) throws(MovieError) {
    let numbers = [linear.a, linear.b, 0, linear.c, linear.d, 0, x, y, 1 << 30]
    for (index, number) in numbers.enumerated() {
      try box.set(signed: number, at: offset + 4 * index)
    }
  }

  /// Returns this transform followed by another one.
  func times(_ next: DisplayMatrix) -> DisplayMatrix {
    let moved = next.applied(x: x, y: y)
    return DisplayMatrix(linear: linear.times(next.linear), x: moved.x, y: moved.y)
  }

  func applied(x: Int, y: Int) -> (x: Int, y: Int) {
    (
      ((linear.a &* x &+ linear.c &* y) >> 16) &+ self.x,
      ((linear.b &* x &+ linear.d &* y) >> 16) &+ self.y
    )
  }

  func frame(of frame: DisplayFrame) -> DisplayFrame {
    let corner = applied(x: frame.left, y: frame.top)
    let far = applied(x: frame.right, y: frame.bottom)
    return DisplayFrame(
      left: min(corner.x, far.x), top: min(corner.y, far.y), right: max(corner.x, far.x),
      bottom: max(corner.y, far.y))
  }

  /// Returns the bounding box of a transformed rectangle whose corner is the origin.
  func frame(width: Int, height: Int) -> DisplayFrame {
    let corners = [
      applied(x: 0, y: 0), applied(x: width, y: 0), applied(x: 0, y: height),
      applied(x: width, y: height),
    ]
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    return DisplayFrame(
      left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
  }
}

/// A rectangle of the display in 16.16 fixed point.
struct DisplayFrame: Sendable, Hashable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  func union(_ other: DisplayFrame) -> DisplayFrame {
    DisplayFrame(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
