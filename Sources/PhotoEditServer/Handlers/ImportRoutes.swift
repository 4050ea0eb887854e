// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Files that browsers send, and imports into a library: first a plan, then its run.
  var importRoutes: [Route] {
    [
      Route("PUT", "/api/uploads/{name}", writes: true) { request throws(Problem) in
        guard let upload = request.upload else { throw Problem(.badRequest, "no file was sent") }
        let file = try upload.finish()
        return .json(
          .object([
            "upload": .string(file.id), "name": .string(file.name),
            "bytes": .whole(file.byteCount),
          ]), status: 201)
      },
      Route("DELETE", "/api/uploads/{name}", writes: true) {
        [uploads] request throws(Problem) in
        try uploads.discard(request["name"])
        return .noContent
      },
      Route("POST", "/api/imports", writes: true, planImport),
      Route("GET", "/api/imports/{plan}/picture/{group}", importThumbnail),
      Route("DELETE", "/api/imports/{plan}", writes: true) { [imports] request throws(Problem) in
        try imports.take(request["plan"]).discard()
        return .noContent
      },
      Route("POST", "/api/imports/{plan}/run", writes: true, runImport),
    ]
  }

  /// Begins to receive a file, before its contents are read.
  func beginUpload(_ request: Request, byteCount: Int) throws(Problem) -> Upload {
    guard logins.isLoggedIn(request.head, key: request.target.key) else {
      throw Problem.notLoggedIn
    }
    guard !isReadOnly, request.target.path.count == 3 else {
      throw Problem(.notFound, "there is no such path")
    }
    return try uploads.begin(request.target.path[2], byteCount: byteCount)
  }

  private func libraryForImport() throws(Problem) -> PhotoLibrary {
    guard let library = source.library else {
      throw Problem(.notEditable, "files are imported into a library")
    }
    return library
  }

  private func planImport(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["uploads", "root"])
    let library = try libraryForImport()
    let origin: WebImportPlan.Source
    switch (try members.texts("uploads"), try members.text("root")) {
    case (let ids?, nil) where !ids.isEmpty: origin = .uploads(try uploads.take(ids))
    case (nil, let name?): origin = .root(try Roots.path(name, in: roots.imports))
    default: throw Problem(.badRequest, "specify either uploads or root")
    }
    let imports = imports
    let job = try jobs.start("importPlan") { handle throws(Problem) in
      let plan = try WebImportPlan(origin, library, handle)
      return plan.json(named: imports.add(plan))
    }
    return .json(job.json, status: 202)
  }

  private func runImport(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["groups"])
    guard let keys = try members.texts("groups"), !keys.isEmpty else {
      throw Problem(.badRequest, "groups is missing")
    }
    let library = try libraryForImport()
    let planned = try imports[request["plan"]]
    let known = Set(planned.groups.filter(\.kind.isImported).map(\.key))
    guard known.isSuperset(of: keys) else {
      throw Problem(.badRequest, "groups contains one that is not imported")
    }
    let plan = try imports.take(request["plan"])
    let job = try jobs.start("import") { handle throws(Problem) in
      try plan.run(Set(keys), library, handle)
    }
    return .json(job.json, status: 202)
  }

  /// The largest file of which a thumbnail is made before its import.
  private static let maximumThumbnailSource = 128 << 20

  private func importThumbnail(_ request: Request) throws(Problem) -> HTTPResponse {
    let plan = try imports[request["plan"]]
    let key = request["group"]
    guard let group = plan.groups.first(where: { $0.key == key }),
      let path = plan.stillPath(of: group)
    else { throw Problem(.notFound, "the group has no thumbnail") }
    let bytes = try PhotoEditServer.files(
      FileBytes.reading(
        path, maximumBytes: Self.maximumThumbnailSource, followsLinks: false))
    var options = RenderOptions()
    options.threads = 1
    let jpeg = try rendering(
      Thumbnailer.thumbnail(of: bytes, shape: ThumbnailShape(side: 128), options: options)
    ).encoded()
    return HTTPResponse(
      status: 200, fields: [("Content-Type", "image/jpeg")],
      body: .bytes(jpeg))
  }
}
