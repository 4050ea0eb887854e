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
