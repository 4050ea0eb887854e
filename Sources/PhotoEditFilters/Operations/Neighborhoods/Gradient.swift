// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// The gradient of samples by Sobel's operator.
public struct Gradient: Sendable, Hashable {
  /// The component of the gradient.
  public enum Part: Sendable, Hashable {
    /// √(x² + y²).
    case magnitude
    /// The slope to the right.
    case x
    /// The slope downward.
    case y
  }

  /// The component that is output.
  public let part: Part
  /// The factor of the output.
  public let scale: Double

  /// Creates an operator.
  public init(_ part: Part, scale: Double) {
    self.part = part
    self.scale = scale
  }

  private func rotated(by orientation: Orientation) -> Gradient {
    let m = orientation.matrix
    let (across, down) =
      switch part {
      case .magnitude: (0, 0)
      case .x: (m.xx, m.xy)
      case .y: (m.yx, m.yy)
      }
    if across != 0 { return Gradient(.x, scale: scale * Double(across)) }
    return down != 0 ? Gradient(.y, scale: scale * Double(down)) : self
  }
}

extension Gradient: NeighborSummary {
  var margin: Int { 1 }
  package var summary: String { "gradient" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.gradient(rotated(by: orientation)))
  }
}
