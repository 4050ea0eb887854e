// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Whether this is `null`.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The truth value, or `nil` for any other kind.
  package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number, or `nil` for any other kind.
  package var numberValue: Double? { if case .number(let value) = self { value } else { nil } }

  /// The number as an integer, or `nil` when it has a fraction or is out of range.
  package var integerValue: Int? { numberValue.flatMap(Int.init(exactly:)) }

  /// The text, or `nil` for any other kind.
  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or `nil` for any other kind.
  package var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, or `nil` for any other kind.
  package var objectValue: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of that name, or `nil` when there is none or this is no object.
  package subscript(name: String) -> JSONValue? { objectValue?[name] }

  /// What this is, for messages, with its article: "a number".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: members))
  }
}
