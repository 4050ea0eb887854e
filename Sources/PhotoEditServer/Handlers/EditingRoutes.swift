// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Editing sessions: their beginning, previews, drafts, and saving.
  var editingRoutes: [Route] {
    [
      Route(
        "POST", "/api/assets/{asset}/editing", "Begin an editing session.",
        returns: .json(Self.sessionSchema, status: 201), fails: .missing, .conflict
      ) { request throws(Problem) in
        let asset = request["asset"]
        let attachments = HeldAttachments { [presets = self.presets] in presets.attachment($0) }
        let store = try self.source.store(of: asset)
        if !self.isReadOnly { store.finishInterruptedChange() }
        let edit = try self.edits.begin(asset: asset, store, attachments)
        attachments.restore(self.drafts.attachments(of: try edit.draftKey))
        return .json(
          try self.sessionJSON(of: edit), status: 201, eTag: edit.editing.state.revision)
      },
      Route(
        "POST", "/api/editing/{session}/preview",
        "Render a graph for display; cancels earlier requests of the session.",
        fields: PreviewFields.declared, returns: .file("image/jpeg"),
        fails: .missing, .conflict, .invalidGraph, .busy, perform: preview),
      Route(
        "GET", "/api/editing/{session}/statistics/{preview}",
        "Return the level counts of a preview.",
        returns: .json([
          "preview": .text,
          "levels": [
            "r": .list(of: .integer), "g": .list(of: .integer), "b": .list(of: .integer),
            "luma": .list(of: .integer),
          ],
          "clipped": ["shadows": .number, "highlights": .number],
        ]), fails: .missing, .conflict, .busy
      ) { request throws(Problem) in
        .json(try self.edits[request["session"]].preview(request["preview"]).statistics)
      },
      Route(
        "GET", "/api/editing/{session}/clipping/{preview}",
        "Return an overlay of the clipped pixels of a preview; the name ends in .png.",
        returns: .file("image/png"), fails: .missing, .conflict, .busy
      ) { request throws(Problem) in
        let name = request["preview"]
        guard name.hasSuffix(".png") else { throw Problem(.notFound, "no such overlay") }
        let edit = try self.edits[request["session"]]
        let raster = try edit.raster(of: edit.preview(String(name.dropLast(4))))
        return HTTPResponse(
          status: 200, fields: [("Content-Type", "image/png")],
          body: .bytes(try ClippingOverlay.png(of: raster)))
      },
      Route(
        "PUT", "/api/editing/{session}/draft", "Keep the graph as a draft.", writes: true,
        fields: .graph, returns: .done, fails: .missing, .invalidGraph
      ) { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        let graph = try request.fields
        try self.drafts.keep(
          graph, of: edit.draftKey, revision: edit.editing.state.revision,
          attachments: edit.attachments.files(of: graph))
        return .noContent
      },
      Route(
        "POST", "/api/editing/{session}/save", "Render the graph and commit it; needs If-Match.",
        writes: true, fields: SaveFields.declared, returns: .job,
        fails: .missing, .invalidGraph, .busy, perform: save),
      Route(
        "DELETE", "/api/editing/{session}",
        "End an editing session; draft=discard also removes the draft.",
        fields: RouteFields(DraftAtEnd.keep, .query("draft", \.self, .choice)), returns: .done,
        fails: .missing
      ) { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        if try request.fields == .discard, !self.isReadOnly {
          self.drafts.discard(try edit.draftKey)
        }
        self.edits.end(edit.id)
        return .noContent
      },
    ]
  }

  private static let sessionSchema: Schema = [
    "session": .text, "revision": .text, "version": .text, "kind": .text,
    "size": ["width": .integer, "height": .integer], "media": .text, "graph": .graph,
    "draft": .object.orNull, "obstacles": .texts, "losses": .losses, "historyLength": .integer,
    "name": .text, "wideGamut": .flag,
  ]

  private func sessionJSON(of edit: HeldEdit) throws(Problem) -> JSONValue {
    let (editing, size) = (edit.editing, edit.editing.input.size)
    return .object([
      "session": .string(edit.id), "revision": .string(editing.state.revision),
      "version": .string(editing.input.version.rawValue),
      "kind": .string(editing.input.kind.rawValue),
      "size": ["width": .whole(size.width), "height": .whole(size.height)],
      "media": .string(editing.input.media.rawValue), "graph": editing.graph.json,
      "wideGamut": .bool(try edit.image().exceedsSRGB),
      "draft": drafts.draft(of: try edit.draftKey) ?? .null,
      "obstacles": .texts(editing.blockingReasons),
      "losses": .losses(try edit.losses() + source.lossesOfPair(editing, edit.asset)),
      "historyLength": .whole(StateHistory(editing.state).count),
      "name": .string(try source.fileName(of: edit.asset)),
    ])
  }

  private func preview(_ request: RouteRequest<PreviewFields>) throws(Problem) -> HTTPResponse {
    let edit = try edits[request["session"]]
    let fields = try request.fields
    let box = PixelSize(width: fields.width, height: fields.height)
    let given = try fields.purpose == .original ? editing(edit.editing.newGraph()) : fields.graph
    guard let graph = given else { throw .missing("graph") }
    let precision: PreviewSession.Precision
    switch fields.purpose {
    case .drag: precision = .interactive
    case .still: precision = .still
    case .original, .compare, .look:
      guard !fields.wantsStatistics else {
        throw Problem(.badRequest, "statistics are of purpose 'drag' or 'still'")
      }
      let (image, full) =
        fields.purpose == .look
        ? try edit.look(graph, fitting: box) : try edit.comparison(graph, fitting: box)
      return Self.response(image, full)
    }
    let (preview, image, full) = try edit.preview(
      fields.region.map { region throws(Problem) in try edit.cropping(graph, to: region) } ?? graph,
      fitting: box, precision: precision)
    edits.discardPixels()
    var response = Self.response(
      image, full, with: fields.wantsStatistics ? preview.statistics : nil)
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

  private func save(_ request: RouteRequest<SaveFields>) throws(Problem) -> HTTPResponse {
    let edit = try edits[request["session"]]
    let fields = try request.fields
    let (revision, graph) = (fields.revision, fields.graph)
    let state = try editing(edit.store.state())
    guard state.revision == revision else { throw .stale(state) }
    let (draft, drafts) = (try edit.draftKey, drafts)
    let job = try jobs.start("save") { _ throws(Problem) in
      let outcome: EditingSession.Outcome
      do throws(Problem) {
        outcome = try edit.save(graph, expecting: revision)
      } catch {
        guard error.kind == .staleEdit else { throw error }
        throw .stale(try editing(edit.store.state()))
      }
      drafts.discard(draft)
      return .object([
        "revision": .string(outcome.state.revision), "graph": outcome.graph.json,
        "file": .string(FileSystem.lastName(of: outcome.state.current.path)),
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

extension RouteFields<FilterGraph> {
  /// A graph alone.
  static var graph: Self {
    RouteFields(FilterGraph(), .member("graph", \.self, .graph, isRequired: true))
  }
}

/// The treatment of the draft of a session that ends.
private enum DraftAtEnd: String, CaseIterable { case keep, discard }

private struct SaveFields: Sendable {
  static let declared = RouteFields(
    Self(), .ifMatch(\.revision, .revision), .member("graph", \.graph, .graph, isRequired: true))

  var revision = ""
  var graph = FilterGraph()
}

private struct PreviewFields: Sendable {
  enum Purpose: String, CaseIterable { case drag, still, original, compare, look }

  static let declared = RouteFields(
    Self(), .member("graph", \.graph, .graph),
    .member("width", \.width, .integer(in: 1...HeldEdit.maximumSide), isRequired: true),
    .member("height", \.height, .integer(in: 1...HeldEdit.maximumSide), isRequired: true),
    .member("sequence", \.sequence, .integer(in: 0...(1 << 52))),
    .member("purpose", \.purpose, .choice), .member("region", \.region, .region),
    .member("statistics", \.wantsStatistics, .flag))

  var graph: FilterGraph?
  var width = 0
  var height = 0
  var sequence: Int?
  var purpose = Purpose.still
  var region: NormalizedRect?
  /// Indicates whether the response is a form with the preview, "image", and its level counts, "statistics".
  var wantsStatistics = false
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

extension Schema {
  static let losses = list(of: ["kind": .text, "detail": .text])
}
