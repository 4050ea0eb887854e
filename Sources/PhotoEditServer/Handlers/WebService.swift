// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// The state of a server, and the routes that use it.
final class WebService: Sendable {
  let source: any PhotoSource
  let isReadOnly: Bool
  let logins: LoginSessions
  let files: StaticFiles
  let drafts: Drafts
  let edits = EditingSessions()
  let jobs = Jobs()
  /// The suffix of the cookie: its attributes.
  let cookieAttributes: String

  init(
    _ source: any PhotoSource, isReadOnly: Bool, logins: LoginSessions, files: StaticFiles,
    drafts: Drafts, isSecure: Bool = false
  ) {
    (self.source, self.isReadOnly, self.logins) = (source, isReadOnly, logins)
    (self.files, self.drafts) = (files, drafts)
    cookieAttributes = "HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
  }

  /// The routes of the server.
  var router: Router {
    Router(
      pageRoutes + loginRoutes + serviceRoutes + editingRoutes + historyRoutes + jobRoutes,
      isReadOnly: isReadOnly)
  }

  /// Returns the function that responds to requests.
  func responder(
    log: @escaping @Sendable (String) -> Void
  ) -> @Sendable (Request) -> HTTPResponse {
    let router = router
    return { request in
      let start = MonotonicClock.milliseconds
      let (response, route) = router.response(
        to: request, isLoggedIn: self.logins.isLoggedIn(request.head))
      let template = route?.template ?? "-"
      log(
        "\(request.head.method) \(template) \(response.status) "
          + "\(MonotonicClock.milliseconds - start) ms")
      return response
    }
  }

  // MARK: The page

  private var pageRoutes: [Route] {
    [
      Route("GET", "/", access: .open) { [files] request throws(Problem) in
        try files.response("index.html", to: request)
      },
      Route("GET", "/web/{file}", access: .open) { [files] request throws(Problem) in
        try files.response(request["file"], to: request)
      },
    ]
  }

  // MARK: Jobs

  private var jobRoutes: [Route] {
    [
      Route("GET", "/api/jobs/{job}") { [jobs] request throws(Problem) in
        let waits = try request.number("wait", in: 0...1) == 1
        return .json(
          try waits ? jobs.wait(for: request["job"]).json : jobs[request["job"]].json)
      },
      Route("DELETE", "/api/jobs/{job}", writes: true) { [jobs] request throws(Problem) in
        try jobs.cancel(request["job"])
        return .noContent
      },
    ]
  }
}
