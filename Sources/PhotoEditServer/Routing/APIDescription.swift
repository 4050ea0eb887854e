// SPDX-License-Identifier: Apache-2.0

/// The description of the API in OpenAPI 3.1, written from the declarations of its routes.
struct APIDescription {
  let json: JSONValue

  init(_ routes: [Route]) {
    let paths = Dictionary(grouping: routes, by: \.template).mapValues { routes in
      JSONValue.object(
        Dictionary(uniqueKeysWithValues: routes.map { ($0.method.lowercased(), $0.operation) }))
    }
    json = [
      "openapi": "3.1.0",
      "info": [
        "title": "photoedit serve", "version": "1",
        "description": .string(
          "The HTTP interface of `photoedit serve`. Unknown members of requests are errors; unknown "
            + "members of responses must be ignored. Responses are not stored (`Cache-Control: "
            + "no-store`), except the files of the page and the schemas of the filters. A path may "
            + "begin with the one that a login names: `/s/KEY/api/service` is `/api/service` for "
            + "the cookie of that login."),
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "paths": .object(paths),
      "components": [
        "securitySchemes": ["session": ["type": "apiKey", "in": "cookie", "name": "photoedit"]],
        "schemas": ["Problem": .object(Problem.schema.json)],
      ],
    ]
  }
}

extension Problem {
  static let schema = Schema(members: [
    ("type", .text), ("title", .text), ("status", .integer), ("detail", .text),
    ("code", .integer), ("position", .integer.optional), ("state", .object.optional),
    ("term", .text.optional), ("allowed", .texts.optional),
  ]).described("RFC 9457. `code` is the exit code that the command line would have had.")
}

extension Route {
  fileprivate var operation: JSONValue {
    var members: [String: JSONValue] = [
      "summary": .string(summary), "operationId": .string(identifier),
      "responses": .object(
        Dictionary(
          failureResponses + responses.map { ("\($0.status)", $0.json) }
        ) { $1 }),
      "security": access == .open ? [] : [["session": []]],
    ]
    if let discussion { members["description"] = .string(discussion) }
    let parameters = parameters
    if !parameters.isEmpty { members["parameters"] = .array(parameters) }
    members["requestBody"] = requestBody
    return .object(members)
  }

  /// The method and the words of the path: `postApiAssetsAssetEditing`.
  private var identifier: String {
    template.split { !$0.isLetter }.reduce(into: method.lowercased()) { text, word in
      text += word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  private var isSafe: Bool { Gate.safeMethods.contains(method) }

  private var parameters: [JSONValue] {
    func parameter(
      _ name: some StringProtocol, in place: String, isRequired: Bool = true,
      _ schema: Schema = .text
    ) -> JSONValue {
      var schema = schema.json
      var members: [String: JSONValue] = ["name": .string(String(name)), "in": .string(place)]
      members["description"] = schema.removeValue(forKey: "description")
      members["schema"] = .object(schema)
      if isRequired { members["required"] = true }
      return .object(members)
    }
    let path = parts.filter { $0.first == "{" }.map { part in
      parameter(part.dropFirst().dropLast(), in: "path")
    }
    let declared = fields.filter { $0.place != .body }.map { field in
      parameter(
        field.name, in: field.place.rawValue, isRequired: !field.schema.isOptional, field.schema)
    }
    return path + declared
      + (isSafe ? [] : [parameter("X-Photoedit", in: "header", Schema(["const": "1"]))])
  }

  private var requestBody: JSONValue? {
    if takesFile {
      return ["required": true, "content": ["application/octet-stream": [:]]]
    }
    let members = fields.filter { $0.place == .body }
    guard !members.isEmpty else { return nil }
    var schema = Schema(members: members.map { ($0.name, $0.schema) })
    schema.json["additionalProperties"] = false
    return [
      "required": .bool(schema.json["required"] != nil),
      "content": ["application/json": ["schema": .object(schema.json)]],
    ]
  }

  /// The failures of any request, and those that are declared.
  private var failureResponses: [(String, JSONValue)] {
    var all: [RouteFailure] = [.invalid, .refused, .otherServer]
    if access == .session { all.append(.notLoggedIn) }
    if fields.contains(where: { $0.place == .header }) { all += [.changed, .unconditional] }
    return (all + failures).map { failure in
      let problem: JSONValue = ["schema": ["$ref": "#/components/schemas/Problem"]]
      return (
        "\(failure.status)",
        [
          "description": .string(failure.summary),
          "content": ["application/problem+json": problem],
        ]
      )
    }
  }
}

extension RouteResponse {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["description": .string(summary)]
    if let type {
      let content: JSONValue = schema.json.isEmpty ? [:] : ["schema": .object(schema.json)]
      members["content"] = .object([type: content])
    }
    return .object(members)
  }
}
