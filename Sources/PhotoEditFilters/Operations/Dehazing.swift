// SPDX-License-Identifier: Apache-2.0

/// The parameters of a removal of haze whose color is measured.
public struct Dehazing: Sendable, Hashable {
  /// The distance in pixels from the center of a square of the dark channel to its side.
  let reach: Int
  /// −1 to 1; below zero haze is added.
  let amount: Double
  let leastTransmission: Double

  /// Returns the color of haze from the levels of the haziest pixels: the medians of the channels,
  /// at least 0.4 and halfway to their mean, so that one white or colored place does not decide.
  func airlight(_ channels: [Histogram]) -> SIMD3<Double> {
    let medians = channels.map { channel in
      // All other pixels are black.
      var haziest = channel
      haziest.counts[0] = 0
      return max(0.4, Double(haziest.first(in: 0..<256, leaving: 0.5) ?? 0) / 255)
    }
    let color = SIMD3(medians[0], medians[1], medians[2])
    return (color + color.sum() / 3) / 2
  }

  /// Returns the steps for a color of haze.
  func operations(airlight: SIMD3<Double>) -> [FilterOperation] {
    if amount < 0 {
      let share = -0.6 * amount
      let curves = (0..<3).map {
        ToneCurve([.affine(scale: 1 - share, offset: share * airlight[$0])])
      }
      return [.curves(.init(red: curves[0], green: curves[1], blue: curves[2]))]
    }
    let removal = HazeRemoval(
      reach: reach, strength: 0.76 * amount, leastTransmission: leastTransmission,
      airlight: airlight)
    return [.area(.neighborhood(.dehaze(removal)))]
  }
}
