// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension WebService {
  /// Logging in and out.
  var loginRoutes: [Route] {
    [
      Route("POST", "/api/session", access: .open) { request throws(Problem) in
        let members = try request.members(["code"])
        guard let code = try members.text("code") else {
          throw Problem(.badRequest, "code is missing")
        }
        let token = try self.logins.logIn(code: code)
        var response = HTTPResponse.noContent
        response.fields.append(
          ("Set-Cookie", "\(self.logins.cookie)=\(token); \(self.cookieAttributes)"))
        return response
      },
      Route("DELETE", "/api/session") { request throws(Problem) in
        let all = try request.number("all", in: 0...1) == 1
        self.logins.logOut(request.head, all: all)
        self.changes.endStreams(unless: self.logins.isLoggedIn)
        var response = HTTPResponse.noContent
        response.fields.append(
          ("Set-Cookie", "\(self.logins.cookie)=; Max-Age=0; \(self.cookieAttributes)"))
        return response
      },
    ]
  }
}
