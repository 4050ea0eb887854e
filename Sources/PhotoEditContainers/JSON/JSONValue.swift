// SPDX-License-Identifier: Apache-2.0

/// A JSON value as defined by RFC 8259, with finite numbers and unique names.
///
/// Two values are equal if their canonical bytes are equal. Strings are therefore compared code
/// unit by code unit: a composed and a decomposed "é" differ, although Swift's `String` treats them
/// as equal.
package enum JSONValue: Sendable, Hashable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number; must be finite to be written.
  case number(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name, unordered.
  case object([String: JSONValue])

  /// Creates a number rounded to nine significant digits.
  ///
  /// Filter graphs store reals this way so that the noise of sliders and of float arithmetic does
  /// not change the identifier of an edit.
  package static func real(_ value: Double) -> JSONValue {
    .number(value.rounded(significantDigits: 9))
  }

  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): haveSameCodeUnits(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          guard let index = right.index(forKey: name) else { return false }
          return haveSameCodeUnits(name, right[index].key) && value == right[index].value
        }
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }

  private static func haveSameCodeUnits(_ left: String, _ right: String) -> Bool {
    // Canonical equivalence is the fast comparison; it can only give false positives.
    left == right && left.utf8.elementsEqual(right.utf8)
  }

  /// Indicates whether this is `null`.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The boolean value, or `nil` for any other kind.
  package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number, or `nil` for any other kind.
  package var numberValue: Double? { if case .number(let value) = self { value } else { nil } }

  /// The number as an integer, or `nil` if it has a fraction or is out of range.
  package var integerValue: Int? { numberValue.flatMap(Int.init(exactly:)) }

  /// The text, or `nil` for any other kind.
  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or `nil` for any other kind.
  package var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, or `nil` for any other kind.
  package var objectValue: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member with that name, or `nil` if it is absent or this is not an object.
  package subscript(name: String) -> JSONValue? { objectValue?[name] }

  /// The kind of this value, for messages, with its article: "a number".
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

  /// Returns a list of texts.
  package static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  /// Returns a text, or null.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Returns a whole number.
  package static func whole(_ number: Int) -> JSONValue { .number(Double(number)) }
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
