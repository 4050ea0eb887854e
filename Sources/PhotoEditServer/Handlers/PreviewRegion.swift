// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension NormalizedRect {
  /// Reads the part of a rendering to show: its corner and size, as shares of the rendering.
  init(region value: JSONValue) throws(Problem) {
    guard case .object(let members) = value, members.count == 4,
      let x = members["x"]?.numberValue, let y = members["y"]?.numberValue,
      let width = members["w"]?.numberValue, let height = members["h"]?.numberValue,
      x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000001, y + height <= 1.000001
    else { throw Problem(.badRequest, "region must be {x, y, w, h} with fractions from 0 to 1") }
    self.init(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))
  }
}
