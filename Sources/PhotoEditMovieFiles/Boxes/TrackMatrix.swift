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

  init(a: Int, b: Int, c: Int, d: Int) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

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
