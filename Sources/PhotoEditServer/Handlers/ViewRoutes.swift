// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Lists of photos.
  var viewRoutes: [Route] {
    [
      Route(
        "POST", "/api/views", "Open a list of photos; its sections and count are exact.",
        fields: ViewFields.declared,
        returns: .json(
          ["view": .text, "token": .text, "count": .integer, "sections": .list(of: .object)],
          status: 201),
        fails: .missing
      ) { request throws(Problem) in
        let fields = try request.fields
        let contents = ViewContents(
          try self.source.photos(of: fields.list), byImport: fields.list.isByImport)
        // Of one month, the last import would be one section.
        let sections = fields.list.isByImport && fields.sections != .none ? .day : fields.sections
        let view = self.open(contents, sections)
        return .json(
          .object([
            "view": .string(view.id), "token": .string(view.token),
            "count": .whole(contents.entries.count),
            "sections": contents.sections(by: sections),
          ]), status: 201)
      },
      Route(
        "GET", "/api/views/{view}/shapes",
        "Return one byte for each photo: round(128 + 48 ln(width / height)), 0 if unknown.",
        fields: RouteFields(nil, .query("at", \.self, .text)),
        returns: .file("application/octet-stream"),
        fails: .missing, .conflict
      ) { request throws(Problem) in
        let contents = try self.contents(of: request["view"], at: request.fields)
        return HTTPResponse(
          status: 200,
          fields: [("Content-Type", "application/octet-stream")],
          body: .bytes(contents.shapes))
      },
      Route(
        "GET", "/api/views/{view}/items", "Return up to 500 photos of a list.",
        fields: ItemsQuery.declared,
        returns: .json(["from": .integer, "items": .list(of: Schema(members: Asset.itemMembers))]),
        fails: .missing, .conflict, .outside
      ) { request throws(Problem) in
        let fields = try request.fields
        let (first, count) = (fields.from, fields.count)
        let contents = try self.contents(of: request["view"], at: fields.at)
        guard first <= contents.photos.count else {
          throw Problem(.rangeNotSatisfiable, "the list has \(contents.photos.count) photos")
        }
        let end = min(contents.photos.count, first + count)
        let items = try inLibrary(contents.photos.objects(at: first..<end).map(\.item))
        return .json(.object(["from": .whole(first), "items": .array(items)]))
      },
      Route(
        "GET", "/api/views/{view}/index", "Return the index of a photo in a list.",
        fields: RouteFields("", .query("asset", \.self, .text)),
        returns: .json(["index": .integer, "token": .text]),
        fails: .missing
      ) { request throws(Problem) in
        let view = try self.views[request["view"]]
        let asset = try self.source.shownAsset(request.fields)
        guard let index = view.latest?.photos.index(of: asset) else {
          throw Problem(.notFound, "the photo is not in the list")
        }
        return .json(.object(["index": .whole(index), "token": .string(view.token)]))
      },
      Route(
        "GET", "/api/search",
        "Return the words that a search understands, each with an example that is valid.",
        returns: .json([
          "terms": .list(of: Self.wordSchema), "conditions": .list(of: Self.wordSchema),
        ])
      ) { _ throws(Problem) in
        func words(_ words: [(key: String, example: String)]) -> JSONValue {
          .array(words.map { ["key": .string($0.key), "example": .string($0.example)] })
        }
        let properties = SearchWords.properties.map { (key: $0, example: $0) }
        return .json([
          "terms": words(SearchWords.terms + properties),
          "conditions": words(SearchWords.conditions),
        ])
      },
      Route(
        "DELETE", "/api/views/{view}", "Close a list.", returns: .done, fails: .missing
      ) { request throws(Problem) in
        _ = try self.views[request["view"]]
        self.views.close(request["view"])
        return .noContent
      },
    ]
  }

  private static let wordSchema: Schema = ["key": .text, "example": .text]

  private func contents(
    of name: String, at token: String?
  ) throws(Problem) -> ViewContents {
    let view = try views[name]
    return try view.contents(at: token ?? view.token)
  }
}

private struct ViewFields: Sendable {
  static let declared = RouteFields(
    Self(), .member("source", \.list.source, .text),
    .member(
      "search", \.list.search, .text(maximum: 1 << 16), "Words and terms as in `asset list`."),
    .member(
      "predicate", \.list.predicate, .text(maximum: 1 << 16), "A condition as in `--where`."),
    .member("sort", \.list.sort, .text), .member("sections", \.sections, .choice))

  var list = PhotoList()
  var sections = ViewContents.Sections.month
}

private struct ItemsQuery: Sendable {
  static let declared = RouteFields(
    Self(), .query("at", \.at, .text), .query("from", \.from, .integer(in: 0...(1 << 40))),
    .query("count", \.count, .integer(in: 0...500)))

  var at: String?
  var from = 0
  var count = 100
}
