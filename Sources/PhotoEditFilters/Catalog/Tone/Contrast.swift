// SPDX-License-Identifier: Apache-2.0
public struct Contrast: Filter {
  public static let schema = FilterSchema<Self>(
    "contrast", "Increases or decreases contrast around a pivot.",
    equivalents: "CSS contrast(); Core Image CIColorControls; ImageMagick -brightness-contrast",
    formula: "(x − pivot)·amount + pivot; linear: pivot·(x/pivot)^amount",
    source: """
      Filter Effects Module 1, contrast(): (x − pivot)·amount + pivot, encoded; linear light: \
      pivot·(x / pivot)^amount as OpenColorIO defines it
      """,
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: 0...4, ui: 0.5...2, identity: 1,
        "Contrast factor: slope at the pivot."),
      Parameter(
        "pivot", \.pivot, unit: .fraction, in: 0...1,
        "Value that stays unchanged (default with linear light: 0.18)."),
      Parameter("light", \.light, "Transfer encoding to compute in: gamma-encoded or linear."),
    ])

  public var amount = 1.0
  public var pivot = 0.5
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public mutating func complete(given: Set<String>) {
    if light == .linear && !given.contains("pivot") { pivot = 0.18 }
  }

  public func validate() throws(ParameterError) {
    guard light == .encoded || pivot >= 0.001 else {
      throw conflict("with light=linear, pivot must be 0.001–1")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    switch light {
    case .encoded:
      return [.curves(.init(.init([.affine(scale: amount, offset: pivot - pivot * amount)])))]
    case .linear:
      let steps: [ToneCurve.Step] = [
        .affine(scale: 1 / pivot, offset: 0), .power(amount), .affine(scale: pivot, offset: 0),
      ]
      return [.curves(.init(.init(steps)))].inEncoding(.linear)
    }
  }
}
