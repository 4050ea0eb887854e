// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// The states of an edit, and the changes of it as a whole.
  var historyRoutes: [Route] {
    [
      Route(
        "GET", "/api/assets/{asset}/history",
        "Return the states of the edit with their differences.",
        returns: .json(StateHistory.schema), fails: .missing
      ) { request throws(Problem) in
        let store = try self.source.store(of: request["asset"])
        let state = try editing(store.state())
        return .json(StateHistory(state).json, eTag: state.revision)
      },
      Route(
        "POST", "/api/assets/{asset}/revert", "Revert to the original; needs If-Match.",
        writes: true, fields: RouteFields("", .ifMatch(\.self, .revision)),
        returns: .json(StateHistory.currentSchema),
        fails: .missing, .conflict
      ) { request throws(Problem) in
        try self.change(.revert, of: request["asset"], 1, request.fields)
      },
      stepRoute(.undo, "undo", "Undo a number of changes; needs If-Match."),
      stepRoute(.redo, "redo", "Repeat a number of undone changes; needs If-Match."),
    ]
  }

  private func stepRoute(_ change: EditChange, _ name: String, _ summary: String) -> Route {
    Route(
      "POST", "/api/assets/{asset}/\(name)", summary,
      writes: true, fields: StepFields.declared, returns: .json(StateHistory.currentSchema),
      fails: .missing, .conflict
    ) { request throws(Problem) in
      let fields = try request.fields
      return try self.change(change, of: request["asset"], fields.steps, fields.revision)
    }
  }

  private func change(
    _ change: EditChange, of asset: String, _ steps: Int, _ revision: String
  ) throws(Problem) -> HTTPResponse {
    let store = try source.store(of: asset)
    var state = try editing(store.state())
    guard state.revision == revision else { throw .stale(state) }
    let available = change.step.map { state.journal.numbers($0).count - 1 } ?? 1
    guard steps <= available else {
      throw Problem(.notEditable, "only \(available) steps are available")
    }
    do throws(EditingError) {
      state = try store.perform(change, steps: steps, expecting: revision)
    } catch {
      guard error.code == .operationInterrupted else { throw Problem(error) }
      throw .stale(try editing(store.state()))
    }
    try edits.refresh(asset: asset)
    return .json(StateHistory(state).current, eTag: state.revision)
  }
}

private struct StepFields: Sendable {
  static let declared = RouteFields(
    Self(), .ifMatch(\.revision, .revision), .member("steps", \.steps, .integer(in: 1...1000)))

  var revision = ""
  var steps = 1
}

/// The states of a photo's edit, oldest first, with the differences between them.
struct StateHistory {
  private let state: EditState
  private let records: [EditRecord?]

  init(_ state: EditState) {
    self.state = state
    records = state.journal.history(around: state.record)
  }

  var count: Int { records.count }

  static let schema: Schema = [
    "revision": .text, "current": .integer,
    "states": .list(of: [
      "n": .integer, "edited": .flag, "graph": .graph.orNull, "filters": .texts,
      "changes": .list(of: GraphDifference.schema), "date": .text.optional,
      "editor": .text.optional, "formatIdentifier": .text.optional,
    ]),
  ]

  var json: JSONValue {
    var before: FilterGraph? = FilterGraph()
    let states = records.enumerated().map { index, record in
      let graph = Self.graph(of: record)
      defer { before = graph }
      var members: [String: JSONValue] = [
        "n": .whole(index), "edited": .bool(record != nil), "graph": graph?.json ?? .null,
        "filters": .texts(graph?.nodes.map(\.filter) ?? []),
        "changes": .array(
          before.flatMap { before in graph.map { GraphDifference(before, $0).json } } ?? []),
      ]
      if let record {
        members["date"] = .string(Clock.text(record.date))
        members["editor"] = .string(record.editor)
        members["formatIdentifier"] = .string(record.adjustment.formatIdentifier)
      }
      return JSONValue.object(members)
    }
    return .object([
      "revision": .string(state.revision), "current": .whole(state.undoable.count),
      "states": .array(states),
    ])
  }

  static let currentSchema: Schema = [
    "revision": .text, "edited": .flag, "current": .integer, "historyLength": .integer,
    "date": .text.orNull, "editor": .text.orNull, "graph": .graph.orNull,
  ]

  /// The current state, as answers to changes report it.
  var current: JSONValue {
    .object([
      "revision": .string(state.revision), "edited": .bool(state.isEdited),
      "current": .whole(state.undoable.count), "historyLength": .whole(count),
      "date": .text(state.record.map { Clock.text($0.date) }),
      "editor": .text(state.record?.editor),
      "graph": Self.graph(of: state.record)?.json ?? .null,
    ])
  }

  /// Returns the graph of a state, empty for the original; nil if another program wrote it.
  private static func graph(of record: EditRecord?) -> FilterGraph? {
    guard let record else { return FilterGraph() }
    guard record.adjustment.formatIdentifier == FilterGraph.formatIdentifier else { return nil }
    return record.storedGraph
  }
}

/// The differences between two graphs, by the identifiers of their nodes.
struct GraphDifference {
  static let schema: Schema = [
    "kind": .choice(["removed", "added", "enabled", "disabled", "changed", "moved"]),
    "node": .text, "filter": .text, "key": .text.orNull, "from": .any, "to": .any,
  ]

  private let before: FilterGraph
  private let after: FilterGraph

  init(_ before: FilterGraph, _ after: FilterGraph) {
    (self.before, self.after) = (before, after)
  }

  var json: [JSONValue] {
    let old = Dictionary(before.nodes.map { ($0.id, $0) }) { first, _ in first }
    let remaining = Set(after.nodes.map(\.id))
    var changes: [JSONValue] = []
    for node in before.nodes where !remaining.contains(node.id) {
      changes.append(Self.change("removed", node))
    }
    for node in after.nodes {
      guard let previous = old[node.id], previous.filter == node.filter else {
        changes.append(Self.change("added", node))
        continue
      }
      if previous.isEnabled != node.isEnabled {
        changes.append(Self.change(node.isEnabled ? "enabled" : "disabled", node))
      }
      let (from, to) = (Self.values(of: previous), Self.values(of: node))
      for key in Set(from.keys).union(to.keys).sorted() where from[key] != to[key] {
        changes.append(
          Self.change("changed", node, key: key, from: from[key] ?? .null, to: to[key] ?? .null))
      }
    }
    let kept = before.nodes.map(\.id).filter(remaining.contains)
    let order = after.nodes.map(\.id).filter { old[$0] != nil }
    for (index, id) in order.enumerated() where kept.indices.contains(index) && kept[index] != id {
      if let node = after.nodes.first(where: { $0.id == id }) {
        changes.append(Self.change("moved", node))
      }
    }
    return changes
  }

  private static func values(of node: FilterNode) -> [String: JSONValue] {
    guard case .object(let fields) = node.json, case .object(var values)? = fields["params"]
    else { return ["opacity": .number(node.opacity)] }
    values["opacity"] = .number(node.opacity)
    for name in ["mask", "blend"] { values[name] = fields[name] }
    return values
  }

  private static func change(
    _ kind: String, _ node: FilterNode, key: String? = nil, from: JSONValue = .null,
    to: JSONValue = .null
  ) -> JSONValue {
    .object([
      "kind": .string(kind), "node": .string(node.id), "filter": .string(node.filter),
      "key": .text(key), "from": from, "to": to,
    ])
  }
}
