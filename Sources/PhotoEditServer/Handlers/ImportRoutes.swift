// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Files that browsers send, and imports into a library: first a plan, then its run.
  var importRoutes: [Route] {
    [
      Route(
        "PUT", "/api/uploads/{name}", "Send a file, for an import or for a filter.", writes: true,
        takesFile: true,
        returns: .json(["upload": .text, "name": .text, "bytes": .integer], status: 201),
        fails: .tooLarge, .otherType, .busy, .diskFull
      ) { request throws(Problem) in
        guard let upload = request.upload else { throw Problem(.badRequest, "no file was sent") }
        let file = try upload.finish()
        return .json(
          .object([
            "upload": .string(file.id), "name": .string(file.name),
            "bytes": .whole(file.byteCount),
          ]), status: 201)
      },
      Route(
        "DELETE", "/api/uploads/{name}",
        "Remove a file that was sent, by the identifier in the answer.", writes: true,
        returns: .done, fails: .missing
      ) { [uploads] request throws(Problem) in
        try uploads.discard(request["name"])
        return .noContent
      },
      Route(
        "POST", "/api/imports",
        "Plan an import of sent files or of a folder of the command line; the result of the job "
          + "has the groups of files.", writes: true, fields: ImportFields.declared, returns: .job,
        fails: .missing, .conflict("Files are imported into a library."), .busy,
        perform: planImport),
      Route(
        "GET", "/api/imports/{plan}/picture/{group}", "Return a thumbnail of a group.",
        returns: .file("image/jpeg"),
        fails: .missing, .conflict("The file is not an image that can be read."),
        perform: importThumbnail),
      Route(
        "DELETE", "/api/imports/{plan}", "Discard a plan, with the files that were sent for it.",
        writes: true, returns: .done, fails: .missing
      ) { [imports] request throws(Problem) in
        try imports.take(request["plan"]).discard()
        return .noContent
      },
      Route(
        "POST", "/api/imports/{plan}/run", "Import groups of a plan.",
        discussion: "The result of the job counts the new assets and the files, and `failed` names "
          + "every file that was not taken, with its reason: those of the chosen groups, and those "
          + "that were rejected in the plan. The problem of an import that ended early has the "
          + "same members.",
        writes: true,
        fields: RouteFields([], .member("groups", \.self, .someTexts, isRequired: true)),
        returns: .job, fails: .missing, .busy,
        perform: runImport),
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

  private func planImport(_ request: RouteRequest<ImportFields>) throws(Problem) -> HTTPResponse {
    let fields = try request.fields
    let library = try libraryForImport()
    let origin: WebImportPlan.Source
    switch (fields.uploads, fields.root) {
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

  private func runImport(_ request: RouteRequest<[String]>) throws(Problem) -> HTTPResponse {
    let keys = try request.fields
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

/// The source of an import: files that were sent, or a folder of the command line.
private struct ImportFields: Sendable {
  static let declared = RouteFields(
    Self(), .member("uploads", \.uploads, .texts), .member("root", \.root, .text))

  var uploads: [String]?
  var root: String?
}
