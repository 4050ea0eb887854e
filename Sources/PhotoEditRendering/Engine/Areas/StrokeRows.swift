// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The parts of strokes that cover some rows of a mask.
struct StrokeRows {
  private let strokes: [(stroke: MaskStroke, segments: [pe_segment])]
  private let isInverted: Bool

  /// Collects the parts that cover rows.
  init(_ strokes: [MaskStroke], isInverted: Bool, rows: Range<Int>) {
    let (first, end) = (Double(rows.lowerBound), Double(rows.upperBound))
    self.isInverted = isInverted
    self.strokes = strokes.compactMap { stroke in
      let segments = stroke.segments.lazy
        .filter { $0.rows.upperBound > first && $0.rows.lowerBound < end }
        .map {
          pe_segment(
            x: $0.start.x, y: $0.start.y, way_x: $0.way.x, way_y: $0.way.y, radius: $0.radii[0],
            growth: $0.radii[1] - $0.radii[0])
        }
      return segments.isEmpty ? nil : (stroke, Array(segments))
    }
  }

  /// Writes the rows of a strip.
  func fill(_ strip: Strip, _ size: PixelSize) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: size.width) { nearest in
      let nearest = nearest.baseAddress.unsafelyUnwrapped
      for y in strip.rows {
        let row = strip.row(y).assumingMemoryBound(to: Float.self)
        row.update(repeating: 0, count: size.width)
        for (stroke, segments) in strokes {
          segments.withUnsafeBufferPointer {
            var part = pe_stroke(
              segments: $0.baseAddress, count: $0.count, first_column: stroke.columns.lowerBound,
              end_column: stroke.columns.upperBound, hardness: Float(stroke.hardness),
              flow: Float(stroke.flow), erases: stroke.isEraser ? 1 : 0)
            pe_stroke_row(&part, y, nearest, row)
          }
        }
        if isInverted {
          for x in 0..<size.width { row[x] = 1 - row[x] }
        }
      }
    }
  }
}
