// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

extension Layer.Source {
  /// Writes rows that need no input rows.
  func fill(_ strip: Strip, _ shape: StripShape) {
    switch self {
    case .image(let image):
      image.bytes.withUnsafeBytes { bytes in
        for y in strip.rows {
          let first = y * strip.bytesPerRow
          strip.row(y).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[first..<first + strip.bytesPerRow])
              .baseAddress.unsafelyUnwrapped, byteCount: strip.bytesPerRow)
        }
      }
    case .input: preconditionFailure("each input layer must be a part")
    case .mask(let mask):
      if case .strokes(let strokes, let isInverted) = mask.law {
        return StrokeRows(strokes, isInverted: isInverted, rows: strip.rows).fill(strip, mask.size)
      }
      for y in strip.rows {
        let row = strip.row(y).assumingMemoryBound(to: Float.self)
        for plane in 0..<mask.planes {
          mask.fill(row + plane * mask.size.width, y: y, plane: plane)
        }
      }
    }
  }
}

extension MaskGenerator {
  fileprivate func fill(_ row: UnsafeMutablePointer<Float>, y: Int, plane: Int) {
    switch law {
    case .linear(let from, let to, let isSmooth):
      let direction = to - from
      let step = direction / (direction * direction).sum()
      // The position of the first pixel of the row along the ramp, and the increment per column.
      let first = (0.5 - from.x) * step.x + (Double(y) + 0.5 - from.y) * step.y
      pe_ramp(first, step.x, size.width, isSmooth ? 1 : 0, row)
    case .radial(let center, let radius, let angle, let feather, let isInverted):
      var law = pe_ellipse(
        center_x: center.x, center_y: center.y, radius_x: radius.x, radius_y: radius.y,
        cosine: cos(angle), sine: sin(angle), feather: feather, inverted: isInverted ? 1 : 0)
      pe_ellipse_row(&law, y, size.width, row)
    case .band(let center, let angle, let distances, let steps):
      var law = pe_band(
        center_x: center.x, center_y: center.y, cosine: cos(angle), sine: sin(angle),
        inner: distances.lowerBound, outer: distances.upperBound, low: steps.lowerBound,
        high: steps.upperBound)
      pe_band_row(&law, y, size.width, row)
    case .strokes: preconditionFailure("strokes are prepared for several rows")
    case .noise(let seed, _):
      pe_noise_row(
        seed, PhiloxNoise.version, UInt64(y), UInt64(plane), size.width, row)
    }
  }
}
