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
    /// The reason why the photo cannot be edited, or not resumed.
    let reason: String?
    let losses: [RenderLoss]

    var json: JSONValue {
      .object([
        "id": .string(asset), "revision": .string(revision), "effect": .string(effect),
        "obstacle": .text(reason), "losses": .losses(losses),
        "preselected": .bool(losses.isEmpty && reason == nil && effect != "skip"),
      ])
    }
  }

  let graph: FilterGraph
  /// The files that the graph needs and does not embed.
  let attachments: [SHA256Digest: [UInt8]]
  let mode: Mode
  var rows: [Row] = []

  func row(_ asset: String, _ store: any EditingStore) -> Row {
    do throws(EditingError) {
      let state = try store.state()
      if mode == .skip, state.isEdited {
        return Row(
          asset: asset, revision: state.revision, effect: "skip", reason: nil, losses: [])
      }
      let session = try PhotoEditor(store).begin(mode == .replace ? .base : .resuming)
      let losses = try translating({ EditingError($0, path: asset) }) { () throws(RenderError) in
        try session.input.image.map(Renderer.losses) ?? []
      }
      let effect = !state.isEdited ? "first" : mode == .replace ? "replace" : "append"
      return Row(
        asset: asset, revision: state.revision, effect: effect,
        reason: session.blockingReasons.first, losses: losses)
    } catch {
      return Row(asset: asset, revision: "", effect: "none", reason: error.message, losses: [])
    }
  }

  /// Applies the edit to a photo that is still as planned.
  func apply(to row: Row, _ store: any EditingStore) throws(Problem) -> Bool {
    var session = try editing(PhotoEditor(store).begin(mode == .replace ? .base : .resuming))
    guard session.state.revision == row.revision else { return false }
    var combined = session.graph
    try translating({ Problem($0 as GraphEditError) }, combined.append(graph))
    (session.editor.date, session.editor.utcOffset) = Clock.now()
    session.editor.options.assetFiles = { [attachments] in attachments[$0] }
    let (final, finalSession) = (combined, session)
    _ = try editing(finalSession.commit(final))
    return true
  }
}

/// The plans that were made and not carried out yet.
final class BatchPlans: Sendable {
  private static let maximumCount = 16
  private let plans = LockedValue<(count: Int, all: [(id: String, plan: WebBatchPlan)])>((0, []))

  func add(_ plan: WebBatchPlan) -> String {
    plans.withLock { plans in
      plans.count += 1
      plans.all.append(("b\(plans.count)", plan))
      if plans.all.count > Self.maximumCount { plans.all.removeFirst() }
      return "b\(plans.count)"
    }
  }

  /// Removes a plan, which is carried out once.
  func take(_ id: String) throws(Problem) -> WebBatchPlan {
    let found = plans.withLock { plans in
      plans.all.firstIndex { $0.id == id }.map { plans.all.remove(at: $0).plan }
    }
    guard let found else { throw Problem(.notFound, "no such plan; create it again") }
    return found
  }
}
