// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// The properties of the server, and the schemas of the filters.
  var serviceRoutes: [Route] {
    let (filters, digest) = Self.filters
    return [
      Route(
        "GET", "/api/service", "Return the version, the mode and the limits of the server.",
        returns: .json([
          "version": .text, "mode": .text, "name": .text, "readOnly": .flag,
          "asset": .text.orNull, "token": .text, "roots": ["import": .texts, "export": .texts],
          "limits": [
            "uploadBytes": .integer, "bodyBytes": .integer, "previewSide": .integer,
            "sessions": .integer,
          ],
        ])
      ) { _ throws(Problem) in
        .json([
          "version": .string(WebServer.version), "mode": .string(self.source.mode),
          "name": .string(self.source.name), "readOnly": .bool(self.isReadOnly),
          "asset": .text(self.source.onlyAsset), "token": .string(self.changes.token),
          "roots": [
            "import": .texts(self.roots.imports.map(\.name)),
            "export": .texts(self.roots.exports.map(\.name)),
          ],
          "limits": [
            "uploadBytes": .whole(Uploads.maximumBytes),
            "bodyBytes": .whole(Gate.maximumBodyBytes),
            "previewSide": .whole(HeldEdit.maximumSide),
            "sessions": .whole(EditingSessions.maximumCount),
          ],
        ])
      },
      Route(
        "GET", "/api/filters", "Return the schemas of all filters, as `photoedit filters --json`.",
        returns: .json(["schemaVersion": .integer, "filters": .list(of: .object)]), .unchanged
      ) { request throws(Problem) in
        let fields = [("ETag", "\"\(digest)\""), ("Cache-Control", "private, no-cache")]
        if request.head["if-none-match"] == "\"\(digest)\"" {
          return HTTPResponse(status: 304, fields: fields)
        }
        return HTTPResponse(
          status: 200, fields: fields + [("Content-Type", "application/json; charset=utf-8")],
          body: .bytes(filters))
      },
    ]
  }

  /// The JSON of `photoedit filters --json`, and its digest.
  private static var filters: (json: [UInt8], digest: String) {
    let listed = FilterCatalog.all + FilterCatalog.movieOperations
    let value: JSONValue = .object([
      "schemaVersion": .whole(1),
      "filters": .array(
        listed.map { $0.description.json(group: FilterCatalog.group(of: $0)) }),
    ])
    return (HTTPResponse.bytes(of: value), HTTPResponse.eTag(of: value))
  }

  /// Logging in and out.
  var loginRoutes: [Route] {
    [
      Route(
        "POST", "/api/session", "Log in with a launch code, which works once.",
        discussion: "`X-Photoedit-Path` is the path with which the addresses of a browser must "
          + "begin, because it sends the cookie only there. A program can send the cookie with any "
          + "path. With `https`, there is no such path, and the cookie belongs to the whole site.",
        access: .open, fields: RouteFields("", .member("code", \.self, .text, isRequired: true)),
        returns: .done,
        fails: .notLoggedIn, .tooManyAttempts
      ) { request throws(Problem) in
        let login = try self.logins.logIn(code: request.fields)
        let path = self.isSecure ? nil : "/\(RequestTarget.keyPrefix)/\(login.key)"
        var response = HTTPResponse.noContent
        response.fields.append(self.cookie(login.cookie, path: path))
        if let path { response.fields.append(("X-Photoedit-Path", path)) }
        return response
      },
      Route(
        "DELETE", "/api/session", "Log out this browser, or every browser with all=1.",
        fields: RouteFields(0, .query("all", \.self, .integer(in: 0...1))), returns: .done
      ) { request throws(Problem) in
        self.logins.logOut(request.head, all: try request.fields == 1)
        self.changes.endStreams { self.logins.isLoggedIn($0) }
        let path = request.request.target.key.map { "/\(RequestTarget.keyPrefix)/\($0)" }
        var response = HTTPResponse.noContent
        response.fields.append(self.cookie("; Max-Age=0", path: path))
        return response
      },
    ]
  }

  /// The header field that stores the cookie.
  ///
  /// Browsers send a cookie to all ports of a host. Without TLS, where another user may listen on one
  /// of them, the path that only the page knows keeps it from there. With TLS, only the server that
  /// has the certificate receives it, and the name requires the whole site as its path.
  private func cookie(_ value: String, path: String?) -> (name: String, value: String) {
    (
      "Set-Cookie",
      "\(logins.cookie)=\(value); HttpOnly; SameSite=Strict; Path=\(path ?? "/")"
        + (isSecure ? "; Secure" : "")
    )
  }

  /// The stream of events, and the commits of a library.
  var eventRoutes: [Route] {
    [
      Route(
        "GET", "/api/events", "Return the stream of events; Last-Event-ID or after continues it.",
        fields: EventQuery.declared, returns: .file("text/event-stream"), fails: .busy
      ) { request throws(Problem) in
        let fields = try request.fields
        let names = fields.views.split(separator: ",").map(String.init)
        let token = request.head["last-event-id"] ?? fields.after
        let stream = try self.changes.subscribe(
          views: Set(names), after: token?.isEmpty == false ? token : nil,
          tab: fields.tab, request.head)
        return HTTPResponse(
          status: 200,
          fields: [("Content-Type", "text/event-stream")],
          body: .stream(stream))
      },
      Route(
        "GET", "/api/changes", "Return the commits after a token, as `photoedit changes --json`.",
        fields: RouteFields("", .query("since", \.self, .text)),
        returns: .json(["changes": .list(of: .object)]),
        fails: .missing, .expired
      ) { request throws(Problem) in
        guard let library = self.source.library else {
          throw Problem(.notFound, "the history requires a library")
        }
        let since = try request.fields
        let commits = try translating(Problem.init) { () throws(LibraryError) in
          let changes =
            since.isEmpty
            ? try library.fetchPersistentChanges()
            : try library.fetchPersistentChanges(since: try PersistentChangeToken(since))
          var commits: [JSONValue] = []
          for commit in changes.prefix(Self.maximumCommits) { commits.append(try commit.summary) }
          return commits
        }
        return .json(.object(["changes": .array(commits)]))
      },
    ]
  }

  /// The number of commits in one response.
  private static let maximumCommits = 1000
}

private struct EventQuery: Sendable {
  static let declared = RouteFields(
    Self(), .query("views", \.views, .text, "The names of lists, separated by commas."),
    .query("after", \.after, .text),
    .query(
      "tab", \.tab, .text,
      "A name that the client chooses; its earlier stream with this name ends."))

  var views = ""
  var after: String?
  var tab: String?
}
