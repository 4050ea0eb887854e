// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Presets, and edits of many photos.
  var batchRoutes: [Route] {
    [
      Route(
        "GET", "/api/presets", "Return the presets with their graphs.",
        returns: .json(["presets": .list(of: ["name": .text, "graph": .graph])])
      ) { [presets] _ throws(Problem) in
        var found: [JSONValue] = []
        for name in try presets.names {
          guard let graph = try? presets.graph(name) else { continue }
          found.append(.object(["name": .string(name), "graph": graph.json]))
        }
        return .json(.object(["presets": .array(found)]))
      },
      Route(
        "PUT", "/api/presets/{name}", "Store a preset.", writes: true, fields: .graph,
        returns: .json(["name": .text]), .json(["name": .text], status: 201), fails: .invalidGraph
      ) { request throws(Problem) in
        var graph = try request.fields
        graph.source = nil
        graph.emptyTexts()
        graph.removeUnusedAssets()
        let isNew = try self.presets.put(
          graph, as: request["name"], self.attachments(of: graph))
        return .json(.object(["name": .string(request["name"])]), status: isNew ? 201 : 200)
      },
      Route(
        "DELETE", "/api/presets/{name}", "Delete a preset.", writes: true, returns: .done,
        fails: .missing
      ) { [presets] request throws(Problem) in
        try presets.remove(request["name"])
        return .noContent
      },
      Route(
        "POST", "/api/batches",
        "Plan an edit of many photos; the result of the job has the effect on each.", writes: true,
        fields: BatchFields.declared, returns: .job, fails: .missing, .invalidGraph, .busy,
        perform: planBatch),
      Route(
        "POST", "/api/batches/{plan}/run",
        "Carry out a plan; photos that have changed since are skipped.", writes: true,
        fields: RouteFields(nil, .member("ids", \.self, .texts)), returns: .job, fails: .missing,
        .busy, perform: runBatch),
    ]
  }

  /// The number of photos in a batch.
  private static let maximumBatch = 10_000

  private func planBatch(_ request: RouteRequest<BatchFields>) throws(Problem) -> HTTPResponse {
    let fields = try request.fields
    guard let graph = try fields.preset.map(presets.graph) ?? fields.graph else {
      throw .missing("graph")
    }
    if let reason = graph.blockingReasons.first { throw Problem(.invalidGraph, "\(reason)") }
    let attachments = try attachments(of: graph, from: fields.from)
    let photos: [String]
    if let view = fields.view {
      photos = try views[view].latest?.photos.map(\.localIdentifier.withoutSuffix) ?? []
    } else {
      photos = fields.ids
    }
    guard (1...Self.maximumBatch).contains(photos.count) else {
      throw Problem(.badRequest, "a batch must have 1 to \(Self.maximumBatch) photos")
    }
    let (source, plans) = (source, plans)
    let job = try jobs.start("batchPlan") { handle throws(Problem) in
      var plan = WebBatchPlan(graph: graph, attachments: attachments, mode: fields.mode)
      for (index, asset) in photos.enumerated() {
        if handle.isCancelled { throw Problem(.superseded, "canceled") }
        plan.rows.append(plan.row(asset, in: source))
        handle.report(Double(index + 1) / Double(photos.count))
      }
      return .object([
        "plan": .string(plans.add(plan)), "rows": .array(plan.rows.map(\.json)),
      ])
    }
    return .json(job.json, status: 202)
  }

  private func runBatch(_ request: RouteRequest<[String]?>) throws(Problem) -> HTTPResponse {
    let ids = try request.fields
    let plan = try plans.take(request["plan"])
    let chosen = Set(ids ?? plan.rows.map(\.asset))
    let rows = plan.rows.filter { chosen.contains($0.asset) && $0.effect != "none" }
    let source = source
    let job = try jobs.start("batch") { handle throws(Problem) in
      var results: [JSONValue] = []
      for (index, row) in rows.enumerated() {
        if handle.isCancelled { break }
        var result: [String: JSONValue] = ["id": .string(row.asset)]
        do throws(Problem) {
          result["outcome"] = "applied"
          switch try plan.apply(to: row, source.store(of: row.asset)) {
          case .applied(let revision): result["revision"] = .string(revision)
          case .unchanged: break
          case .skipped: result["outcome"] = "skipped"
          }
        } catch {
          result["outcome"] = "failed"
          result["problem"] = error.json
        }
        results.append(.object(result))
        handle.report(Double(index + 1) / Double(rows.count))
      }
      return .object(["results": .array(results)])
    }
    return .json(job.json, status: 202)
  }
}

private struct BatchFields: Sendable {
  static let declared = RouteFields(
    Self(), .member("ids", \.ids, .texts), .member("view", \.view, .text),
    .member("graph", \.graph, .graph),
    .member("from", \.from, .text, "The photo whose edit the graph is; its files are used."),
    .member("preset", \.preset, .text), .member("mode", \.mode, .choice))

  var ids: [String] = []
  var view: String?
  var graph: FilterGraph?
  var from: String?
  var preset: String?
  var mode = WebBatchPlan.Mode.add
}
