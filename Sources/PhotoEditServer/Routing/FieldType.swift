// SPDX-License-Identifier: Apache-2.0

/// A kind of values in requests: its schema, and how a value is read.
struct FieldType<Value>: Sendable {
  let schema: Schema
  let read: @Sendable (JSONValue, _ name: String) throws(Problem) -> Value
  /// Returns a default value for the API description; nil if it is not shown.
  let write: @Sendable (Value) -> JSONValue?

  init(
    _ schema: Schema,
    write: @escaping @Sendable (Value) -> JSONValue? = { _ in nil },
    read: @escaping @Sendable (JSONValue, _ name: String) throws(Problem) -> Value
  ) {
    (self.schema, self.read, self.write) = (schema, read, write)
  }

  /// Returns the type of values that may be null.
  static func orNull<Wrapped>(_ type: FieldType<Wrapped>) -> Self where Value == Wrapped? {
    Self(type.schema.orNull) { (value, name) throws(Problem) in
      value.isNull ? nil : try type.read(value, name)
    }
  }
}

extension FieldType<String> {
  static var text: Self { text(maximum: 4096) }

  static func text(maximum: Int) -> Self {
    Self(.text) { (value, name) throws(Problem) in
      guard let text = value.stringValue, text.utf8.count <= maximum else {
        throw Problem(.badRequest, "\(name) is not a string of at most \(maximum) bytes")
      }
      return text
    }
  }

  /// Text that is not empty.
  static var title: Self {
    Self(.text) { (value, name) throws(Problem) in
      let title = try text.read(value, name)
      guard !title.isEmpty else { throw .missing(name) }
      return title
    }
  }

  /// The revision in the If-Match field, without its quotes.
  static var revision: Self {
    Self(.text) { (value, name) throws(Problem) in
      let field = value.stringValue ?? ""
      guard field.utf8.count >= 2, field.hasPrefix("\""), field.hasSuffix("\""),
        !field.dropFirst().dropLast().contains("\"")
      else {
        throw Problem(
          .badRequest, "the header field \(name.lowercased()) is not one quoted revision")
      }
      return String(field.dropFirst().dropLast())
    }
  }
}

extension FieldType<Int> {
  static func integer(in range: ClosedRange<Int>) -> Self {
    var schema = Schema.integer
    schema.json["minimum"] = .whole(range.lowerBound)
    schema.json["maximum"] = .whole(range.upperBound)
    return Self(schema, write: { .whole($0) }) { (value, name) throws(Problem) in
      guard let number = value.integerValue, range.contains(number) else {
        throw Problem(
          .badRequest,
          "\(name) is not a number in range (allowed: \(range.lowerBound)…\(range.upperBound))")
      }
      return number
    }
  }
}

extension FieldType<Bool> {
  static var flag: Self {
    Self(.flag, write: { .bool($0) }) { (value, name) throws(Problem) in
      guard let flag = value.boolValue else {
        throw Problem(.badRequest, "\(name) is not true or false")
      }
      return flag
    }
  }
}

extension FieldType<[String]> {
  /// A list of strings.
  static var texts: Self {
    let maximum = 100_000
    return Self(.texts) { (value, name) throws(Problem) in
      guard let values = value.arrayValue, values.count <= maximum else {
        throw Problem(.badRequest, "\(name) is not a list of at most \(maximum) strings")
      }
      let texts = values.compactMap(\.stringValue)
      guard texts.count == values.count else {
        throw Problem(.badRequest, "\(name) contains a value that is not a string")
      }
      return texts
    }
  }

  /// A list of at least one string.
  static var someTexts: Self {
    Self(.texts) { (value, name) throws(Problem) in
      let texts = try texts.read(value, name)
      guard !texts.isEmpty else { throw .missing(name) }
      return texts
    }
  }
}

extension FieldType<FilterGraph> {
  static var graph: Self {
    Self(.graph) { (value, _) throws(Problem) in try FilterGraph(member: value) }
  }
}

extension FilterGraph {
  /// Creates a graph from its JSON.
  init(member value: JSONValue) throws(Problem) {
    do {
      // A stored graph has stricter limits than a request.
      _ = try value.canonicalBytes()
      try self.init(document: value)
    } catch let error as GraphError {
      throw Problem(error)
    } catch {
      throw Problem(.invalidGraph, "the graph exceeds its limits: \(error)")
    }
  }
}

extension FieldType where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// One of the names of an enumeration.
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    let quoted = names.map { "'\($0)'" }
    let allowed = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    return Self(.choice(names), write: { .string($0.rawValue) }) { (value, name) throws(Problem) in
      guard let choice = value.stringValue.flatMap(Value.init) else {
        throw Problem(.badRequest, "\(name) must be \(allowed)")
      }
      return choice
    }
  }
}
