// SPDX-License-Identifier: Apache-2.0

/// The state of a server, and the routes that use it.
final class WebService: Sendable {
  let source: any PhotoSource
  let isReadOnly: Bool
  let logins: LoginSessions
  let files: StaticFiles
  let drafts: Drafts
  let edits = EditingSessions()
  let jobs = Jobs()
  let views = ViewRegistry()
  let presets: Presets
  let settings: PageSettings
  let plans = RecentValues<WebBatchPlan>(
    "b", maximumCount: 16, missing: Problem(.notFound, "no such plan; create it again"))
  let downloads = RecentValues<Download>(
    "d", maximumCount: 16,
    missing: Problem(.notFound, "no such download; collect the photos again"))
  let roots: Roots
  let uploads: Uploads
  let imports = RecentValues<WebImportPlan>(
    "i", maximumCount: 8, missing: Problem(.notFound, "there is no such plan; make it again"),
    discard: { $0.discard() })
  let changes: ChangeStream
  /// The observer of the library or of the folder.
  private let libraryFollower: LibraryFollower?
  private let folderFollower: FolderFollower?
  /// Indicates whether browsers use TLS.
  let isSecure: Bool

  init(
    _ source: any PhotoSource, isReadOnly: Bool, logins: LoginSessions, files: StaticFiles,
    drafts: Drafts, presets: Presets, settings: PageSettings, uploads: Uploads,
    roots: Roots = .none, isSecure: Bool = false
  ) throws(LibraryError) {
    (self.presets, self.settings) = (presets, settings)
    (self.uploads, self.roots) = (uploads, roots)
    (self.source, self.isReadOnly, self.logins) = (source, isReadOnly, logins)
    (self.files, self.drafts) = (files, drafts)
    self.isSecure = isSecure
    let token = try source.library?.currentChangeToken
    let (views, changes) = (views, ChangeStream(token: token.map { "\($0)" } ?? "start"))
    self.changes = changes
    if let library = source.library, let token {
      libraryFollower = try LibraryFollower(library, views, changes, after: token)
    } else {
      libraryFollower = nil
    }
    folderFollower = (source as? PhotoFiles).flatMap { FolderFollower($0, views, changes) }
    jobs.didChange.withLock { $0 = { job in changes.send("job", job.json) } }
  }

  deinit { folderFollower?.cancel() }

  /// Opens a list, including changes that were committed meanwhile.
  func open(_ contents: ViewContents, _ sections: ViewContents.Sections) -> ViewRegistry.View {
    let view = views.open(contents, sections: sections)
    libraryFollower?.update(view)
    return view
  }

  /// Answers the clients that wait, and removes the files that browsers have sent.
  func end() {
    jobs.close()
    imports.close()
    uploads.close()
  }

  var router: Router {
    let routes =
      pageRoutes + loginRoutes + serviceRoutes + editingRoutes + historyRoutes + jobRoutes
      + automaticRoutes + viewRoutes + assetRoutes + albumRoutes + eventRoutes + batchRoutes
      + fileRoutes + downloadRoutes + trimRoutes + settingsRoutes
      + importRoutes + exportRoutes + attachmentRoutes
    return Router(describing(routes) + routes, isReadOnly: isReadOnly)
  }

  func responder(
    log: @escaping @Sendable (String) -> Void
  ) -> @Sendable (Request) -> HTTPResponse {
    let router = router
    return { request in
      let start = MonotonicClock.milliseconds
      let (response, route) = router.response(
        to: request,
        isLoggedIn: self.logins.isLoggedIn(request.head, key: request.target.key))
      return response.onceMade { response in
        log(
          "\(request.head.method) \(route?.template ?? "-") \(response.status) "
            + "\(MonotonicClock.milliseconds - start) ms")
      }
    }
  }

  // MARK: The page

  private var pageRoutes: [Route] {
    [
      Route(
        "GET", "/", "Return the page.", access: .open, returns: .file("text/html"), .unchanged
      ) { [files, mode = source.mode] request throws(Problem) in
        var response = try files.response("index.html", to: request)
        // A browser loads the scripts of its first screen together.
        let scripts = files.scripts(
          of: mode == "photo" ? "js/editor/editor.js" : "js/grid/timeline.js")
        if !scripts.isEmpty {
          let links = scripts.map { "</web/\($0)>; rel=modulepreload" }
          response.fields.append(("Link", links.joined(separator: ", ")))
        }
        return response
      },
      Route(
        "GET", "/web/{file}", "Return a file of the page; its path may have folders.",
        access: .open, returns: .file("*/*"), .unchanged, fails: .missing
      ) { [files] request throws(Problem) in try files.response(request["file"], to: request) },
    ]
  }

  /// Returns the route of the API description, which precedes that of the page's files.
  private func describing(_ routes: [Route]) -> [Route] {
    [
      Route(
        "GET", "/web/openapi.json", "Return this description.", access: .open,
        returns: .json(.object), .unchanged
      ) { request throws(Problem) in
        let all = self.describing(routes) + routes
        let bytes = HTTPResponse.bytes(of: APIDescription(all).json)
        return StaticFiles.response(bytes, type: "application/json", to: request)
      }
    ]
  }

  // MARK: Jobs

  private var jobRoutes: [Route] {
    [
      Route(
        "GET", "/api/jobs/{job}", "Return the state of a job; wait=1 waits for its end.",
        discussion: "A request waits for at most 50 seconds; if the job still runs, its state is "
          + "`running`, and the client asks again.",
        fields: RouteFields(0, .query("wait", \.self, .integer(in: 0...1))),
        returns: .json(Jobs.Job.schema), fails: .missing
      ) { [jobs] request throws(Problem) in
        let waits = try request.fields == 1
        guard waits else { return .json(try jobs[request["job"]].json) }
        let job = try jobs[request["job"]]
        return HTTPResponse(
          status: 200, body: .later { done in jobs.whenEnded(job) { done(.json($0.json)) } })
      },
      Route(
        "DELETE", "/api/jobs/{job}", "Cancel a job.", writes: true, returns: .done,
        fails: .missing
      ) { [jobs] request throws(Problem) in
        try jobs.cancel(request["job"])
        return .noContent
      },
    ]
  }
}
