// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// Returns the values of the background in the color space of an image, and whether they have the
  /// sRGB transfer encoding; otherwise they are values of the image as stored.
  package func backgroundNumbers(
    in space: WorkingSpace
  ) -> (numbers: SIMD3<Double>, hasCurveOfSRGB: Bool) {
    hasNumericBackground || background.isInEverySpace
      ? (background.levels, false) : (space.numbers(of: background.levels), true)
  }

  /// Indicates whether flattening onto the background requires knowing the color space of the
  /// image.
  package var hasColoredBackground: Bool { !hasNumericBackground && !background.isGray }
}
