// SPDX-License-Identifier: Apache-2.0

/// A failure of a request, as a client receives it (RFC 9457).
struct Problem: Error, Sendable {
  /// The kinds of failures; the raw value is the end of the type's URN.
  enum Kind: String, Sendable, CaseIterable {
    case badRequest = "bad-request"
    case unauthorized
    case forbiddenOrigin = "forbidden-origin"
    case forbiddenHost = "forbidden-host"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case lengthRequired = "length-required"
    case unsupportedType = "unsupported-type"
    case tooManyAttempts = "too-many-attempts"
    case headTooLarge = "head-too-large"
    case targetTooLong = "target-too-long"
    case tooLarge = "too-large"
    case staleEdit = "stale-edit"
    case staleView = "stale-view"
    case preconditionRequired = "precondition-required"
    case superseded
    case notEditable = "not-editable"
    case invalidGraph = "invalid-graph"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case busy
    case readOnly = "read-only"
    case tokenExpired = "token-expired"
    case diskFull = "disk-full"
    case internalError = "internal"
  }

  let kind: Kind
  let detail: String
  var code: ExitCode
  /// Members in addition to those of every problem.
  var members: [String: JSONValue]

  init(
    _ kind: Kind, _ detail: String, code: ExitCode? = nil, members: [String: JSONValue] = [:]
  ) {
    self.kind = kind
    self.detail = detail
    self.code = code ?? kind.facts.code
    self.members = members
  }

  var status: Int { kind.status }

  var json: JSONValue {
    .object(
      members.merging([
        "type": .string("urn:photoedit:" + kind.rawValue), "title": .string(kind.facts.title),
        "status": .number(Double(status)), "detail": .string(detail),
        "code": .number(Double(code.rawValue)),
      ]) { $1 })
  }

  var response: HTTPResponse {
    var response = HTTPResponse.json(json, status: status, type: "application/problem+json")
    if kind == .busy { response.fields.append(("Retry-After", "1")) }
    return response
  }

  /// The problem of a client that has not logged in.
  static let notLoggedIn = Problem(
    .unauthorized, "open the link that 'photoedit serve' printed, or 'photoedit serve --link'")
}

extension Problem.Kind {
  var status: Int { facts.status }

  fileprivate var facts: (status: Int, title: String, code: ExitCode) {
    switch self {
    case .badRequest: (400, "The request is invalid", .usage)
    case .unauthorized: (401, "Not logged in", .noPermission)
    case .forbiddenOrigin: (403, "The request comes from another page", .noPermission)
    case .forbiddenHost: (421, "The request is for another server", .noPermission)
    case .notFound: (404, "Not found", .inputMissing)
    case .methodNotAllowed: (405, "The method is not allowed", .usage)
    case .lengthRequired: (411, "The length is required", .usage)
    case .unsupportedType: (415, "The type is not supported", .usage)
    case .tooManyAttempts: (429, "Too many attempts", .noPermission)
    case .headTooLarge: (431, "The header fields are too large", .usage)
    case .targetTooLong: (414, "The address is too long", .usage)
    case .tooLarge: (413, "The body is too large", .badData)
    case .staleEdit: (412, "The photo has changed", .busy)
    case .staleView: (409, "The list has changed", .busy)
    case .preconditionRequired: (428, "The revision is required", .usage)
    case .superseded: (409, "A later request replaced this one", .interrupted)
    case .notEditable: (409, "The photo cannot be edited", .badData)
    case .invalidGraph: (422, "The edit cannot be rendered", .badData)
    case .rangeNotSatisfiable: (416, "The range is outside of the file", .usage)
    case .busy: (503, "The server is busy", .busy)
    case .readOnly: (403, "The server is read-only", .noPermission)
    case .tokenExpired: (410, "The token has expired", .badData)
    case .diskFull: (507, "The disk is full", .inputOutput)
    case .internalError: (500, "Internal error", .internalFault)
    }
  }
}
