// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The tone curve with which an edit of a camera raw file begins, because a linear image is dark and
/// has little contrast.
///
/// In linear light, y = p/(p + 4.42) with p = (x·2^ev/0.1845)^1.6 for each channel. The constants
/// approximate the JPEGs of cameras: middle gray becomes 0.1845, and highlights approach white
/// gradually.
package struct DevelopmentCurve: Sendable, Hashable {
  /// The exposure in stops.
  package let ev: Double

  /// The exposure for a file without a preview.
  package static let defaultExposure = 1.2
  /// The exposures that a preview can lead to; a preview of something else must not.
  private static let range = -2.0...6.0
  private static let middleGray = 0.1845
  private static let exponent = 1.6
  private static let shoulder = 4.42

  /// Creates a curve, with four significant digits of the exposure.
  package init(ev: Double = defaultExposure) {
    self.ev = min(max(ev, Self.range.lowerBound), Self.range.upperBound)
      .rounded(significantDigits: 4)
  }

  /// Creates the curve that maps the median of the developed image to that of its preview, both in
  /// linear light; nil if one of them is black or white.
  package init?(median: Double, preview: Double) {
    guard median > 1e-5, (1e-4...0.98).contains(preview) else { return nil }
    let power = Self.shoulder * preview / (1 - preview)
    self.init(ev: log2(Self.middleGray * pow(power, 1 / Self.exponent) / median))
  }

  /// Returns the value of the curve, in linear light.
  package func callAsFunction(_ x: Double) -> Double {
    let power = pow(max(x, 0) * exp2(ev) / Self.middleGray, Self.exponent)
    return power / (power + Self.shoulder)
  }

  /// The curve as an ordinary filter.
  ///
  /// Points are closer in the dark, where the curve is steepest; between them it deviates by less
  /// than half a level of 255.
  package var filter: Curve {
    let last = 31
    return Curve(
      (0...last).map { index in
        let x = pow(Double(index) / Double(last), 1.5).rounded(significantDigits: 5)
        let y = SRGBTransfer.encode(self(SRGBTransfer.decode(x)))
        return CurvePoint(x, y.rounded(significantDigits: 5))
      })
  }
}

extension FilterNode {
  /// Indicates whether it is the curve with which the edit of a raw file begins.
  package internal(set) var isDevelopment: Bool {
    get { unknown["ext"]?["development"] == .number(1) }
    set {
      var fields = unknown["ext"]?.objectValue ?? [:]
      fields["development"] = newValue ? .number(1) : nil
      unknown["ext"] = fields.isEmpty ? nil : .object(fields)
    }
  }
}

extension FilterGraph {
  /// Creates the graph with which the edit of a raw file begins.
  package init(_ curve: DevelopmentCurve) throws(ParameterError) {
    try self.init([curve.filter])
    nodes[nodes.count - 1].isDevelopment = true
  }

  /// Moves the last node before the curve of a raw file if it changes the light, so that it acts on
  /// all light that the sensor recorded instead of what the curve leaves.
  ///
  /// Nodes that others take as input or mask stay in place.
  package mutating func moveLastNodeToLight() {
    guard let curve = nodes.firstIndex(where: \.isDevelopment), let node = nodes.last,
      ["exposure", "whiteBalance"].contains(node.filter), node.inputs == nil, node.mask == nil,
      nodes[curve...].allSatisfy({ $0.inputs == nil })
    else { return }
    // A graph without named inputs can be rearranged in any order.
    try? move(node: node.id, to: curve)
  }

  /// Returns the graph with filters added after the last node, or before the curve of a raw file if
  /// they change the light.
  package func applying(_ filters: [any Filter]) throws(ParameterError) -> FilterGraph {
    var graph = self
    for filter in filters {
      try graph.append(filter)
      graph.moveLastNodeToLight()
    }
    return graph
  }
}
