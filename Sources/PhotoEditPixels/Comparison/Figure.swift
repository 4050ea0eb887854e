// SPDX-License-Identifier: Apache-2.0

/// Formats a number for display: limited decimals, no trailing zeros, "∞" for infinity.
package func figure(_ value: Double, decimals: Int = 3) -> String {
  if value.isNaN { return "not a number" }
  if value.isInfinite { return value < 0 ? "-∞" : "∞" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (value.magnitude * scale).rounded()
  // Above 2⁵³ a Double has no decimals left to write.
  guard scaled < 0x1p53 else { return "\(value)" }
  let whole = Int(scaled)
  let unit = Int(scale)
  var digits = String(whole % unit + unit).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  let sign = value < 0 && whole > 0 ? "-" : ""
  return "\(sign)\(whole / unit)" + (digits.isEmpty ? "" : ".\(digits)")
}
