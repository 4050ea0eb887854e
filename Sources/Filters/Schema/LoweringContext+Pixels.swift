// SPDX-License-Identifier: Apache-2.0

import Pixels

extension LoweringContext {
  /// The nearest whole number of rendered pixels to so many of the full-size picture.
  func pixels(_ count: Int) -> Int { Int((Double(count) * scale).rounded()) }

  /// The nearest whole number of pixels, one at least, to a share of the longer side.
  func pixels(ofLongSide share: Double) -> Int {
    max(1, Int((share * Double(max(size.width, size.height))).rounded()))
  }
}

extension Filter {
  /// Refuses an even number, for a window that has a middle.
  func requireOdd(_ name: String, _ value: Int) throws(ParameterError) {
    if value % 2 == 0 {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name, value: "\(value)", allowed: "an odd number")
    }
  }
}
