// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// Pads an image with a frame.
struct PadWorker: AreaWorker {
  let padding: Padding
  let hasAlpha: Bool

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (width, height) = (input.size.width, input.size.height)
    // The columns that show the image; the range can be empty.
    let first = min(max(padding.left, 0), output.width)
    let end = max(first, min(padding.left + width, output.width))
    for y in output.rows {
      let source = y - padding.top
      let isInside = source >= 0 && source < height
      for plane in planes {
        let target = output.row(y, plane: plane)
        let row = input.row(source, plane: plane)
        var (before, after) = (row[0], row[width - 1])
        if let level = level(ofPlane: plane - planes.lowerBound, count: planes.count) {
          (before, after) = (level, level)
          if !isInside {
            target.update(repeating: level, count: output.width)
            continue
          }
        }
        target.update(repeating: before, count: first)
        if end > first {
          (target + first).update(from: row + (first - padding.left), count: end - first)
        }
        (target + end).update(repeating: after, count: output.width - end)
      }
    }
  }

  /// Returns the value of the frame, or nil if the edge of the image is repeated.
  private func level(ofPlane plane: Int, count: Int) -> Float? {
    switch padding.fill {
    case .edge: nil
    case .clear: 0
    case .color(let color): color.level(ofPlane: plane, count: count, hasAlpha: hasAlpha)
    }
  }
}

extension SIMD3<Double> {
  /// Returns the sample of a plane of an opaque image of this color.
  func level(ofPlane plane: Int, count: Int, hasAlpha: Bool) -> Float {
    if hasAlpha && plane == count - 1 { return 1 }
    return Float(self[Swift.min(plane, 2)])
  }
}
