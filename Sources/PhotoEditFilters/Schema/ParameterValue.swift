// SPDX-License-Identifier: Apache-2.0

/// The value of a parameter as stored, of any type.
public enum ParameterValue: Hashable, Sendable {
  /// A real number or an integer.
  case number(Double)
  /// A name, a color as "#rrggbb", or the name of an attachment.
  case text(String)
  /// A Boolean.
  case flag(Bool)
  /// A vector or a matrix, row by row.
  case numbers([Double])
  /// The points of a curve.
  case points([CurvePoint])
  /// The colors of a gradient.
  case stops([ColorStop])
  /// The strokes of a brush.
  case strokes([BrushStroke])
  /// The members of a group of masks.
  case members([MaskMember])

  init?(_ json: JSONValue) {
    switch json {
    case .number(let value): self = .number(value)
    case .string(let name): self = .text(name)
    case .bool(let flag): self = .flag(flag)
    case .array(let items):
      func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        let values = items.lazy.map(read).prefix { $0 != nil }.compactMap(\.self)
        return values.count == items.count ? values : nil
      }
      if let numbers = all(\.numberValue) {
        self = .numbers(numbers)
      } else if let stops = all(Self.stop) {
        self = .stops(stops)
      } else if let points = all(Self.point) {
        self = .points(points)
      } else if let strokes = all(BrushStroke.init(_:)) {
        self = .strokes(strokes)
      } else if let members = all(MaskMember.init(_:)) {
        self = .members(members)
      } else {
        return nil
      }
    case .null, .object: return nil
    }
  }

  private static func stop(_ json: JSONValue) -> ColorStop? {
    guard case .array(let pair) = json, pair.count == 2, let position = pair[0].numberValue,
      let color = pair[1].stringValue.flatMap({ Background($0) })
    else { return nil }
    return ColorStop(position, color)
  }

  private static func point(_ json: JSONValue) -> CurvePoint? {
    guard case .array(let pair) = json, pair.count == 2, let x = pair[0].numberValue,
      let y = pair[1].numberValue
    else { return nil }
    return CurvePoint(x, y)
  }

  package var json: JSONValue {
    switch self {
    case .number(let value): .number(value)
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .numbers(let values): .array(values.map { .number($0) })
    case .points(let points): .array(points.map { .array([.number($0.x), .number($0.y)]) })
    case .stops(let stops):
      .array(stops.map { .array([.number($0.position), .string($0.color.description)]) })
    case .strokes(let strokes): .array(strokes.map(\.json))
    case .members(let members): .array(members.map(\.json))
    }
  }

  /// The value rounded to nine significant digits, so that noise does not change the identity of an
  /// edit.
  package var rounded: ParameterValue {
    func round(_ value: Double) -> Double { value.rounded(significantDigits: 9) }
    return switch self {
    case .number(let value): .number(round(value))
    case .numbers(let values): .numbers(values.map(round))
    case .points(let points): .points(points.map { CurvePoint(round($0.x), round($0.y)) })
    case .stops(let stops): .stops(stops.map { ColorStop(round($0.position), $0.color) })
    case .strokes(let strokes): .strokes(strokes.map { $0.map(round) })
    case .members(let members): .members(members.map { $0.map(round) })
    case .text, .flag: self
    }
  }

  /// The command-line notation: "0.5", "1:0:0", "0:0/1:1".
  public var argument: String {
    switch self {
    case .number(let value): jsonNumber(value)
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .numbers(let values): values.map(jsonNumber).joined(separator: ":")
    case .points(let points):
      points.map { jsonNumber($0.x) + ":" + jsonNumber($0.y) }.joined(separator: "/")
    case .stops(let stops):
      stops.map { jsonNumber($0.position) + ":" + $0.color.description }.joined(separator: "/")
    case .strokes(let strokes): strokes.map(\.argument).joined(separator: "/")
    case .members(let members): members.map(\.argument).joined(separator: "/")
    }
  }
}

/// A position in a gradient and its color.
public struct ColorStop: Hashable, Sendable {
  /// The position, 0 to 1.
  public var position: Double
  /// The color.
  public var color: Background

  /// Creates a stop.
  public init(_ position: Double, _ color: Background) {
    (self.position, self.color) = (position, color)
  }
}

/// A point of a curve: an input and the output it is mapped to.
public struct CurvePoint: Hashable, Sendable {
  /// Input, 0 to 1.
  public var x: Double
  /// Output, 0 to 1.
  public var y: Double

  /// Creates a point.
  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}
