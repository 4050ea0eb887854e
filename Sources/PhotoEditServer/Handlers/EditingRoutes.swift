// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Editing sessions: their beginning, previews, drafts, and saving.
  var editingRoutes: [Route] {
    [
      Route("POST", "/api/assets/{asset}/editing") { request throws(Problem) in
        _ = try request.members([], isOptional: true)
        let asset = request["asset"]
        let attachments = HeldAttachments { [presets = self.presets] in presets.attachment($0) }
        let edit = try self.edits.begin(asset: asset, self.source.store(of: asset), attachments)
        attachments.restore(self.drafts.attachments(of: try edit.image().digest))
        return .json(
          try self.sessionJSON(of: edit), status: 201, eTag: edit.editing.state.revision)
      },
      Route("POST", "/api/editing/{session}/preview", preview),
      Route("GET", "/api/editing/{session}/statistics/{preview}") { request throws(Problem) in
        .json(try self.edits[request["session"]].preview(request["preview"]).statistics)
      },
      Route("GET", "/api/editing/{session}/clipping/{preview}") { request throws(Problem) in
        let name = request["preview"]
        guard name.hasSuffix(".png") else { throw Problem(.notFound, "no such overlay") }
        let edit = try self.edits[request["session"]]
        let raster = try edit.raster(of: edit.preview(String(name.dropLast(4))))
        return HTTPResponse(
          status: 200, fields: [("Content-Type", "image/png")],
          body: .bytes(try ClippingOverlay.png(of: raster)))
      },
      Route("PUT", "/api/editing/{session}/draft", writes: true) { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        let graph = try request.members(["graph"]).graph()
        try self.drafts.keep(
          graph, of: edit.image().digest, revision: edit.editing.state.revision,
          attachments: edit.attachments.files(of: graph))
        return .noContent
      },
      Route("POST", "/api/editing/{session}/save", writes: true, save),
      Route("DELETE", "/api/editing/{session}") { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        switch request.target.query["draft"] ?? "keep" {
        case "keep": break
        case "discard": self.drafts.discard(try edit.image().digest)
        default: throw Problem(.badRequest, "draft must be 'keep' or 'discard'")
        }
        self.edits.end(edit.id)
        return .noContent
      },
    ]
  }

  private func sessionJSON(of edit: HeldEdit) throws(Problem) -> JSONValue {
    let (editing, size) = (edit.editing, edit.editing.input.size)
    return .object([
      "session": .string(edit.id), "revision": .string(editing.state.revision),
      "version": .string(editing.input.version.rawValue),
      "kind": .string(editing.input.kind.rawValue),
      "size": ["width": .whole(size.width), "height": .whole(size.height)],
      "media": .string(editing.input.media.rawValue), "graph": editing.graph.json,
      "wideGamut": .bool(try edit.image().exceedsSRGB),
      "draft": drafts.draft(of: try edit.image().digest) ?? .null,
      "obstacles": .texts(editing.blockingReasons),
      "losses": .losses(try edit.losses()),
      "historyLength": .whole(StateHistory(editing.state).count),
      "name": .string(try source.fileName(of: edit.asset)),
    ])
  }

  private func preview(_ request: Request) throws(Problem) -> HTTPResponse {
    let edit = try edits[request["session"]]
    let members = try request.members(
      ["graph", "width", "height", "sequence", "purpose", "region", "statistics"])
    let sides = 1...HeldEdit.maximumSide
    guard let width = try members.number("width", in: sides),
      let height = try members.number("height", in: sides)
    else { throw Problem(.badRequest, "width or height is missing") }
    _ = try members.number("sequence", in: 0...(1 << 52))
    let box = PixelSize(width: width, height: height)
    let wantsStatistics = try members.flag("statistics")
    let precision: PreviewSession.Precision
    let purpose = try members.text("purpose") ?? "still"
    switch purpose {
    case "drag": precision = .interactive
    case "still": precision = .still
    case "original", "compare":
      guard !wantsStatistics else {
        throw Problem(.badRequest, "statistics are of purpose 'drag' or 'still'")
      }
      let graph = purpose == "original" ? FilterGraph() : try members.graph()
      let (image, full) = try edit.comparison(graph, fitting: box)
      return Self.response(image, full)
    default: throw Problem(.badRequest, "purpose must be 'drag', 'still', 'original' or 'compare'")
    }
    let graph = try members.graph()
    let region = try members["region"].map { value throws(Problem) in
      try NormalizedRect(region: value)
    }
    let (preview, image, full) = try edit.preview(
      region.map { region throws(Problem) in try edit.cropping(graph, to: region) } ?? graph,
      fitting: box, precision: precision)
    edits.discardPixels()
    var response = Self.response(image, full, with: wantsStatistics ? preview.statistics : nil)
    response.fields.append(("X-Photoedit-Preview", preview.id))
    return response
  }

  /// Returns the response with a preview: its JPEG, or a form with the JPEG and the statistics; the
  /// fields have the size of the full rendering and the scale of the preview.
  private static func response(
    _ image: Rendering, _ full: PixelSize, with statistics: JSONValue? = nil
  ) -> HTTPResponse {
    var response =
      if let statistics {
        HTTPResponse.form(statistics, named: "statistics", jpeg: image.jpeg, named: "image")
      } else {
        HTTPResponse(
          status: 200, fields: [("Content-Type", "image/jpeg")], body: .bytes(image.jpeg))
      }
    let scale = Double(image.size.width) / Double(max(1, full.width))
    response.fields += [
      ("X-Photoedit-Width", "\(full.width)"), ("X-Photoedit-Height", "\(full.height)"),
      ("X-Photoedit-Scale", jsonNumber(scale.rounded(significantDigits: 6))),
    ]
    return response
  }

  private func save(_ request: Request) throws(Problem) -> HTTPResponse {
    let edit = try edits[request["session"]]
    let revision = try request.expectedRevision
    let graph = try request.members(["graph"]).graph()
    let state = try editing(edit.store.state())
    guard state.revision == revision else { throw .stale(state) }
    let (image, drafts) = (try edit.image().digest, drafts)
    let job = try jobs.start("save") { _ throws(Problem) in
      let outcome: EditingSession.Outcome
      do throws(Problem) {
        outcome = try edit.save(graph, expecting: revision)
      } catch {
        guard error.kind == .staleEdit else { throw error }
        throw .stale(try editing(edit.store.state()))
      }
      drafts.discard(image)
      return .object([
        "revision": .string(outcome.state.revision), "graph": outcome.graph.json,
        "losses": .losses(outcome.rendering.losses),
        "historyLength": .whole(StateHistory(outcome.state).count),
        "width": .whole(outcome.rendering.size.width),
        "height": .whole(outcome.rendering.size.height),
        "bytes": .whole(outcome.rendering.byteCount),
      ])
    }
    return .json(job.json, status: 202)
  }
}

extension Problem {
  /// Creates the problem of a change of an older state.
  static func stale(_ state: EditState) -> Problem {
    Problem(
      .staleEdit, "the photo was changed by another program",
      members: ["state": StateHistory(state).current])
  }
}

extension JSONValue {
  /// Returns a list of losses.
  static func losses(_ losses: [RenderLoss]) -> JSONValue {
    .array(losses.map { ["kind": .string($0.kind), "detail": .string($0.detail)] })
  }
}
