// SPDX-License-Identifier: Apache-2.0

import PhotoEditPixels

extension LoweringContext {
  /// Converts pixels of the full-size image to rendered pixels, rounded to an integer.
  func pixels(_ count: Int) -> Int { Int((Double(count) * scale).rounded()) }

  /// Converts pixels of the image that positions refer to into pixels of this image, rounded to an
  /// integer.
  func coordinates(_ count: Int) -> Int { Int((Double(count) * coordinateScale).rounded()) }

  /// Converts a range along one side of the image that positions refer to into a range of this
  /// image.
  ///
  /// The length is rounded and the start adjusted to it, so that proportions are preserved. A range
  /// that extends outside that image also extends outside this one.
  func coordinates(_ start: Int, _ length: Int, along side: Int) -> (start: Int, length: Int) {
    guard coordinateScale != 1 else { return (start, length) }
    let (first, count) = (coordinates(start), max(1, coordinates(length)))
    // A rounded side may be one pixel short.
    guard start + length <= Int((Double(side + 1) / coordinateScale).rounded(.up)) else {
      return (first, count)
    }
    return (min(first, max(0, side - count)), min(count, side))
  }

  /// Converts a fraction of the longer side to pixels, rounded to an integer of at least 1.
  func pixels(ofLongSide share: Double) -> Int {
    max(1, Int((share * Double(max(size.width, size.height))).rounded()))
  }
}

extension Filter {
  /// Returns the error for parameter values that contradict each other or do not fit the image.
  func conflict(_ reason: String) -> ParameterError {
    .conflict(filter: Self.schema.name, reason: reason)
  }

  /// Rejects an even number, for a window with a center.
  func requireOdd(_ name: String, _ value: Int) throws(ParameterError) {
    if value % 2 == 0 {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name, value: "\(value)", allowed: "an odd number")
    }
  }
}
