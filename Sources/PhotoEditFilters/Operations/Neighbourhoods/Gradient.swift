// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// How steeply samples rise, by Sobel's operator.
public struct Gradient: Sendable, Hashable {
  /// What is given.
  public enum Part: Sendable, Hashable {
    /// √(x² + y²).
    case magnitude
    /// The slope to the right.
    case x
    /// The slope downwards.
    case y
  }

  /// What is given.
  public let part: Part
  /// What it is multiplied by.
  public let scale: Double

  /// Makes an operator.
  public init(_ part: Part, scale: Double) {
    self.part = part
    self.scale = scale
  }

  private func turned(by turn: Orientation) -> Gradient {
    let m = turn.matrix
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

extension Gradient: NeighborFacts {
  var margin: Int { 1 }
  package var summary: String { "gradient" }

  package func turnedArea(by turn: Orientation) -> AreaOperation? {
    .neighbourhood(.gradient(turned(by: turn)))
  }
}
