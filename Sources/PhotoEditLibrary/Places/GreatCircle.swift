// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Angles between points on a sphere, in radians, and the radius that makes them distances.
enum GreatCircle {
  /// Earth's mean radius in meters.
  static let earthRadius = 6_371_008.8

  static func haversine(_ angle: Double) -> Double {
    let sine = sin(angle / 2)
    return sine * sine
  }

  static func angle(haversine: Double) -> Double { 2 * asin(min(1, haversine.squareRoot())) }
}
