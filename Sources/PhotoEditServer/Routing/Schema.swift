// SPDX-License-Identifier: Apache-2.0

/// The JSON schema of a value, as the API description contains it.
///
/// A dictionary literal is the schema of an object with these members.
struct Schema: Sendable {
  var json: [String: JSONValue]
  /// Indicates whether an object may lack this member.
  var isOptional = false

  init(_ json: [String: JSONValue] = [:]) { self.json = json }

  static let any = Schema()
  static let text = Schema(["type": "string"])
  static let integer = Schema(["type": "integer"])
  static let number = Schema(["type": "number"])
  static let flag = Schema(["type": "boolean"])
  static let object = Schema(["type": "object"])
  static let texts = list(of: text)
  static let graph = object.described("A filter graph, as a preset contains it.")

  static func list(of element: Schema) -> Schema {
    Schema(["type": "array", "items": .object(element.json)])
  }

  static func choice(_ values: [String]) -> Schema { Schema(["enum": .texts(values)]) }

  var optional: Schema {
    var schema = self
    schema.isOptional = true
    return schema
  }

  /// The schema of the value or null.
  var orNull: Schema {
    var schema = self
    if let type = json["type"] { schema.json["type"] = [type, "null"] }
    if let values = json["enum"]?.arrayValue { schema.json["enum"] = .array(values + [.null]) }
    return schema
  }

  func described(_ text: String?) -> Schema {
    var schema = self
    if let text { schema.json["description"] = .string(text) }
    return schema
  }
}

extension Schema: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral members: (String, Schema)...) { self.init(members: members) }

  /// Creates the schema of an object; of members with the same name, the last one is used.
  init(members: [(String, Schema)]) {
    self = .object
    let members = Dictionary(members) { $1 }
    let required = members.filter { !$0.value.isOptional }.keys.sorted()
    if !required.isEmpty { json["required"] = .texts(required) }
    json["properties"] = .object(members.mapValues { .object($0.json) })
  }
}
