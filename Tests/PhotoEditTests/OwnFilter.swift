// SPDX-License-Identifier: Apache-2.0
import PhotoEdit

/// A filter that the package does not contain, with an earlier version.
struct Glow: Filter {
  static let schema = FilterSchema<Self>(
    "com.example.glow", version: 2, "Brightens the light parts.",
    equivalents: "none", formula: "x + amount·x²", source: "none", dependency: .color,
    tolerance: "T1",
    parameters: [
      Parameter("amount", \.amount, in: 0...1, identity: 0, "Strength of the glow."),
      Parameter("mode", \.mode, "Kind of the glow."),
    ])

  enum Mode: String, Sendable, CaseIterable {
    case warm, cold
  }

  var amount = 0.0
  var mode = Mode.warm

  static var previous: (any Filter.Type)? { FirstGlow.self }

  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if amount == 0 { return [] }
    let entries = (0..<9 * 9 * 9).map { i in
      var color = SIMD3<Float>(Float(i % 9), Float(i / 9 % 9), Float(i / 81)) / 8
      color += Float(amount) * color * color
      return mode == .warm ? color : SIMD3(color.z, color.y, color.x)
    }
    guard let cube = try? ColorLUT3D(size: 9, entries: entries) else {
      throw .conflict(filter: Self.schema.name, reason: "the cube is not finite")
    }
    return [.map(PixelMap(cube))]
  }
}

/// Version 1 of the glow.
struct FirstGlow: Filter {
  static let schema = FilterSchema<Self>(
    "com.example.glow", "Brightens everything.", equivalents: "none", formula: "x + amount/10",
    source: "none", dependency: .curve, tolerance: "T1",
    parameters: [Parameter("amount", \.amount, in: 0...1, identity: 0, "Strength of the glow.")])

  var amount = 0.0

  func upgraded() -> (any Filter)? {
    var glow = Glow()
    glow.amount = amount
    return glow
  }

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.curves(ChannelCurves(ToneCurve([.affine(scale: 1, offset: amount / 10)])))]
  }
}

/// Filters whose names cannot be added.
enum Misnamed<Name: NameOfFilter> {
  struct Filter: PhotoEdit.Filter {
    static var schema: FilterSchema<Self> {
      FilterSchema(
        Name.name, "Nothing.", equivalents: "none", formula: "x", source: "none",
        dependency: Name.dependency, tolerance: "E1", parameters: [])
    }

    func lowered(in context: LoweringContext) -> [FilterOperation] { [] }
  }
}

protocol NameOfFilter: Sendable, Hashable {
  static var name: String { get }
  static var dependency: PixelDependency { get }
}

extension NameOfFilter {
  static var dependency: PixelDependency { .color }
}

enum BuiltInName: NameOfFilter { static let name = "sepia" }
enum ShortName: NameOfFilter { static let name = "example.glow" }
enum EmptyPart: NameOfFilter { static let name = "com..glow" }
enum OddCharacter: NameOfFilter { static let name = "com.example.glow:2" }
enum MovieName: NameOfFilter {
  static let name = "com.example.speed"
  static let dependency = PixelDependency.movie
}
