// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
  init(json: JSONValue, position: Int, catalog: FilterCatalog) throws(GraphError) {
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
    let version = try fields.take(
      "v", \.integerValue, GraphError.malformed(key: path + ".v", expected: "a whole number"))
    let parameters = try fields.take(
      "params", \.objectValue, GraphError.malformed(key: path + ".params", expected: "an object"))
    self.init(
      id: id,
      content: NodeContent(
        filter, version ?? 1, parameters ?? [:], of: catalog.type(named: filter)))
    let isEnabled = try fields.take(
      "enabled", \.boolValue,
      GraphError.malformed(key: path + ".enabled", expected: "true or false"))
    let opacity = try fields.take(
      "opacity", { $0.numberValue.flatMap { (0...1).contains($0) ? $0 : nil } },
      GraphError.malformed(key: path + ".opacity", expected: "a number from 0 to 1"))
    let items = try fields.take(
      "in", { $0.arrayValue.flatMap { $0.count <= 64 ? $0 : nil } },
      GraphError.malformed(key: path + ".in", expected: "an array of at most 64 names"))
    (self.isEnabled, self.opacity) = (isEnabled ?? true, opacity ?? 1)
    inputs = try items?.map { (item) throws(GraphError) in
      if let name = item.stringValue { return name }
      throw .malformed(key: path + ".in", expected: "an array of names")
    }
    mask = try fields.take(
      "mask", \.stringValue, GraphError.malformed(key: path + ".mask", expected: "a name"))
    blend = try fields.take(
      "blend", \.stringValue, GraphError.malformed(key: path + ".blend", expected: "a name"))
    unknown = fields
  }

  package var json: JSONValue {
    var fields = unknown
    fields["id"] = .string(id)
    fields["filter"] = .string(filter)
    fields["v"] = .number(Double(version))
    fields["params"] = .object(content.parameters)
    if !isEnabled { fields["enabled"] = .bool(false) }
    if opacity != 1 { fields["opacity"] = .number(opacity) }
    if let inputs { fields["in"] = .array(inputs.map { .string($0) }) }
    if let mask { fields["mask"] = .string(mask) }
    if let blend { fields["blend"] = .string(blend) }
    return .object(fields)
  }

  /// The parameters in command-line notation, for display.
  package var parametersText: String {
    var parts = content.parameters.sorted { $0.key < $1.key }.map { name, value in
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

extension JSONValue {
  /// A parameter's value in command-line notation, for display; strokes are only counted.
  package var argumentText: String {
    switch ParameterValue(self) {
    case .strokes(let strokes)?:
      "(\(strokes.count) \(strokes.count == 1 ? "stroke" : "strokes"))"
    case let value?: value.argument
    case nil: prettyPrinted()
    }
  }
}

extension [String: JSONValue] {
  /// Removes a value and returns it in another form; nil if it is absent.
  mutating func take<Read>(
    _ key: String, _ form: (JSONValue) -> Read?, _ error: @autoclosure () -> GraphError
  ) throws(GraphError) -> Read? {
    guard let value = removeValue(forKey: key) else { return nil }
    if let result = form(value) { return result }
    throw error()
  }
}

extension FilterGraph {
  /// The stored form as a JSON value, for reports.
  package var document: JSONValue { json }
}
