// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import Testing

@testable import PhotoEditServer

/// The API description of a server, as a client reads it.
struct DescribedAPI: Sendable {
  let document: JSONValue
  private let routes: [Route]

  init(_ router: Router) throws {
    routes = router.routes
    let request = try #require(TestRequests.request("GET", "/web/openapi.json"))
    let response = router.response(to: request, isLoggedIn: false).response
    guard case .bytes(let bytes) = response.body else { throw Problem(.notFound, "no bytes") }
    document = try JSONValue(parsing: bytes)
  }

  /// The operations: "GET /api/service".
  var operations: [String: JSONValue] {
    var found: [String: JSONValue] = [:]
    for (path, methods) in document["paths"].members {
      for (method, operation) in methods.objectValue ?? [:] {
        found[method.uppercased() + " " + path] = operation
      }
    }
    return found
  }

  /// Returns how a response differs from the description of its route.
  func difference(_ response: HTTPResponse, of route: Route?) -> String? {
    guard let route else { return nil }
    let name = route.method + " " + route.template
    // A request that the server cannot answer for reasons of its own is not part of a route.
    guard let described = operations[name]?["responses"]["\(response.status)"] else {
      return response.status >= 500 ? nil : "\(response.status)"
    }
    let type = response.fields.first { $0.name == "Content-Type" }?.value.prefix { $0 != ";" }
    let schema = described["content"][String(type ?? "")]["schema"]
    guard case .bytes(let bytes) = response.body, let schema,
      let value = try? JSONValue(parsing: bytes, limits: JSONLimits(maximumBytes: 8 << 20))
    else { return nil }
    return difference(value, schema, at: "\(response.status)")
  }

  /// Returns the first place where a value differs from its schema.
  private func difference(_ value: JSONValue, _ schema: JSONValue, at place: String) -> String? {
    if let name = schema["$ref"].text?.split(separator: "/").last {
      let schemas = document["components"]["schemas"]
      return schemas[String(name)].flatMap { difference(value, $0, at: place) }
    }
    if let allowed = schema["enum"]?.arrayValue, !allowed.contains(value) { return place }
    let types = schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []
    guard types.isEmpty || types.contains(where: { Self.isOne(value, of: $0.stringValue) }) else {
      return place
    }
    if case .array(let elements) = value, let items = schema["items"] {
      return elements.lazy.compactMap { difference($0, items, at: place + "[]") }.first
    }
    guard case .object(let members) = value, let known = schema["properties"]?.objectValue else {
      return nil
    }
    for name in schema["required"].elements where members[name.stringValue ?? ""] == nil {
      return "\(place) without \(name)"
    }
    for (name, value) in members {
      guard let schema = known[name] else { return "\(place).\(name)" }
      if let found = difference(value, schema, at: "\(place).\(name)") { return found }
    }
    return nil
  }

  private static func isOne(_ value: JSONValue, of type: String?) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number: type == "number" || type == "integer" && value.integerValue != nil
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

extension JSONValue? {
  /// The member of an object; nil without one.
  subscript(name: String) -> JSONValue? { self?.objectValue?[name] }

  var members: [String: JSONValue] { self?.objectValue ?? [:] }
  var elements: [JSONValue] { self?.arrayValue ?? [] }
  var text: String? { self?.stringValue }
}
