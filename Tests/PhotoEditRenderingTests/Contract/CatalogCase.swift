// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import Testing

/// A filter of the catalog and the test values derived from its declaration.
///
/// No filter is named here: a new one is covered as soon as it is in the catalog.
struct CatalogCase: CustomTestStringConvertible, Sendable {
  let type: any Filter.Type
  /// The position in the catalog.
  let number: Int

  static let all = FilterCatalog.all.enumerated().map { CatalogCase(type: $1, number: $0) }

  var description: FilterDescription { type.description }
  var testDescription: String { description.name }

  /// The filter of `init()` with some values changed; nil for an invalid combination.
  func filter(_ values: [String: ParameterValue]) -> (any Filter)? {
    try? type.init(values: values)
  }

  /// A value well away from the identity value for every parameter that has one.
  var activeValues: [String: ParameterValue] {
    var values: [String: ParameterValue] = [:]
    for entry in description.parameters {
      if let identity = entry.identity {
        values[entry.name] = Self.value(of: entry.type, off: identity)
      }
      if case .asset(let kind) = entry.type { values[entry.name] = .text(kind.rawValue) }
    }
    return values
  }

  /// Filters with an effect: the active values with every choice and every flag.
  var active: [any Filter] { active(color: nil) }

  /// The same with one color for all color values.
  func active(color: String?) -> [any Filter] {
    var values = activeValues
    if let color {
      for entry in description.parameters where entry.type == .color {
        values[entry.name] = .text(color)
      }
    }
    var variants = choices
    variants.insert([:], at: 0)
    return variants.compactMap { variant in filter(values.merging(variant) { $1 }) }
  }

  /// One set of values for every name of every choice and both positions of every flag.
  var choices: [[String: ParameterValue]] {
    description.parameters.flatMap { entry -> [[String: ParameterValue]] in
      switch entry.type {
      case .choice(let names): names.map { [entry.name: ParameterValue.text($0)] }
      case .flag: [[entry.name: .flag(true)], [entry.name: .flag(false)]]
      case .number, .integer, .vector, .points, .numbers, .text, .color, .stops, .strokes, .members,
        .asset:
        []
      }
    }
  }

  /// The two ends of a parameter's range, or all names of a choice.
  static func ends(of type: ParameterType) -> [ParameterValue] {
    switch type {
    case .number(let range, _): [.number(range.lowerBound), .number(range.upperBound)]
    case .integer(let range):
      [.number(Double(range.lowerBound)), .number(Double(range.upperBound))]
    case .choice(let names): names.map { .text($0) }
    case .flag: [.flag(false), .flag(true)]
    case .vector(let count, let range):
      [range.lowerBound, range.upperBound].map { .numbers(Array(repeating: $0, count: count)) }
    case .points(let count):
      [points(count.lowerBound), points(count.upperBound)]
    case .numbers(let counts, let range):
      // A long series of counts is tried at its ends.
      (counts.count <= 6 ? counts : [counts[0], counts[1], counts[counts.count - 1]]).flatMap {
        count in
        [range.lowerBound, range.upperBound].map { .numbers(Array(repeating: $0, count: count)) }
      }
    case .text: [.text(""), .text("A\ng")]
    case .color: [.text("#000000"), .text("#ffffff")]
    case .stops(let count): [stops(count.lowerBound), stops(count.upperBound)]
    case .strokes(let count, let points):
      [strokes(count.lowerBound, of: points / 8), strokes(count.upperBound, of: 3)]
    case .members(let count): [members(count.lowerBound), members(count.upperBound)]
    case .asset(let kind): [.text(kind.rawValue)]
    }
  }

  /// Two values between the ends, if there are any.
  static func middles(of type: ParameterType) -> [ParameterValue] {
    func inside(_ range: ClosedRange<Double>, _ share: Double) -> Double {
      range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
    switch type {
    case .number(let range, _): return [0.3, 0.7].map { .number(inside(range, $0)) }
    case .numbers(let counts, let range):
      // Different numbers, since equal ones may mean nothing.
      return [0.3, 0.7].map { first in
        let shares = (0..<counts[0]).map { Double(($0 * 37 + Int(100 * first)) % 100) / 100 }
        return .numbers(shares.map { inside(range, $0) })
      }
    default: return []
    }
  }

  /// The active values, with every other number at the first of two values between its ends.
  var middleValues: [String: ParameterValue] {
    var values = activeValues
    for entry in description.parameters where values[entry.name] == nil {
      values[entry.name] = Self.middles(of: entry.type).first
    }
    return values
  }

  /// A value that a parameter must reject.
  static func outside(_ type: ParameterType) -> ParameterValue {
    switch type {
    case .number(let range, _): .number(range.upperBound.nextUp)
    case .integer(let range): .number(Double(range.lowerBound) - 1)
    case .choice: .text("no-such-word")
    case .flag: .number(1)
    case .vector(let count, let range):
      .numbers(Array(repeating: range.upperBound + 1, count: count))
    case .points: .points([CurvePoint(0, 0), CurvePoint(1, 1.5)])
    case .numbers(let counts, let range):
      .numbers(Array(repeating: range.upperBound + 1, count: counts[0]))
    case .text(let maximum): .text(String(repeating: "x", count: maximum + 1))
    case .color: .text("#12345")
    case .stops: .stops([ColorStop(0.5, .white), ColorStop(0.5, .white)])
    case .strokes: .strokes([BrushStroke(radius: 1.5, points: [.init(0.5, 0.5)])])
    case .members: .members([MaskMember(.subtract, opacity: 1.5)])
    case .asset: .number(1)
    }
  }

  /// A line that jumps from white to black and back.
  private static func points(_ count: Int) -> ParameterValue {
    .points(
      (0..<count).map { i -> CurvePoint in
        CurvePoint(Double(i) / Double(count - 1), i % 2 == 0 ? 1 : 0)
      })
  }

  private static func stops(_ count: Int) -> ParameterValue {
    .stops(
      (0..<count).map { i -> ColorStop in
        let blue: UInt8 = i % 2 == 0 ? 255 : 0
        let color = Background(red: UInt8(i * 40 % 256), green: UInt8(i * 10), blue: blue)
        return ColorStop(Double(i) / Double(count - 1), color)
      })
  }

  /// Zigzags with pressure of which every third one erases.
  private static func strokes(_ count: Int, of points: Int) -> ParameterValue {
    .strokes(
      (0..<count).map { i -> BrushStroke in
        let path = (0..<points).map { j -> BrushStroke.Point in
          let (row, pressure) = (Double((i + 7 * j) % 20), Double(j % 4))
          return BrushStroke.Point(Double(j) / Double(points), row / 20, pressure: pressure / 3)
        }
        return BrushStroke(
          radius: 0.05, hardness: Double(i % 5) / 4, flow: 0.4, isEraser: i % 3 == 2, points: path)
      })
  }

  /// Members of every kind.
  private static func members(_ count: Int) -> ParameterValue {
    var members: [MaskMember] = []
    for i in 0..<count {
      var member = MaskMember(MaskMember.Operation.allCases[i % 3])
      member.opacity = Double(i % 4) / 3
      member.isInverted = i % 2 == 1
      if i % 5 == 4 { member.name = "Sky, 50 %" }
      members.append(member)
    }
    return .members(members)
  }

  private static func value(of type: ParameterType, off identity: ParameterValue) -> ParameterValue
  {
    func off(_ value: Double, _ range: ClosedRange<Double>, by share: Double) -> Double {
      value < range.upperBound
        ? value + (range.upperBound - value) * share : value - (value - range.lowerBound) * share
    }
    switch (type, identity) {
    case (.number(_, let ui), .number(let value)): return .number(off(value, ui, by: 0.37))
    case (.integer(let range), .number(let value)):
      return .number(min(Double(range.upperBound), value + 5))
    case (.vector(_, let range), .numbers(let values)):
      return .numbers(values.enumerated().map { off($1, range, by: 0.01 * Double($0 + 1)) })
    case (.text, _): return .text("Ag\nA")
    case (.points, _):
      return .points([CurvePoint(0, 0.1), CurvePoint(0.4, 0.6), CurvePoint(1, 0.9)])
    default: return identity
    }
  }
}

extension ParameterType {
  /// Indicates whether there are several values; for files, the tests have one per kind.
  var takesSeveralValues: Bool {
    switch self {
    case .choice(let names): names.count > 1
    case .asset: false
    // A name, such as that of an installed font, is for those who edit.
    case .text(let maximum): maximum > 256
    default: true
    }
  }
}
