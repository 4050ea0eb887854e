// SPDX-License-Identifier: Apache-2.0
/// The channels that a per-channel filter changes.
public enum Channel: String, Sendable, Hashable, CaseIterable {
  /// All three channels.
  case rgb
  /// Only red.
  case r
  /// Only green.
  case g
  /// Only blue.
  case b

  /// Returns the curve on these channels and identity on the others.
  func curves(_ curve: ToneCurve) -> ChannelCurves {
    let same = ToneCurve([])
    return ChannelCurves(
      red: self == .rgb || self == .r ? curve : same,
      green: self == .rgb || self == .g ? curve : same,
      blue: self == .rgb || self == .b ? curve : same)
  }
}
