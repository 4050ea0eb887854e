// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
  init(json: JSONValue, position: Int) throws(GraphError) {
    let path = "nodes[\(position)]"
    guard case .object(var fields) = json else {
      throw .malformed(key: path, expected: "an object")
    }
    guard case .string(let filter)? = fields.removeValue(forKey: "filter"), !filter.isEmpty else {
      throw .malformed(key: path + ".filter", expected: "the name of a filter")
    }
    let id: String
    switch fields.removeValue(forKey: "id") {
    case nil: id = "n\(position + 1)"
    case .string(FilterGraph.sourceName)?:
      throw .malformed(
        key: path + ".id",
        expected: "a name other than '\(FilterGraph.sourceName)', which is the source image")
    case .string(let text)? where !text.isEmpty: id = text
    case _?: throw .malformed(key: path + ".id", expected: "a name")
    }
    var version = 1
    if let value = fields.removeValue(forKey: "v") {
      guard let whole = value.wholeNumber else {
        throw .malformed(key: path + ".v", expected: "a whole number")
      }
      version = whole
    }
    var parameters: [String: JSONValue] = [:]
    if let value = fields.removeValue(forKey: "params") {
      guard case .object(let object) = value else {
        throw .malformed(key: path + ".params", expected: "an object")
      }
      parameters = object
    }
    self.init(id: id, filter: filter, version: version, parameters: parameters)
    try readOptions(&fields, path: path)
    unknown = fields
  }

  private mutating func readOptions(
    _ fields: inout [String: JSONValue], path: String
  ) throws(GraphError) {
    switch fields.removeValue(forKey: "enabled") {
    case nil: break
    case .bool(let flag)?: isEnabled = flag
    case _?: throw .malformed(key: path + ".enabled", expected: "true or false")
    }
    switch fields.removeValue(forKey: "opacity") {
    case nil: break
    case .number(let value)? where (0...1).contains(value): opacity = value
    case _?: throw .malformed(key: path + ".opacity", expected: "a number from 0 to 1")
    }
    switch fields.removeValue(forKey: "in") {
    case nil: break
    case .array(let items)? where items.count <= 64:
      inputs = []
      for item in items {
        guard case .string(let name) = item else {
          throw .malformed(key: path + ".in", expected: "an array of names")
        }
        inputs?.append(name)
      }
    case _?: throw .malformed(key: path + ".in", expected: "an array of at most 64 names")
    }
    mask = try Self.name(fields.removeValue(forKey: "mask"), key: path + ".mask")
    blend = try Self.name(fields.removeValue(forKey: "blend"), key: path + ".blend")
  }

  private static func name(_ value: JSONValue?, key: String) throws(GraphError) -> String? {
    switch value {
    case nil: return nil
    case .string(let text)?: return text
    case _?: throw .malformed(key: key, expected: "a name")
    }
  }

  package var json: JSONValue {
    var fields = unknown
    fields["id"] = .string(id)
    fields["filter"] = .string(filter)
    fields["v"] = .number(Double(version))
    fields["params"] = .object(parameters)
    if !isEnabled { fields["enabled"] = .bool(false) }
    if opacity != 1 { fields["opacity"] = .number(opacity) }
    if let inputs { fields["in"] = .array(inputs.map { .string($0) }) }
    if let mask { fields["mask"] = .string(mask) }
    if let blend { fields["blend"] = .string(blend) }
    return .object(fields)
  }
}

extension JSONValue {
  /// A parameter's value in command-line notation, for display.
  package var argumentText: String { ParameterValue(self)?.argument ?? prettyPrinted() }

  var wholeNumber: Int? {
    guard case .number(let value) = self else { return nil }
    return Int(exactly: value)
  }
}

extension FilterNode {
  /// The parameters in command-line notation, for display.
  package var parametersText: String {
    var parts = parameters.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=" + value.argumentText
    }
    if let inputs { parts.append("in=" + inputs.joined(separator: ":")) }
    if let mask { parts.append("mask=" + mask) }
    if let blend { parts.append("blend=" + blend) }
    if opacity != 1 { parts.append("opacity=" + jsonNumber(opacity)) }
    if !isEnabled { parts.append("(off)") }
    return parts.joined(separator: " ")
  }
}

extension FilterGraph {
  /// The stored form as a JSON value, for reports.
  package var document: JSONValue { json }
}
