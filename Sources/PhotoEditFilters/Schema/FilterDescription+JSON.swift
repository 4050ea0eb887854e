// SPDX-License-Identifier: Apache-2.0

extension FilterDescription {
  /// Returns all information about the filter for scripts.
  package func json(group: String?) -> JSONValue {
    [
      "name": .string(name), "version": .whole(version), "summary": .string(summary),
      "group": group.map { .string($0) } ?? .null,
      "aliases": .texts(aliases), "peers": .string(equivalents),
      "formula": .string(formula), "source": .string(source), "inputs": .string(inputs.rawValue),
      "takes": .string(inputs.summary), "light": .string(transferEncoding.rawValue),
      "family": .string(dependency.rawValue), "reach": .string(dependency.summary),
      "edges": dependency.edgeRule.map { .string($0) } ?? .null,
      "tolerance": .string(tolerance), "parameters": .array(parameters.map(\.json)),
    ]
  }
}

extension FilterDescription.Entry {
  fileprivate var json: JSONValue {
    var fields: [String: JSONValue] = [
      "name": .string(name), "type": .string(type.name), "unit": .string(unit.rawValue),
      "summary": .string(summary), "default": `default`.json, "neutral": identity?.json ?? .null,
      "argument": argument.json, "argumentText": .string(argument.argument),
      "defaultText": .string(`default`.argument),
      "neutralText": identity.map { .string($0.argument) } ?? .null,
      "allowed": .string(type.allowed(unit: unit)),
    ]
    switch type {
    case .number(let range, let ui):
      fields["range"] = Self.json(range)
      fields["usefulRange"] = Self.json(ui)
    case .integer(let range):
      fields["range"] = [.whole(range.lowerBound), .whole(range.upperBound)]
    case .choice(let choices): fields["choices"] = .texts(choices)
    case .flag: break
    case .vector(let count, let range):
      fields["count"] = .whole(count)
      fields["range"] = Self.json(range)
    case .points(let count):
      fields["pointCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
    case .numbers(let counts, let range):
      fields["counts"] = .array(counts.map { .whole($0) })
      fields["range"] = Self.json(range)
    case .color: break
    case .stops(let count):
      fields["stopCount"] = [.whole(count.lowerBound), .whole(count.upperBound)]
    case .asset(let kind): fields["kind"] = .string(kind.rawValue)
    }
    return .object(fields)
  }

  private static func json(_ range: ClosedRange<Double>) -> JSONValue {
    [.number(range.lowerBound), .number(range.upperBound)]
  }
}
