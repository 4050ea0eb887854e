// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Lists of photos.
  var viewRoutes: [Route] {
    [
      Route("POST", "/api/views") { request throws(Problem) in
        let members = try request.members(["source", "predicate", "sort", "sections"])
        let name = try members.text("sections") ?? "month"
        guard let sections = ViewContents.Sections(rawValue: name) else {
          throw Problem(.badRequest, "sections must be 'month', 'moment' or 'none'")
        }
        let photos = try self.source.photos(
          of: try members.text("source") ?? "all",
          predicate: try members.text("predicate", maximum: 1 << 16),
          sort: try members.text("sort"))
        let contents = ViewContents(photos)
        let view = self.open(contents, sections)
        return .json(
          .object([
            "view": .string(view.id), "token": .string(view.token),
            "count": .whole(contents.entries.count), "sections": contents.sections(by: sections),
          ]), status: 201)
      },
      Route("GET", "/api/views/{view}/shapes") { request throws(Problem) in
        let (_, contents) = try self.contents(request)
        return HTTPResponse(
          status: 200,
          fields: [("Content-Type", "application/octet-stream")],
          body: .bytes(contents.shapes))
      },
      Route("GET", "/api/views/{view}/items") { request throws(Problem) in
        let (_, contents) = try self.contents(request)
        let first = try request.number("from", in: 0...(1 << 40)) ?? 0
        let count = try request.number("count", in: 0...500) ?? 100
        guard first <= contents.photos.count else {
          throw Problem(.rangeNotSatisfiable, "the list has \(contents.photos.count) photos")
        }
        let end = min(contents.photos.count, first + count)
        let items = try inLibrary(contents.photos.objects(at: first..<end).map(\.item))
        return .json(.object(["from": .whole(first), "items": .array(items)]))
      },
      Route("GET", "/api/views/{view}/index") { request throws(Problem) in
        let view = try self.views[request["view"]]
        let asset = try self.source.asset(request.target.query["asset"] ?? "")
        guard let index = view.latest?.photos.index(of: asset) else {
          throw Problem(.notFound, "the photo is not in the list")
        }
        return .json(.object(["index": .whole(index), "token": .string(view.token)]))
      },
      Route("DELETE", "/api/views/{view}") { request throws(Problem) in
        _ = try self.views[request["view"]]
        self.views.close(request["view"])
        return .noContent
      },
    ]
  }

  private func contents(
    _ request: Request
  ) throws(Problem) -> (ViewRegistry.View, ViewContents) {
    let view = try views[request["view"]]
    return (view, try view.contents(at: request.target.query["at"] ?? view.token))
  }
}
