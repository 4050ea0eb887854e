// SPDX-License-Identifier: Apache-2.0

import PhotoEditPixels

extension LoweringContext {
  /// The nearest whole number of rendered pixels to so many of the full-size picture.
  func pixels(_ count: Int) -> Int { Int((Double(count) * scale).rounded()) }

  /// The nearest whole number of pixels of this picture to so many of the one that places are meant
  /// for.
  func places(_ count: Int) -> Int { Int((Double(count) * placeScale).rounded()) }

  /// A stretch of one side of this picture for a stretch of the one that places are meant for.
  ///
  /// The length is rounded and the place makes room for it, so that shapes stay alike. What lies
  /// outside of that picture lies outside of this one.
  func places(_ start: Int, _ length: Int, along side: Int) -> (start: Int, length: Int) {
    guard placeScale != 1 else { return (start, length) }
    let (first, count) = (places(start), max(1, places(length)))
    // A rounded side may be a pixel short.
    guard start + length <= Int((Double(side + 1) / placeScale).rounded(.up)) else {
      return (first, count)
    }
    return (min(first, max(0, side - count)), min(count, side))
  }

  /// The nearest whole number of pixels, one at least, to a share of the longer side.
  func pixels(ofLongSide share: Double) -> Int {
    max(1, Int((share * Double(max(size.width, size.height))).rounded()))
  }
}

extension Filter {
  /// Says why the values of its parameters do not go together, or not with the picture.
  func conflict(_ reason: String) -> ParameterError {
    .conflict(filter: Self.schema.name, reason: reason)
  }

  /// Refuses an even number, for a window that has a middle.
  func requireOdd(_ name: String, _ value: Int) throws(ParameterError) {
    if value % 2 == 0 {
      throw .invalidValue(
        filter: Self.schema.name, parameter: name, value: "\(value)", allowed: "an odd number")
    }
  }
}
