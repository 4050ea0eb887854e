// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Presets, and edits of many photos.
  var batchRoutes: [Route] {
    [
      Route("GET", "/api/presets") { [presets] _ throws(Problem) in
        var found: [JSONValue] = []
        for name in try presets.names {
          guard let graph = try? presets.graph(name) else { continue }
          found.append(.object(["name": .string(name), "graph": graph.json]))
        }
        return .json(.object(["presets": .array(found)]))
      },
      Route("PUT", "/api/presets/{name}", writes: true) { request throws(Problem) in
        var graph = try request.members(["graph"]).graph()
        graph.source = nil
        graph.removeUnusedAssets()
        let isNew = try self.presets.put(
          graph, as: request["name"], self.attachments(of: graph))
        return .json(.object(["name": .string(request["name"])]), status: isNew ? 201 : 200)
      },
      Route("DELETE", "/api/presets/{name}", writes: true) { [presets] request throws(Problem) in
        try presets.remove(request["name"])
        return .noContent
      },
      Route("POST", "/api/batches", writes: true, planBatch),
      Route("POST", "/api/batches/{plan}/run", writes: true, runBatch),
    ]
  }

  /// The number of photos in a batch.
  private static let maximumBatch = 10_000

  private func planBatch(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["ids", "view", "graph", "from", "preset", "mode"])
    guard let mode = WebBatchPlan.Mode(rawValue: try members.text("mode") ?? "add") else {
      throw Problem(.badRequest, "mode must be 'add', 'replace' or 'skip'")
    }
    let graph =
      if let preset = try members.text("preset") { try presets.graph(preset) } else {
        try members.graph()
      }
    if let reason = graph.blockingReasons.first { throw Problem(.invalidGraph, "\(reason)") }
    let attachments = try attachments(of: graph, from: try members.text("from"))
    let photos: [String]
    if let view = try members.text("view") {
      photos = try views[view].latest?.photos.map(\.localIdentifier.withoutSuffix) ?? []
    } else {
      photos = try members.texts("ids") ?? []
    }
    guard (1...Self.maximumBatch).contains(photos.count) else {
      throw Problem(.badRequest, "a batch must have 1 to \(Self.maximumBatch) photos")
    }
    let (source, plans) = (source, plans)
    let job = try jobs.start("batchPlan") { handle throws(Problem) in
      var plan = WebBatchPlan(graph: graph, attachments: attachments, mode: mode)
      for (index, asset) in photos.enumerated() {
        if handle.isCancelled { throw Problem(.superseded, "canceled") }
        plan.rows.append(plan.row(asset, try source.store(of: asset)))
        handle.report(Double(index + 1) / Double(photos.count))
      }
      return .object([
        "plan": .string(plans.add(plan)), "rows": .array(plan.rows.map(\.json)),
      ])
    }
    return .json(job.json, status: 202)
  }

  private func runBatch(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["ids"])
    let plan = try plans.take(request["plan"])
    let chosen = Set(try members.texts("ids") ?? plan.rows.map(\.asset))
    let rows = plan.rows.filter { chosen.contains($0.asset) && $0.effect != "none" }
    let source = source
    let job = try jobs.start("batch") { handle throws(Problem) in
      var results: [JSONValue] = []
      for (index, row) in rows.enumerated() {
        if handle.isCancelled { break }
        var result: [String: JSONValue] = ["id": .string(row.asset)]
        do throws(Problem) {
          let isApplied = try plan.apply(to: row, source.store(of: row.asset))
          result["outcome"] = .string(isApplied ? "applied" : "skipped")
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
