// SPDX-License-Identifier: Apache-2.0

/// A version of a filter whose parameters are all parameters of a later version.
///
/// Stored edits of that version are rendered with it.
protocol EarlierVersion: Filter {
  /// The later version.
  associatedtype Newest: Filter
  /// The later version with the parameters of this one.
  var newest: Newest { get set }
}

extension EarlierVersion {
  /// All parameters of the later version.
  static var parametersOfNewest: [Parameter<Self>] {
    Newest.schema.parameters.map { parameter in
      Parameter(
        parameter, read: { parameter.read($0.newest) },
        write: { parameter.write(&$0.newest, $1) })
    }
  }

  func validate() throws(ParameterError) { try newest.validate() }

  func upgraded() -> (any Filter)? { newest }
}

/// Version 1 of a filter whose version 2 is color managed: the same computation on values of any
/// color space as if they were sRGB.
struct NumericVersion<Newest: Filter>: EarlierVersion {
  static var schema: FilterSchema<Self> { FilterSchema(Newest.schema, version: 1) }

  var newest = Newest()

  init() {}

  mutating func complete(given: Set<String>) { newest.complete(given: given) }

  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    var context = context
    context.space = nil
    return try newest.lowered(in: context)
  }
}
