// SPDX-License-Identifier: Apache-2.0

/// An edit to apply to many photos, with what it would do to each of them.
struct WebBatchPlan: Sendable {
  /// The treatment of edits that photos already have.
  enum Mode: String, Sendable, CaseIterable {
    case add, replace, skip
  }

  /// The effect on one photo.
  struct Row: Sendable {
    let asset: String
    let revision: String
    /// "first", "append", "replace", "skip" or "none".
    let effect: String
    /// The problem of a photo that cannot be edited, or not resumed.
    var problem: Problem?
    var losses: [RenderLoss] = []

    var json: JSONValue {
      .object([
        "id": .string(asset), "revision": .string(revision), "effect": .string(effect),
        "obstacle": .text(problem?.detail), "problem": problem?.json ?? .null,
        "losses": .losses(losses),
        "preselected": .bool(losses.isEmpty && problem == nil && effect != "skip"),
      ])
    }
  }

  let graph: FilterGraph
  /// The files that the graph needs and does not embed.
  let attachments: [SHA256Digest: [UInt8]]
  let mode: Mode
  var rows: [Row] = []

  func row(_ asset: String, in source: any PhotoSource) -> Row {
    do throws(Problem) {
      let store = try source.store(of: asset)
      let state = try editing(store.state())
      if mode == .skip, state.isEdited {
        return Row(asset: asset, revision: state.revision, effect: "skip")
      }
      let session = try session(store)
      let losses = try rendering(session.losses) + source.lossesOfPair(session, asset)
      let effect = !state.isEdited ? "first" : mode == .replace ? "replace" : "append"
      let combined = try combined(session)
      let reason = session.blockingReasons.first ?? session.reasonAgainst(combined)
      return Row(
        asset: asset, revision: session.state.revision, effect: effect,
        problem: reason.map { Problem(.notEditable, $0) }, losses: losses)
    } catch {
      return Row(asset: asset, revision: "", effect: "none", problem: error)
    }
  }

  /// Begins an edit with the files of the plan.
  private func session(_ store: any EditingStore) throws(Problem) -> EditingSession {
    var session = try editing(
      PhotoEditor(ofAnyMedium: store).begin(mode == .replace ? .base : .resuming))
    session.editor.options.assetFiles = { [attachments, stored = session.assets] digest in
      attachments[digest] ?? stored[digest].map { Array($0) }
    }
    return session
  }

  /// Returns the graph of an edit with that of the plan at its end.
  private func combined(_ session: EditingSession) throws(Problem) -> FilterGraph {
    var combined = session.graph
    try translating({ Problem($0 as GraphEditError) }, combined.append(graph))
    return combined
  }

  /// The result for one photo.
  enum Outcome {
    /// The edit was applied, with the new revision that an undo expects.
    case applied(revision: String)
    /// The photo has this edit already, so that there is nothing to undo.
    case unchanged
    /// The photo is no longer as planned.
    case skipped
  }

  /// Applies the edit to a photo that is still as planned.
  func apply(to row: Row, _ store: any EditingStore) throws(Problem) -> Outcome {
    var session = try session(store)
    guard session.state.revision == row.revision else { return .skipped }
    (session.editor.date, session.editor.utcOffset) = Clock.now()
    let (final, graph) = (session, try combined(session))
    let former = session.state.record
    let state = try editing(final.commit(graph)).state
    return state.record?.repeats(former) == true ? .unchanged : .applied(revision: state.revision)
  }
}
