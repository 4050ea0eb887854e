// SPDX-License-Identifier: Apache-2.0

/// A request that a route responds to.
struct Request: Sendable {
  let head: RequestHead
  let target: RequestTarget
  /// The values of the parameters in the path.
  var parameters: [String: String] = [:]
  var body: [UInt8] = []
  /// The file that is the body, instead of bytes.
  var upload: Upload?

  /// Returns a parameter of the path.
  subscript(name: String) -> String { parameters[name] ?? "" }

  /// The limits of a body: those of a graph, and what surrounds it.
  private static let limits = JSONLimits(
    maximumBytes: Gate.maximumBodyBytes, maximumDepth: 64, maximumStringBytes: 2 << 20)

  /// Returns the members of the body's object.
  ///
  /// - Parameters:
  ///   - allowed: The members that the route knows; others are refused.
  ///   - isOptional: Whether the body may be empty.
  func members(_ allowed: [String], isOptional: Bool = false) throws(Problem) -> [String: JSONValue]
  {
    if isOptional, body.isEmpty { return [:] }
    let value = try translating(
      { Problem(.badRequest, "\($0 as JSONError)") }, JSONValue(parsing: body, limits: Self.limits))
    guard case .object(let members) = value else {
      throw Problem(.badRequest, "the body is not a JSON object")
    }
    if let unknown = members.keys.sorted().first(where: { !allowed.contains($0) }) {
      throw Problem(
        .badRequest,
        "unknown member '\(unknown)' (allowed: \(allowed.joined(separator: ", ")))")
    }
    return members
  }

  /// The revision in the If-Match field.
  ///
  /// - Throws: `preconditionRequired` without the field.
  var expectedRevision: String {
    get throws(Problem) {
      guard let field = head["if-match"] else {
        throw Problem(.preconditionRequired, "the header field if-match is missing")
      }
      guard field.utf8.count >= 2, field.hasPrefix("\""), field.hasSuffix("\""),
        !field.dropFirst().dropLast().contains("\"")
      else { throw Problem(.badRequest, "the header field if-match is not one quoted revision") }
      return String(field.dropFirst().dropLast())
    }
  }

  /// Returns a whole number of the query; nil if it is absent.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = target.query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Problem(
        .badRequest,
        "the parameter \(name) is out of range (allowed: \(range.lowerBound)…\(range.upperBound))")
    }
    return number
  }
}

extension [String: JSONValue] {
  /// Returns a whole number; nil if it is absent.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = value.integerValue, range.contains(number) else {
      throw Problem(
        .badRequest,
        "\(name) is not a number in range (allowed: \(range.lowerBound)…\(range.upperBound))")
    }
    return number
  }

  /// Returns text; nil if it is absent.
  func text(_ name: String, maximum: Int = 4096) throws(Problem) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue, text.utf8.count <= maximum else {
      throw Problem(.badRequest, "\(name) is not a string of at most \(maximum) bytes")
    }
    return text
  }

  /// Returns a flag, or a default value if it is absent.
  func flag(_ name: String, default value: Bool = false) throws(Problem) -> Bool {
    switch self[name] {
    case nil: return value
    case .bool(let flag)?: return flag
    case _?: throw Problem(.badRequest, "\(name) is not true or false")
    }
  }

  /// Returns a list of strings; nil if it is absent.
  func texts(_ name: String, maximum: Int = 100_000) throws(Problem) -> [String]? {
    guard let value = self[name] else { return nil }
    guard case .array(let values) = value, values.count <= maximum else {
      throw Problem(.badRequest, "\(name) is not a list of at most \(maximum) strings")
    }
    var texts: [String] = []
    for value in values {
      guard let text = value.stringValue else {
        throw Problem(.badRequest, "\(name) contains a value that is not a string")
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns the graph under a name.
  func graph(_ name: String = "graph") throws(Problem) -> FilterGraph {
    guard let value = self[name] else { throw Problem(.badRequest, "\(name) is missing") }
    do {
      return try FilterGraph(json: value.canonicalBytes())
    } catch let error as GraphError {
      throw Problem(.invalidGraph, "\(error)")
    } catch {
      throw Problem(.invalidGraph, "the graph exceeds its limits: \(error)")
    }
  }
}
