// SPDX-License-Identifier: Apache-2.0

extension FilterCatalog {
  /// Reads a filter in command-line notation: `name` or `name:key=value,key=value`.
  ///
  /// A filter given by name alone uses its default arguments. A filter that would change nothing is
  /// rejected as a likely error.
  ///
  /// - Throws: `ParameterError` with the argument and the allowed values.
  public static func filter(argument: String) throws(ParameterError) -> any Filter {
    let (name, pairs) = try split(argument)
    return try make(filter(named: name), pairs: pairs)
  }

  private static func split(
    _ argument: String
  ) throws(ParameterError) -> (name: String, pairs: [(key: String, value: String)]) {
    guard let colon = argument.firstIndex(of: ":") else {
      if argument.isEmpty || argument.contains("=") { throw .malformed(argument: argument) }
      return (argument, [])
    }
    var pairs: [(String, String)] = []
    for part in argument[argument.index(after: colon)...].split(separator: ",") {
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
        throw .malformed(argument: argument)
      }
      let key = String(part[..<equals])
      guard !pairs.contains(where: { $0.0 == key }) else { throw .repeated(name: key, argument) }
      pairs.append((key, String(part[part.index(after: equals)...])))
    }
    return (String(argument[..<colon]), pairs)
  }

  private static func make<F: Filter>(
    _ type: F.Type, pairs: [(key: String, value: String)]
  ) throws(ParameterError) -> any Filter {
    var filter = F()
    let given = Set(pairs.map(\.key))
    for parameter in F.schema.parameters where !given.contains(parameter.name) {
      if let value = parameter.argument { try filter.set(parameter.name, to: value) }
    }
    for (key, value) in pairs { try filter.set(key, argument: value) }
    filter.complete(given: given)
    try filter.check()
    if given.isEmpty && filter.isIdentity {
      throw .missingValue(filter: F.schema.name, example: example(F.self))
    }
    return filter
  }

  /// Returns the first parameter with a value that the filter accepts alongside its defaults.
  private static func example<F: Filter>(_ type: F.Type) -> String {
    for parameter in F.schema.parameters {
      guard parameter.identity != nil, let value = exampleValue(of: parameter.type) else {
        continue
      }
      let pair = (key: parameter.name, value: value)
      if (try? make(type, pairs: [pair])) != nil {
        return "\(F.schema.name):\(pair.key)=\(pair.value)"
      }
    }
    return "\(F.schema.name):…"
  }

  private static func exampleValue(of type: ParameterType) -> String? {
    switch type {
    case .number(_, let ui): jsonNumber((ui.upperBound / 2).rounded(significantDigits: 2))
    case .integer(let range): "\(min(range.upperBound, 640))"
    case .points: "0:0/0.5:0.6/1:1"
    case .vector(let count, let range):
      (0..<count).map { jsonNumber($0 == 0 ? min(range.upperBound, 0.5) : 0) }
        .joined(separator: ":")
    case .choice, .flag, .numbers, .color, .stops, .asset: nil
    }
  }
}

extension Filter {
  /// Indicates whether every parameter with an identity value is set to that value.
  ///
  /// A filter without any such parameter always has an effect.
  package var isIdentity: Bool {
    let knobs = Self.schema.parameters.filter { $0.identity != nil }
    return !knobs.isEmpty && knobs.allSatisfy { $0.read(self) == $0.identity }
  }
}
