// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A crop rectangle of an image that is rotated about its center by a small angle.
///
/// Edges are in pixels of the image before the rotation, measured from its top left corner, so the
/// center keeps its coordinates.
struct RotatedCrop: Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double
  /// The clockwise rotation of the image in degrees.
  var angle = 0.0

  /// The filters that implement the crop, in order.
  struct Filters {
    let straighten: Straighten?
    let crop: Crop?
    /// Indicates whether the rectangle includes corners left empty by the rotation; they become
    /// white.
    let includesEmptyCorners: Bool

    var all: [any Filter] {
      var all: [any Filter] = []
      if let straighten { all.append(straighten) }
      if let crop { all.append(crop) }
      return all
    }
  }

  /// Returns the rectangle after an orientation is applied to an image of the given size.
  func applying(_ orientation: Orientation, to size: PixelSize) -> RotatedCrop {
    let (w, h) = (Double(size.width), Double(size.height))
    let m = orientation.matrix
    /// Returns the position in the result of a point of the original; the matrix maps the other
    /// way.
    func transformed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let dx = m.xx + m.xy < 0 ? x - w : x
      let dy = m.yx + m.yy < 0 ? y - h : y
      return (Double(m.xx) * dx + Double(m.yx) * dy, Double(m.xy) * dx + Double(m.yy) * dy)
    }
    let (a, b) = (transformed(left, top), transformed(right, bottom))
    let isMirrored = m.xx * m.yy - m.xy * m.yx < 0
    return RotatedCrop(
      left: min(a.x, b.x), top: min(a.y, b.y), right: max(a.x, b.x), bottom: max(a.y, b.y),
      angle: isMirrored ? -angle : angle)
  }

  /// Returns the filters that rotate an image of the given size and crop it to the rectangle.
  ///
  /// - Returns: No filters if nothing changes; nil if no part of the image remains.
  func filters(for size: PixelSize) -> Filters? {
    let (w, h) = (Double(size.width), Double(size.height))
    var canvas = (width: w, height: h)
    var straighten: Straighten?
    var edges = self
    var includesEmptyCorners = false
    if angle != 0 {
      // The size of the image that `expand` produces.
      let (s, c) = (abs(sin(angle * .pi / 180)), cos(angle * .pi / 180))
      canvas = ((w * c + h * s - 1e-9).rounded(.up), (w * s + h * c - 1e-9).rounded(.up))
      straighten = Straighten(angle: angle, fit: .expand)
      let within = inside(size)
      includesEmptyCorners = within == nil
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
      includesEmptyCorners: includesEmptyCorners)
  }

  /// Returns the rectangle reduced by up to four pixels on each side to exclude the corners left
  /// empty by the rotation; nil if that is not enough.
  private func inside(_ size: PixelSize) -> RotatedCrop? {
    for step in 0...8 {
      let less = Double(step) / 2
      let edges = RotatedCrop(
        left: left + less, top: top + less, right: right - less, bottom: bottom - less,
        angle: angle)
      if edges.isInside(size) { return edges }
    }
    return nil
  }

  /// Returns whether every pixel is computed only from pixels of the rotated image.
  private func isInside(_ size: PixelSize) -> Bool {
    // The center of the outermost pixel is half a pixel inside, and cubic interpolation reads one
    // and a half pixels around it; an edge may be rounded by half a pixel.
    let margin = 1.5
    let (w, h) = (Double(size.width) / 2, Double(size.height) / 2)
    let (s, c) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    return [(left, top), (right, top), (right, bottom), (left, bottom)].allSatisfy { x, y in
      let (dx, dy) = (x - w, y - h)
      return abs(c * dx + s * dy) <= w - margin && abs(c * dy - s * dx) <= h - margin
    }
  }
}
