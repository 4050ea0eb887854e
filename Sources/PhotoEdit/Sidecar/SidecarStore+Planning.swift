// SPDX-License-Identifier: Apache-2.0

extension SidecarStore {
  /// The files that must be in place before the commit.
  struct CommitPlan {
    struct Move {
      var from: String
      var to: String
      var digest: SHA256Digest
      /// Indicates whether the source is kept; its bytes are then compared with the digest.
      var isCopy: Bool
      /// Indicates whether the change is made even if this content is not available.
      var isOptional = false
    }

    var moves: [Move] = []
    var needsJournal = false
    var target: String?
    /// A pending file, its final path, and the mark that it receives.
    struct Publication {
      var pending: String
      var target: String
      var digest: SHA256Digest
      var mark: RenderingMark?
    }

    var publications: [Publication] = []
    typealias Replaced = (path: String, use: ClaimedUse, claim: FileClaim)
    /// The existing files that this commit replaces.
    var replaced: [Replaced] = []
    /// Notices about superseded files that are not removed, with the reason.
    var notices: [String] = []

    /// Plans a copy of a state's file in the journal, made before another file takes its name.
    mutating func keep(
      _ digest: SHA256Digest, of path: String, at journalPath: String, isOptional: Bool
    ) {
      moves.append(
        .init(from: path, to: journalPath, digest: digest, isCopy: true, isOptional: isOptional))
      needsJournal = true
    }
  }

  /// Returns the files that a change stores, publishes and replaces, and updates the document.
  func plan(
    _ change: EditChange, _ steps: Int, from before: EditState, _ former: SidecarDocument?,
    _ document: inout SidecarDocument
  ) throws(EditingError) -> CommitPlan {
    var plan = CommitPlan()
    var old = entry(for: before, document, former)
    switch change {
    case .edit(let staged, let record, _, _, _, _):
      let target = try renderingPath(after: document)
      let claim = try checkDestination(target, document)
      planReplacement(claim, at: target, before, &old, in: &plan)
      let isRepeated =
        claim.needsNoCopy && paths.recorded(target) == old.rendering
        && document.original == old.original && record.repeats(old.record)
      if !isRepeated { keep(old, before, in: &plan) }
      try planPublication(record, rendering: staged, at: target, before, document, in: &plan)
      if !isRepeated { document.journal.append(old) }
      set(record, at: target, in: &document)
    case .revert:
      let leftovers = try removals(before, document, &old, in: &plan)
      keep(old, before, in: &plan)
      document.journal.append(old)
      set(nil, at: nil, leftovers, in: &document)
      document.hidesThirdPartyEdit = true
    case .undo: try restore(.undo, steps, before, &old, &document, in: &plan)
    case .redo: try restore(.redo, steps, before, &old, &document, in: &plan)
    }
    document.journal.trim(to: journalDepth)
    try trackReplacedFiles(plan.replaced, in: &document)
    return plan
  }

  private func entry(
    for state: EditState, _ document: SidecarDocument, _ former: SidecarDocument?
  ) -> SidecarDocument.JournalEntry {
    let photo = state.record == nil ? document : former ?? document
    return SidecarDocument.JournalEntry(
      record: state.record, rendering: state.isThirdParty ? nil : document.rendering,
      isThirdParty: state.isThirdParty, original: photo.original,
      originalPixels: photo.originalPixels)
  }

  /// Keeps contents in the journal that cannot be rendered again: third-party renderings and bases.
  ///
  /// Contents that are missing or were changed cannot be kept, which must not prevent a revert.
  private func keep(
    _ entry: SidecarDocument.JournalEntry, _ state: EditState, in plan: inout CommitPlan
  ) {
    guard journalDepth > 0, let record = entry.record, !entry.isThirdParty else { return }
    if !record.canBeRenderedAgain {
      plan.keep(
        record.current, of: state.current.path, at: paths.journalPath(record.current),
        isOptional: true)
    }
    if let base = record.base, let content = state.base {
      plan.keep(base, of: content.path, at: paths.journalPath(base), isOptional: true)
    }
  }

  /// Plans the files for the contents of a record under their pending names.
  private func planPublication(
    _ record: EditRecord, rendering: String, at target: String, _ before: EditState,
    _ document: SidecarDocument, in plan: inout CommitPlan
  ) throws(EditingError) {
    let isInJournal = rendering == paths.journalPath(record.current)
    plan.target = target
    plan.moves.append(
      .init(
        from: rendering, to: paths.pending(target, record.current), digest: record.current,
        isCopy: isInJournal))
    plan.publications.append(
      .init(
        pending: paths.pending(target, record.current), target: target, digest: record.current))
    guard let base = record.base, base != before.record?.base || before.isThirdParty else { return }
    let claim = try checkBasePath(document)
    plan.replaced.append((paths.base, .base, claim))
    if case .named(let digest) = claim {
      plan.keep(digest, of: paths.base, at: paths.journalPath(digest), isOptional: false)
    }
    // The base of a session that did not understand the record is the previously current version.
    let source =
      base == before.record?.current ? before.current.path : paths.journalPath(base)
    plan.moves.append(
      .init(from: source, to: paths.pending(paths.base, base), digest: base, isCopy: true))
    plan.publications.append(
      .init(pending: paths.pending(paths.base, base), target: paths.base, digest: base))
  }

  private func restore(
    _ step: EditStep, _ steps: Int, _ before: EditState, _ old: inout SidecarDocument.JournalEntry,
    _ document: inout SidecarDocument, in plan: inout CommitPlan
  ) throws(EditingError) {
    guard let next = document.journal[step, steps] else {
      throw step.unavailable(for: paths.photo)
    }
    document.original = next.original ?? document.original
    // The files of the restored state are known because it is still in the journal.
    try restore(next, before, &old, &document, in: &plan)
    keep(old, before, in: &plan)
    document.journal.move(step, steps, from: old)
  }

  private func restore(
    _ entry: SidecarDocument.JournalEntry, _ before: EditState,
    _ old: inout SidecarDocument.JournalEntry, _ document: inout SidecarDocument,
    in plan: inout CommitPlan
  ) throws(EditingError) {
    guard let record = entry.record, !entry.isThirdParty else {
      let leftovers = try removals(before, document, &old, in: &plan)
      set(nil, at: nil, leftovers, in: &document)
      document.hidesThirdPartyEdit = !entry.isThirdParty
      return
    }
    var target = requestedRendering ?? paths.rendering
    if requestedRendering == nil, let recorded = entry.rendering {
      target = try self.target(recorded, document, record.current)
    }
    planReplacement(try checkDestination(target, document), at: target, before, &old, in: &plan)
    // The photo was compared with the record when the change began.
    var now = before
    now.original = EditState.Content(path: paths.photo, digest: document.original)
    if before.record?.base == nil, before.base != nil { now.base = now.original }
    let rendering = try renderingForRestoring(record, now)
    var restored = record
    // A newer engine may render the same settings slightly differently.
    restored.current = rendering.digest
    try planPublication(
      restored, rendering: rendering.path, at: target, before, document, in: &plan)
    set(restored, at: target, in: &document)
  }

  /// Sets the current record and lists the files that it supersedes for removal.
  private func set(
    _ record: EditRecord?, at target: String?, _ leftovers: [SidecarDocument.Leftover] = [],
    in document: inout SidecarDocument
  ) {
    document.leftovers = leftovers
    if let base = document.record?.base, record?.base == nil {
      document.leftovers.append(.init(path: paths.recorded(paths.base), digest: base))
    }
    document.record = record
    document.rendering = target.map { paths.recorded($0) }
    document.hidesThirdPartyEdit = false
  }
}
