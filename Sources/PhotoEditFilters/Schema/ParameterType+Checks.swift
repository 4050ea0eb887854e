// SPDX-License-Identifier: Apache-2.0

extension ParameterType {
  /// Returns the reason why a value is invalid for this type; nil if it is valid.
  func problem(with value: ParameterValue) -> String? {
    switch (self, value) {
    case (.number(let range, _), .number(let number)):
      return range.contains(number) ? nil : jsonNumber(number)
    case (.integer(let range), .number(let number)):
      guard let whole = Int(exactly: number), range.contains(whole) else {
        return jsonNumber(number)
      }
      return nil
    case (.choice(let names), .text(let name)):
      return names.contains(name) ? nil : "'\(name)'"
    case (.flag, .flag): return nil
    case (.vector(let count, let range), .numbers(let numbers)):
      guard numbers.count == count else { return "\(numbers.count) numbers" }
      return numbers.first { !range.contains($0) }.map(jsonNumber)
    case (.points(let count), .points(let points)):
      return Self.problem(with: points, count: count)
    case (_, .number(let number)): return jsonNumber(number)
    case (.numbers(let counts, let range), .numbers(let numbers)):
      guard counts.contains(numbers.count) else { return "\(numbers.count) numbers" }
      return numbers.first { !range.contains($0) }.map(jsonNumber)
    case (.color, .text(let text)): return Background(text) == nil ? "'\(text)'" : nil
    case (.stops(let count), .stops(let stops)): return Self.problem(with: stops, count: count)
    case (.strokes(let count, let points), .strokes(let strokes)):
      return Self.problem(with: strokes, count: count, points: points)
    case (.members(let count), .members(let members)):
      return Self.problem(with: members, count: count)
    // An empty array has no type in JSON.
    case (.members(let count), .numbers([])):
      return Self.problem(with: [MaskMember](), count: count)
    case (.asset, .text): return nil
    case (.text(let maximum), .text(let text)):
      if text.utf8.count > maximum { return "of \(text.utf8.count) bytes" }
      let control = text.unicodeScalars.first {
        !["\n", "\r", "\t"].contains($0) && $0.properties.generalCategory == .control
      }
      return control.map { "with the control character \($0.value)" }
    case (_, .stops(let stops)): return "\(stops.count) colors"
    case (_, .strokes(let strokes)): return "\(strokes.count) strokes"
    case (_, .members(let members)): return "\(members.count) members"
    case (_, .text(let text)): return "'\(text)'"
    case (_, .flag(let flag)): return "\(flag)"
    case (_, .numbers(let numbers)): return "\(numbers.count) numbers"
    case (_, .points(let points)): return "\(points.count) points"
    }
  }

  private static func problem(with points: [CurvePoint], count: ClosedRange<Int>) -> String? {
    guard count.contains(points.count) else { return "\(points.count) points" }
    for point in points where !(0...1).contains(point.x) || !(0...1).contains(point.y) {
      return "point \(jsonNumber(point.x)):\(jsonNumber(point.y))"
    }
    for (left, right) in zip(points, points.dropFirst()) where left.x >= right.x {
      return "\(jsonNumber(right.x)) after \(jsonNumber(left.x))"
    }
    return nil
  }

  private static func problem(with stops: [ColorStop], count: ClosedRange<Int>) -> String? {
    guard count.contains(stops.count) else { return "\(stops.count) colors" }
    for stop in stops where !(0...1).contains(stop.position) {
      return "position \(jsonNumber(stop.position))"
    }
    for (left, right) in zip(stops, stops.dropFirst()) where left.position >= right.position {
      return "\(jsonNumber(right.position)) after \(jsonNumber(left.position))"
    }
    return nil
  }

  private static func problem(
    with strokes: [BrushStroke], count: ClosedRange<Int>, points: Int
  ) -> String? {
    guard count.contains(strokes.count) else { return "\(strokes.count) strokes" }
    let all = strokes.reduce(0) { $0 + $1.points.count }
    guard all <= points else { return "\(all) points" }
    return strokes.lazy.compactMap(\.problem).first
  }

  private static func problem(
    with members: [MaskMember], count: ClosedRange<Int>
  ) -> String? {
    guard count.contains(members.count) else { return "\(members.count) members" }
    for (index, member) in members.enumerated() {
      if let problem = member.problem { return "\(problem) of member \(index + 1)" }
    }
    return nil
  }

  /// Returns the reason why JSON is no value of any type, for a message.
  func problem(withJSON json: JSONValue) -> String {
    if case .members = self, case .array(let items) = json {
      for (index, item) in items.enumerated() {
        guard let problem = MaskMember.problem(with: item) else { continue }
        return "\(problem) of member \(index + 1)"
      }
    }
    return "(unsupported JSON type)"
  }

  /// Returns the part of an argument that cannot be read, for a message.
  func problem(withArgument argument: String) -> String {
    if case .members = self {
      for (index, part) in Self.parts(argument).enumerated() where Self.member(part) == nil {
        return "'\(part)' as member \(index + 1)"
      }
    }
    return "'\(argument)'"
  }

  private static func parts(_ argument: String) -> [Substring] {
    argument.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func member(_ part: Substring) -> MaskMember? {
    MaskMember(argument: part, number: number)
  }

  /// Returns the allowed values for messages: "-10…10 stops", "horizontal or vertical".
  public func allowed(unit: ParameterUnit) -> String {
    let suffix = unit == .none ? "" : " " + unit.rawValue
    func range(_ range: ClosedRange<Double>) -> String {
      jsonNumber(range.lowerBound) + "…" + jsonNumber(range.upperBound) + suffix
    }
    return switch self {
    case .number(let bounds, _): range(bounds)
    case .integer(let bounds): "\(bounds.lowerBound)…\(bounds.upperBound)\(suffix), whole"
    case .choice(let names): names.joined(separator: ", ")
    case .flag: "true, false"
    case .vector(let count, let bounds): "\(count) numbers a:b:…, each \(range(bounds))"
    case .points(let count):
      "\(count.lowerBound)…\(count.upperBound) points x:y/x:y, 0…1, x increasing"
    case .numbers(let counts, let bounds):
      "\(Self.text(counts)) numbers a:b:…, each \(range(bounds))"
    case .text(let maximum): "up to \(maximum) bytes, with no control characters but line breaks"
    case .color: "a color #rrggbb"
    case .stops(let count):
      "\(count.lowerBound)…\(count.upperBound) colors position:#rrggbb/position:#rrggbb, 0…1, "
        + "increasing"
    case .strokes(let count, let points):
      "\(count.lowerBound)…\(count.upperBound) strokes "
        + "radius:hardness:flow@x:y@x:y/…, up to \(points) points"
    case .members(let count):
      "\(count.lowerBound)…\(count.upperBound) members op:opacity:invert=name/…, op "
        + MaskMember.Operation.allCases.map(\.rawValue).joined(separator: ", ")
        + ", opacity 0…1, names up to \(MaskMember.maximumBytesOfName) bytes"
    case .asset(let kind): "file=PATH of \(kind.summary)"
    }
  }

  /// The name of the type in listings.
  public var name: String {
    switch self {
    case .number: "number"
    case .integer: "integer"
    case .choice: "choice"
    case .flag: "flag"
    case .vector: "vector"
    case .points: "points"
    case .numbers: "numbers"
    case .text: "text"
    case .color: "color"
    case .stops: "stops"
    case .strokes: "strokes"
    case .members: "members"
    case .asset: "asset"
    }
  }

  /// Reads a value of this type in command-line notation; nil for any other text.
  func value(argument: String) -> ParameterValue? {
    switch self {
    case .number, .integer:
      return Self.number(argument[...]).map { .number($0) }
    case .choice, .color, .asset, .text: return .text(argument)
    case .flag:
      switch argument {
      case "true", "yes", "1", "on": return .flag(true)
      case "false", "no", "0", "off": return .flag(false)
      default: return nil
      }
    case .stops:
      var stops: [ColorStop] = []
      for part in argument.split(separator: "/", omittingEmptySubsequences: false) {
        guard let colon = part.firstIndex(of: ":"), let position = Self.number(part[..<colon]),
          let color = Background(String(part[part.index(after: colon)...]))
        else { return nil }
        stops.append(ColorStop(position, color))
      }
      return .stops(stops)
    case .strokes:
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      let strokes = parts.compactMap { BrushStroke(argument: $0) }
      return strokes.count == parts.count ? .strokes(strokes) : nil
    case .members:
      if argument.isEmpty { return .members([]) }
      let parts = Self.parts(argument)
      let members = parts.compactMap(Self.member)
      return members.count == parts.count ? .members(members) : nil
    case .vector, .numbers:
      return Self.numbers(argument[...]).map { .numbers($0) }
    case .points:
      var points: [CurvePoint] = []
      for part in argument.split(separator: "/", omittingEmptySubsequences: false) {
        guard let xy = Self.numbers(part), xy.count == 2 else { return nil }
        points.append(CurvePoint(xy[0], xy[1]))
      }
      return .points(points)
    }
  }

  static func numbers(_ text: Substring) -> [Double]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(number)
    return numbers.count == parts.count ? numbers : nil
  }

  private static func number(_ text: Substring) -> Double? {
    // The standard library also reads hexadecimal numbers, which are invalid here.
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// "9, 25, 49" or, for a long series, "5, 10, …, 1000".
  private static func text(_ counts: [Int]) -> String {
    let words = counts.map(String.init)
    let shown = words.count <= 6 ? words : words.prefix(2) + ["…"] + words.suffix(1)
    return shown.joined(separator: ", ")
  }
}
