// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// The numbers of the background in the space of a picture, and whether they have the curve of
  /// sRGB; else they are numbers of the picture as it is stored.
  package func backgroundNumbers(
    in space: WorkingSpace
  ) -> (numbers: SIMD3<Double>, hasCurveOfSRGB: Bool) {
    hasNumericBackground || background.isInEverySpace
      ? (background.levels, false) : (space.numbers(of: background.levels), true)
  }

  /// Whether transparency over the background needs to know what the numbers of a picture mean.
  package var hasColoredBackground: Bool { !hasNumericBackground && !background.isGray }
}
