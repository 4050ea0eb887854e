// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import Testing

/// Random graphs from the whole catalog; the same seed gives the same graphs.
struct RandomGraphs {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private mutating func share() -> Double { Double(number(below: 1001)) / 1000 }

  /// One to seven filters that are valid for an image of the given size, some of them with partial
  /// opacity.
  mutating func graph(for size: PixelSize) throws -> FilterGraph {
    var graph = FilterGraph()
    for _ in 0...number(below: 7) {
      guard let filter = try filter() else { continue }
      var longer = graph
      try longer.append(filter)
      let movesPixels = type(of: filter).description.dependency == .geometry
      if !movesPixels && number(below: 4) == 0 {
        let node = try #require(longer.nodes.last).id
        try longer.set(node: node, parameter: "opacity", argument: "\(share())")
      }
      // A crop may be outside the result of earlier ones.
      guard let operations = try? longer.chain(size: size),
        operations.allSatisfy(\.isContinuous)
      else { continue }
      let result = operations.reduce(size) { $1.outputSize(of: $0) }
      if result.longEdge <= 120 { graph = longer }
    }
    return graph
  }

  /// Filters with one input and no file.
  private static let chained = CatalogCase.all.filter { entry in
    entry.description.inputs == .image && entry.description.dependency != .mask
      && entry.description.parameters.allSatisfy {
        if case .asset = $0.type { false } else { true }
      }
  }

  private mutating func filter() throws -> (any Filter)? {
    let entry = Self.chained[number(below: Self.chained.count)]
    var values: [String: ParameterValue] = [:]
    for parameter in entry.description.parameters where number(below: 3) > 0 {
      values[parameter.name] = value(of: parameter.type)
    }
    return entry.filter(values)
  }

  private mutating func value(of type: ParameterType) -> ParameterValue? {
    switch type {
    case .number(_, let ui):
      // Steep curves turn a rounding error into a visible one, for any order of steps.
      let range =
        ui.lowerBound < 2 ? max(ui.lowerBound, -10)...min(ui.upperBound, 2) : ui
      return .number(range.lowerBound + share() * (range.upperBound - range.lowerBound))
    case .integer(let range):
      let most = min(range.upperBound, range.lowerBound + 50)
      return .number(Double(range.lowerBound + number(below: most - range.lowerBound + 1)))
    case .choice(let names): return .text(names[number(below: names.count)])
    case .flag: return .flag(number(below: 2) == 0)
    case .vector(let count, let range):
      let ends = max(range.lowerBound, -1)...min(range.upperBound, 1)
      return .numbers(
        (0..<count).map { _ in ends.lowerBound + share() * (ends.upperBound - ends.lowerBound) })
    case .points:
      return .points([
        CurvePoint(0, share() / 4), CurvePoint(0.5, 0.25 + share() / 2),
        CurvePoint(1, 0.75 + share() / 4),
      ])
    // The defaults are used.
    case .numbers, .text, .color, .stops, .strokes, .members, .asset: return nil
    }
  }
}

/// The graph needs more than one chain of images.
private struct NoChain: Error {}

extension FilterGraph {
  /// The operations of a graph that is a chain.
  func chain(size: PixelSize) throws -> [FilterOperation] {
    let lowered = try lowered(size: size)
    guard lowered.isChain else { throw NoChain() }
    return lowered.parts[0].operations
  }
}

extension FilterOperation {
  /// Indicates whether a small change of a sample stays small.
  fileprivate var isContinuous: Bool {
    switch self {
    case .adapt: false
    case .curves(let curves):
      curves.channels.allSatisfy { curve in
        curve.steps.allSatisfy {
          switch $0 {
          case .threshold, .quantize, .solarize: false
          default: true
          }
        }
      }
    default: true
    }
  }
}
