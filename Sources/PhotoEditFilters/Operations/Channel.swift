// SPDX-License-Identifier: Apache-2.0
/// The channels that a per-channel filter changes.
public enum Channel: String, Sendable, Hashable, CaseIterable {
  /// All three.
  case rgb
  /// Red alone.
  case r
  /// Green alone.
  case g
  /// Blue alone.
  case b

  /// The curve on these channels, identity on the others.
  func curves(_ curve: ToneCurve) -> ChannelCurves {
    let same = ToneCurve([])
    return ChannelCurves(
      red: self == .rgb || self == .r ? curve : same,
      green: self == .rgb || self == .g ? curve : same,
      blue: self == .rgb || self == .b ? curve : same)
  }
}
