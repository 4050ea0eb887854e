// SPDX-License-Identifier: Apache-2.0

/// One operation of the API: a method, a path, and the code that responds.
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
  let access: Access
  /// Indicates whether a read-only server has no such route.
  let writes: Bool
  /// Responds to a request; called on a thread that may block.
  let perform: @Sendable (Request) throws(Problem) -> HTTPResponse
  /// The parts of the template between slashes.
  let parts: [Substring]

  init(
    _ method: String, _ template: String, access: Access = .session, writes: Bool = false,
    _ perform: @escaping @Sendable (Request) throws(Problem) -> HTTPResponse
  ) {
    (self.method, self.template, self.access) = (method, template, access)
    (self.writes, self.perform) = (writes, perform)
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

/// The routes of a server.
struct Router: Sendable {
  let routes: [Route]

  /// Creates a router; a read-only server has no route that writes.
  init(_ routes: [Route], isReadOnly: Bool = false) {
    self.routes = isReadOnly ? routes.filter { !$0.writes } : routes
  }

  /// Responds to a request.
  ///
  /// - Parameter isLoggedIn: Whether the client has a session.
  func response(to request: Request, isLoggedIn: Bool) -> (response: HTTPResponse, route: Route?) {
    let found: (route: Route, parameters: [String: String])
    do throws(Problem) {
      found = try route(for: request)
    } catch {
      // Without a session, a client learns nothing about routes.
      return ((isLoggedIn ? error : Problem.notLoggedIn).response, nil)
    }
    guard isLoggedIn || found.route.access == .open else {
      return (Problem.notLoggedIn.response, found.route)
    }
    do throws(Problem) {
      var request = request
      request.parameters = found.parameters
      return (try found.route.perform(request), found.route)
    } catch {
      return (error.response, found.route)
    }
  }

  private func route(for request: Request) throws(Problem) -> (Route, [String: String]) {
    let method = request.head.method == "HEAD" ? "GET" : request.head.method
    var isKnown = false
    // The page's files have folders, so that their route takes any number of parts.
    var path = request.target.path
    if path.first == "web", path.count > 2 {
      path = ["web", path.dropFirst().joined(separator: "/")]
    }
    for route in routes {
      guard let parameters = route.parameters(in: path) else { continue }
      if route.method == method { return (route, parameters) }
      isKnown = true
    }
    throw isKnown
      ? Problem(.methodNotAllowed, "the path does not support \(request.head.method)")
      : Problem(.notFound, "there is no such path")
  }
}
