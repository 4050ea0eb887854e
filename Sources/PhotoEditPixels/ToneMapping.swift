// SPDX-License-Identifier: Apache-2.0

/// The way in which an HDR image becomes one of standard dynamic range; edits record it.
public struct ToneMapping: Sendable, Hashable {
  /// The method: "bt2446a" for ITU-R BT.2446, method A.
  public var method: String
  /// The luminance that becomes white, in cd/m².
  public var peak: Double

  /// Creates a description from its parts.
  public init(method: String, peak: Double) { (self.method, self.peak) = (method, peak) }
}
