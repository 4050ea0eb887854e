// SPDX-License-Identifier: Apache-2.0

/// A stroke of a brush: a path along which a mask is painted or erased.
///
/// It is stored as positions instead of pixels, so that it renders alike at every size.
public struct BrushStroke: Hashable, Sendable {
  /// A position of the path.
  public struct Point: Hashable, Sendable {
    /// Column, a fraction of the width of the image, −1 to 2.
    public var x: Double
    /// Row, a fraction of the height of the image, −1 to 2.
    public var y: Double
    /// The share of the radius that applies here, 0 to 1, as a pen reports it.
    public var pressure: Double

    /// Creates a position.
    public init(_ x: Double, _ y: Double, pressure: Double = 1) {
      (self.x, self.y, self.pressure) = (x, y, pressure)
    }
  }

  /// The radius of the brush, a fraction of the longer side of the image, 0.0005 to 1.
  public var radius: Double
  /// The share of the radius with full coverage, 0 to 1; it falls off smoothly outside of it.
  public var hardness: Double
  /// The coverage on the path, 0 to 1.
  public var flow: Double
  /// Indicates whether the stroke removes coverage of earlier strokes.
  public var isEraser: Bool
  /// The path; a single position is a dab.
  public var points: [Point]

  /// Creates a stroke.
  public init(
    radius: Double, hardness: Double = defaultHardness, flow: Double = 1, isEraser: Bool = false,
    points: [Point]
  ) {
    (self.radius, self.hardness, self.flow) = (radius, hardness, flow)
    (self.isEraser, self.points) = (isEraser, points)
  }

  /// The hardness of a stroke that states none.
  public static let defaultHardness = 0.5

  /// Returns the stroke with every number changed by a function.
  func map(_ change: (Double) -> Double) -> BrushStroke {
    BrushStroke(
      radius: change(radius), hardness: change(hardness), flow: change(flow), isEraser: isEraser,
      points: points.map { Point(change($0.x), change($0.y), pressure: change($0.pressure)) })
  }

  /// Returns why the stroke is invalid; nil if it is valid.
  var problem: String? {
    func outside(_ name: String, _ value: Double, _ range: ClosedRange<Double>) -> String? {
      range.contains(value) ? nil : "\(name) \(jsonNumber(value))"
    }
    if points.isEmpty { return "a stroke without points" }
    return outside("radius", radius, 0.0005...1) ?? outside("hardness", hardness, 0...1)
      ?? outside("flow", flow, 0...1)
      ?? points.lazy.compactMap {
        outside("point", $0.x, -1...2) ?? outside("point", $0.y, -1...2)
          ?? outside("pressure", $0.pressure, 0...1)
      }.first
  }
}

// MARK: JSON

extension BrushStroke {
  /// Reads a stroke from an object; nil for anything else, also for an unknown member, which would
  /// be lost.
  init?(_ json: JSONValue) {
    guard case .object(var members) = json,
      let radius = members.removeValue(forKey: "radius")?.numberValue,
      let items = members.removeValue(forKey: "points")?.arrayValue
    else { return nil }
    self.init(radius: radius, points: [])
    for (name, value) in members {
      switch (name, value) {
      case ("hardness", .number(let value)): hardness = value
      case ("flow", .number(let value)): flow = value
      case ("erase", .bool(let value)): isEraser = value
      default: return nil
      }
    }
    points.reserveCapacity(items.count)
    for item in items {
      guard let numbers = item.arrayValue?.compactMap(\.numberValue),
        numbers.count == item.arrayValue?.count, let point = Point(numbers)
      else { return nil }
      points.append(point)
    }
  }

  /// The object; values that a reader assumes are left out.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "radius": .number(radius), "hardness": .number(hardness), "flow": .number(flow),
      "points": .array(points.map { .array($0.numbers.map { .number($0) }) }),
    ]
    if isEraser { members["erase"] = .bool(true) }
    return .object(members)
  }
}

// MARK: Command line

extension BrushStroke {
  /// Reads "radius:hardness:flow@x:y@x:y:pressure", with "erase:" before it for an eraser.
  init?(argument: Substring) {
    var parts = argument.split(separator: "@", omittingEmptySubsequences: false)
    var head = parts.removeFirst()
    let isEraser = head.hasPrefix(Self.eraserPrefix)
    if isEraser { head.removeFirst(Self.eraserPrefix.count) }
    guard let brush = ParameterType.numbers(head), (1...3).contains(brush.count) else {
      return nil
    }
    let points = parts.compactMap { ParameterType.numbers($0).flatMap(Point.init) }
    guard points.count == parts.count else { return nil }
    self.init(
      radius: brush[0], hardness: brush.count > 1 ? brush[1] : Self.defaultHardness,
      flow: brush.count > 2 ? brush[2] : 1, isEraser: isEraser, points: points)
  }

  /// The stroke in command-line notation.
  var argument: String {
    func text(_ numbers: [Double]) -> String { numbers.map(jsonNumber).joined(separator: ":") }
    let parts = [text([radius, hardness, flow])] + points.map { text($0.numbers) }
    return (isEraser ? Self.eraserPrefix : "") + parts.joined(separator: "@")
  }

  private static let eraserPrefix = "erase:"
}

extension BrushStroke.Point {
  /// Creates a point from a column, a row and possibly a pressure.
  fileprivate init?(_ numbers: [Double]) {
    guard (2...3).contains(numbers.count) else { return nil }
    self.init(numbers[0], numbers[1], pressure: numbers.count == 3 ? numbers[2] : 1)
  }

  fileprivate var numbers: [Double] { pressure == 1 ? [x, y] : [x, y, pressure] }
}
