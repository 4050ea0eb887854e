// SPDX-License-Identifier: Apache-2.0

/// Version 1 of a filter whose version 2 is color managed: the same computation on values of any
/// color space as if they were sRGB.
///
/// Stored edits of that version are rendered with it.
struct NumericVersion<Newest: Filter>: Filter {
  static var schema: FilterSchema<Self> { FilterSchema(Newest.schema, version: 1) }

  private(set) var newest = Newest()

  init() {}

  mutating func complete(given: Set<String>) { newest.complete(given: given) }

  func validate() throws(ParameterError) { try newest.validate() }

  func upgraded() -> (any Filter)? { newest }

  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    var context = context
    context.space = nil
    return try newest.lowered(in: context)
  }

  fileprivate func read(_ parameter: Parameter<Newest>) -> ParameterValue { parameter.read(newest) }

  fileprivate mutating func write(_ value: ParameterValue, to parameter: Parameter<Newest>) -> Bool
  {
    parameter.write(&newest, value)
  }
}

extension FilterSchema {
  /// Creates the declaration of an earlier version with the same parameters.
  fileprivate init<Newest>(
    _ newest: FilterSchema<Newest>, version: Int
  ) where Root == NumericVersion<Newest> {
    self.init(
      newest.name, version: version, newest.summary, aliases: newest.aliases,
      equivalents: newest.equivalents,
      formula: newest.formula, source: newest.source, transferEncoding: newest.transferEncoding,
      dependency: newest.dependency,
      inputs: newest.inputs, tolerance: newest.tolerance,
      parameters: newest.parameters.map { parameter in
        Parameter(parameter, read: { $0.read(parameter) }, write: { $0.write($1, to: parameter) })
      })
  }
}
