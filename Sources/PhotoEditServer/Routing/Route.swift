// SPDX-License-Identifier: Apache-2.0

/// One operation of the API: a method, a path, its declaration, and the code that responds.
struct Route: Sendable {
  /// The requirement for a request.
  enum Access: Sendable {
    /// Anyone on this machine.
    case open
    /// A browser that has logged in.
    case session
  }

  let method: String
  /// The path with parameters in braces, as in the API description: `/api/assets/{asset}`.
  let template: String
  let summary: String
  let discussion: String?
  let access: Access
  /// Indicates whether a read-only server has no such route.
  let writes: Bool
  /// Indicates whether the body is a file instead of a JSON object.
  let takesFile: Bool
  let fields: [FieldInfo]
  let responses: [RouteResponse]
  let failures: [RouteFailure]
  /// Responds to a request; called on a thread that may block.
  let perform: @Sendable (Request) throws(Problem) -> HTTPResponse
  /// The parts of the template between slashes.
  let parts: [Substring]

  /// Declares a route with fields.
  ///
  /// - Parameters:
  ///   - summary: One sentence.
  ///   - returns: The responses of a request that succeeds.
  ///   - fails: The failures besides those of any request.
  init<Values>(
    _ method: String, _ template: String, _ summary: String, discussion: String? = nil,
    access: Access = .session, writes: Bool = false, takesFile: Bool = false,
    fields: RouteFields<Values>, returns: RouteResponse..., fails: RouteFailure...,
    perform: @escaping @Sendable (RouteRequest<Values>) throws(Problem) -> HTTPResponse
  ) {
    self.init(
      method, template, summary, discussion, access, writes, takesFile, fields.infos,
      returns, fails
    ) { request throws(Problem) in
      try perform(RouteRequest(request: request, declared: fields))
    }
  }

  /// Declares a route without fields.
  init(
    _ method: String, _ template: String, _ summary: String, discussion: String? = nil,
    access: Access = .session, writes: Bool = false, takesFile: Bool = false,
    returns: RouteResponse..., fails: RouteFailure...,
    perform: @escaping @Sendable (Request) throws(Problem) -> HTTPResponse
  ) {
    self.init(
      method, template, summary, discussion, access, writes, takesFile, [], returns, fails
    ) { request throws(Problem) in
      try request.values(of: RouteFields(()))
      return try perform(request)
    }
  }

  private init(
    _ method: String, _ template: String, _ summary: String, _ discussion: String?,
    _ access: Access, _ writes: Bool, _ takesFile: Bool, _ fields: [FieldInfo],
    _ responses: [RouteResponse], _ failures: [RouteFailure],
    _ perform: @escaping @Sendable (Request) throws(Problem) -> HTTPResponse
  ) {
    (self.method, self.template, self.access) = (method, template, access)
    (self.summary, self.discussion) = (summary, discussion)
    (self.writes, self.takesFile, self.fields) = (writes, takesFile, fields)
    (self.responses, self.failures, self.perform) = (responses, failures, perform)
    parts = template.split(separator: "/")
  }

  /// Returns the parameters in a path; nil if it is another path.
  func parameters(in path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      if part.first == "{" {
        parameters[String(part.dropFirst().dropLast())] = text
      } else if part != text {
        return nil
      }
    }
    return parameters
  }
}

/// A request to a route with fields.
struct RouteRequest<Values: Sendable>: Sendable {
  let request: Request
  fileprivate let declared: RouteFields<Values>

  var head: RequestHead { request.head }

  /// The values of the declared fields; read after the parameters of the path, so that a path that
  /// names nothing is reported first.
  var fields: Values { get throws(Problem) { try request.values(of: declared) } }

  /// Returns a parameter of the path.
  subscript(name: String) -> String { request[name] }
}

/// A response of a request that succeeds, as the API description names it.
struct RouteResponse: Sendable {
  let status: Int
  var type: String?
  var schema = Schema.any

  static func json(_ schema: Schema, status: Int = 200) -> Self {
    Self(status: status, type: "application/json", schema: schema)
  }

  static func file(_ type: String, status: Int = 200) -> Self { Self(status: status, type: type) }

  static let job = json(Jobs.Job.schema, status: 202)
  static let done = Self(status: 204)
  static let unchanged = Self(status: 304)

  var summary: String {
    switch status {
    case 201: "It was created."
    case 202: "The job that was started."
    case 204: "Done."
    case 206: "A part of the file."
    case 304: "The client has the current contents."
    default: "The result."
    }
  }
}

/// A failure of a route, as the API description names it.
struct RouteFailure: Sendable {
  let status: Int
  let summary: String

  init(_ kind: Problem.Kind, _ summary: String) {
    (status, self.summary) = (kind.status, summary)
  }

  static let invalid = Self(.badRequest, "The request is invalid.")
  static let notLoggedIn = Self(.unauthorized, "Not logged in.")
  static let refused = Self(.forbiddenOrigin, "Refused.")
  static let otherServer = Self(.forbiddenHost, "The request is for another server.")
  static let missing = Self(.notFound, "Not found.")
  static let conflict = Self.conflict("The state does not allow it.")
  static let expired = Self(.tokenExpired, "The token has expired.")
  static let changed = Self(.staleEdit, "The photo has changed; the problem contains its state.")
  static let tooLarge = Self(.tooLarge, "The file is too large.")
  static let otherType = Self(.unsupportedType, "The type of the body is not supported.")
  static let outside = Self(.rangeNotSatisfiable, "The range is outside of the file.")
  static let invalidGraph = Self.invalidGraph("The graph cannot be rendered.")
  static let unconditional = Self(.preconditionRequired, "The header field If-Match is missing.")
  static let tooManyAttempts = Self(.tooManyAttempts, "Too many wrong codes.")
  static let busy = Self(.busy, "Busy; try again.")
  static let diskFull = Self(.diskFull, "The disk is full.")

  static func conflict(_ summary: String) -> Self { Self(.notEditable, summary) }

  static func invalidGraph(_ summary: String) -> Self { Self(.invalidGraph, summary) }
}
