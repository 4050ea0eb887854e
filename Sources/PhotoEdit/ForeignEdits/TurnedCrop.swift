// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

/// A rectangle of a picture that was turned about its centre by a small angle.
///
/// Edges are pixels of the picture before the turn, counted from its top left corner, so that the
/// centre stays where it is.
struct TurnedCrop: Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double
  /// How far the picture turns, in degrees, clockwise.
  var angle = 0.0

  /// What is applied for it, in this order.
  struct Filters {
    let straighten: Straighten?
    let crop: Crop?
    /// Whether corners that the turn leaves empty are in the rectangle; they become white.
    let reachesBeyond: Bool

    var all: [any Filter] {
      var all: [any Filter] = []
      if let straighten { all.append(straighten) }
      if let crop { all.append(crop) }
      return all
    }
  }

  /// The rectangle as it lies in a picture of some size that is turned or mirrored.
  func applying(_ orientation: Orientation, to size: PixelSize) -> TurnedCrop {
    let (w, h) = (Double(size.width), Double(size.height))
    let m = orientation.matrix
    /// Where the result shows a place of the picture before: the matrix leads the other way.
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let dx = m.xx + m.xy < 0 ? x - w : x
      let dy = m.yx + m.yy < 0 ? y - h : y
      return (Double(m.xx) * dx + Double(m.yx) * dy, Double(m.xy) * dx + Double(m.yy) * dy)
    }
    let (a, b) = (place(left, top), place(right, bottom))
    let isMirrored = m.xx * m.yy - m.xy * m.yx < 0
    return TurnedCrop(
      left: min(a.x, b.x), top: min(a.y, b.y), right: max(a.x, b.x), bottom: max(a.y, b.y),
      angle: isMirrored ? -angle : angle)
  }

  /// The filters that turn a picture of some size and cut the rectangle out of it.
  ///
  /// - Returns: No filter where nothing changes; nil where nothing of the picture is left.
  func filters(for size: PixelSize) -> Filters? {
    let (w, h) = (Double(size.width), Double(size.height))
    var canvas = (width: w, height: h)
    var straighten: Straighten?
    var edges = self
    var reachesBeyond = false
    if angle != 0 {
      // As large as what `expand` makes of the picture.
      let (s, c) = (abs(sin(angle * .pi / 180)), cos(angle * .pi / 180))
      canvas = ((w * c + h * s - 1e-9).rounded(.up), (w * s + h * c - 1e-9).rounded(.up))
      straighten = Straighten(angle: angle, fit: .expand)
      let within = inside(size)
      reachesBeyond = within == nil
      edges = within ?? self
    }
    func share(_ edge: Double, _ side: Double, _ whole: Double) -> Double {
      min(max((edge - side / 2 + whole / 2) / whole, 0), 1)
    }
    let (x0, x1) = (share(edges.left, w, canvas.width), share(edges.right, w, canvas.width))
    let (y0, y1) = (share(edges.top, h, canvas.height), share(edges.bottom, h, canvas.height))
    guard x1 > x0, y1 > y0 else { return nil }
    let isWhole = (x0, y0, x1, y1) == (0, 0, 1, 1)
    return Filters(
      straighten: straighten,
      crop: isWhole ? nil : Crop(x: x0, y: y0, width: x1 - x0, height: y1 - y0),
      reachesBeyond: reachesBeyond)
  }

  /// The rectangle with up to four pixels less on each side, where that keeps the corners that a
  /// turn leaves empty out of it.
  private func inside(_ size: PixelSize) -> TurnedCrop? {
    for step in 0...8 {
      let less = Double(step) / 2
      let edges = TurnedCrop(
        left: left + less, top: top + less, right: right - less, bottom: bottom - less,
        angle: angle)
      if edges.isInside(size) { return edges }
    }
    return nil
  }

  /// Whether every pixel is made of the turned picture alone.
  private func isInside(_ size: PixelSize) -> Bool {
    // The outermost pixel is half a pixel inside, and its cubic takes in one and a half around; an
    // edge may be rounded by half a pixel.
    let margin = 1.5
    let (w, h) = (Double(size.width) / 2, Double(size.height) / 2)
    let (s, c) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    return [(left, top), (right, top), (right, bottom), (left, bottom)].allSatisfy { x, y in
      let (dx, dy) = (x - w, y - h)
      return abs(c * dx + s * dy) <= w - margin && abs(c * dy - s * dx) <= h - margin
    }
  }
}
