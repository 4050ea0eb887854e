// SPDX-License-Identifier: Apache-2.0

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
