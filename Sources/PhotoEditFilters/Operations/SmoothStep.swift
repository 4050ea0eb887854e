// SPDX-License-Identifier: Apache-2.0

/// Returns 0 up to a bound, 1 from another one on, and a cubic without kinks in between; a jump if
/// both are equal.
package func smoothStep(_ low: Double, _ high: Double, _ x: Double) -> Double {
  guard high > low else { return x > low ? 1 : 0 }
  return smoothStep(min(max((x - low) / (high - low), 0), 1))
}

/// Returns the same between 0 and 1, for a number in that range.
func smoothStep(_ t: Double) -> Double { t * t * (3 - 2 * t) }
