// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Storage

/// Changes, each of them one rename.
///
/// 1. New contents lie complete and durable under pending names, old ones in the journal.
/// 2. The new sidecar is renamed over the old one: that is the commit.
/// 3. Pending contents get their names, superseded files go.
///
/// Killed before 2, the old state stands and the next change sweeps what was prepared. Killed
/// after 2, the new state stands and whoever comes next does the rest of 3.
extension SidecarStore {
  /// Seconds to wait for another process that changes the same photo; undo may render meanwhile.
  private static let patience = 30

  public func perform(
    _ change: EditChange, expecting revision: String
  ) throws(EditingError) -> EditState {
    let photo = try filing { () throws(FileError) in try OpenFile(reading: paths.photo) }
    // The original is opened for reading and locked, never written; the kernel releases the lock.
    // Without locks the revision alone tells whether somebody else was here.
    let lock = try filing { () throws(FileError) in try photo.lock(within: Self.patience) }
    guard lock != .heldElsewhere else { throw .busy(paths.photo, seconds: Self.patience) }
    let stored = try load(isDecisive: true)
    guard state(of: stored).revision == revision else { throw .editedElsewhere(paths.photo) }
    if let document = stored.document { finishEarlierCommit(document) }
    // Only now are contents where their names say.
    let before = state(of: stored)
    if case .revert = change, before.record == nil { return before }
    var document = try document(for: change, stored, before)
    let plan = try plan(change, from: before, stored.document?.original, &document)
    document.revision = UUID().uuidString
    do throws(EditingError) {
      try prepare(plan)
      try write(document, over: stored.document)
    } catch {
      takeBack(plan, stored.document ?? document)
      throw error
    }
    publish(plan)
    finishEarlierCommit(document)
    sweep(document)
    if document.record != nil || document.hidesForeign {
      return state(of: Stored(document: document))
    }
    do throws(EditingError) {
      // Another program's edit counts again.
      return state(of: try load(isDecisive: true))
    } catch {
      // The change is made; a failure to read it again must not say otherwise.
      return state(of: Stored(document: document))
    }
  }

  /// The document to be changed; makes sure that its journal belongs to this original.
  private func document(
    for change: EditChange, _ stored: Stored, _ before: EditState
  ) throws(EditingError) -> SidecarDocument {
    func found() throws(EditingError) -> Digest {
      try filing { () throws(FileError) in try FileBytes.digest(of: paths.photo) }
    }
    guard var document = stored.document else {
      let original = try found()
      try check(original, isInputOf: change, before)
      return SidecarDocument(original: original)
    }
    switch change {
    case .edit where before.record == nil || acceptsChangedOriginal:
      document.original = try found()
      try check(document.original, isInputOf: change, before)
    case .undo, .redo:
      let isUndo = if case .undo = change { true } else { false }
      guard let next = isUndo ? document.undo.last : document.redo.last else {
        throw isUndo ? .nothingToUndo(paths.photo) : .nothingToRedo(paths.photo)
      }
      let (wanted, original) = (next.original ?? document.original, try found())
      guard original == wanted else {
        throw .changedOriginal(paths.photo, recorded: wanted, found: original)
      }
    case .edit, .revert: break
    }
    return document
  }

  /// Refuses an edit of a photo that became another one between session and commit.
  private func check(
    _ original: Digest, isInputOf change: EditChange, _ before: EditState
  ) throws(EditingError) {
    guard case .edit(_, let record, let kind, let input?, _, _) = change, kind != .notUnderstood,
      record.base == nil, input != original
    else { return }
    throw .changedMeanwhile(paths.photo, was: input, found: original)
  }

  // MARK: What a change needs

  /// Files that must be in place before the commit.
  struct CommitPlan {
    struct Move {
      var from: String
      var to: String
      var digest: Digest
      /// Whether the source stays where it is; its bytes are compared with the digest then.
      var isCopy: Bool
      /// Whether the change is made even though this content is not to be had.
      var isOptional = false
    }

    var moves: [Move] = []
    var needsJournal = false
    /// The place of the rendering.
    var target: String?
    /// Pending names and the names they are for.
    var publications: [(pending: String, target: String)] = []
  }

  private func plan(
    _ change: EditChange, from before: EditState, _ original: Digest?,
    _ document: inout SidecarDocument
  ) throws(EditingError) -> CommitPlan {
    var plan = CommitPlan()
    let old = entry(for: before, document, original)
    switch change {
    case .edit(let staged, let record, _, _, _, _):
      let target = renderingPath(after: document)
      try checkPlace(target, document)
      keep(old, before, in: &plan)
      try place(record, rendering: staged, at: target, before, document, in: &plan)
      document.undo.append(old)
      document.redo = []
      set(record, at: target, in: &document)
    case .revert:
      try checkRemoval(before, document)
      keep(old, before, in: &plan)
      document.undo.append(old)
      document.redo = []
      set(nil, at: nil, in: &document)
      document.hidesForeign = true
    case .undo:
      guard let next = document.undo.popLast() else { throw .nothingToUndo(paths.photo) }
      document.original = next.original ?? document.original
      keep(old, before, in: &plan)
      document.redo.append(old)
      try restore(next, before, &document, in: &plan)
    case .redo:
      guard let next = document.redo.popLast() else { throw .nothingToRedo(paths.photo) }
      document.original = next.original ?? document.original
      keep(old, before, in: &plan)
      document.undo.append(old)
      try restore(next, before, &document, in: &plan)
    }
    if document.undo.count > journalDepth {
      document.undo.removeFirst(document.undo.count - journalDepth)
    }
    return plan
  }

  private func entry(
    for state: EditState, _ document: SidecarDocument, _ original: Digest?
  ) -> SidecarDocument.JournalEntry {
    SidecarDocument.JournalEntry(
      record: state.record, rendering: state.isForeign ? nil : document.rendering,
      isForeign: state.isForeign,
      original: state.record == nil ? document.original : original ?? document.original)
  }

  /// Keeps in the journal what cannot be made again: foreign renderings, and bases.
  ///
  /// What is gone or was changed by somebody cannot be kept, and that must not stop a revert.
  private func keep(
    _ entry: SidecarDocument.JournalEntry, _ state: EditState, in plan: inout CommitPlan
  ) {
    guard journalDepth > 0, let record = entry.record, !entry.isForeign else { return }
    if record.recipe == nil {
      plan.moves.append(
        .init(
          from: state.current.path, to: paths.kept(record.current), digest: record.current,
          isCopy: true, isOptional: true))
      plan.needsJournal = true
    }
    if let base = record.base, let content = state.base {
      plan.moves.append(
        .init(
          from: content.path, to: paths.kept(base), digest: base, isCopy: true, isOptional: true))
      plan.needsJournal = true
    }
  }

  /// Puts the contents of a record under their pending names.
  private func place(
    _ record: EditRecord, rendering: String, at target: String, _ before: EditState,
    _ document: SidecarDocument, in plan: inout CommitPlan
  ) throws(EditingError) {
    let isKept = rendering == paths.kept(record.current)
    plan.target = target
    plan.moves.append(
      .init(
        from: rendering, to: paths.pending(target, record.current), digest: record.current,
        isCopy: isKept))
    plan.publications.append((paths.pending(target, record.current), target))
    guard let base = record.base, base != before.record?.base || before.isForeign else { return }
    try checkBasePlace(document)
    // The base of a session that did not understand the record is what was current until now.
    let source =
      base == before.record?.current ? before.current.path : paths.kept(base)
    plan.moves.append(
      .init(from: source, to: paths.pending(paths.base, base), digest: base, isCopy: true))
    plan.publications.append((paths.pending(paths.base, base), paths.base))
  }

  private func restore(
    _ entry: SidecarDocument.JournalEntry, _ before: EditState,
    _ document: inout SidecarDocument, in plan: inout CommitPlan
  ) throws(EditingError) {
    guard let record = entry.record, !entry.isForeign else {
      try checkRemoval(before, document)
      set(nil, at: nil, in: &document)
      document.hidesForeign = !entry.isForeign
      return
    }
    // The restored state is known as well, though it has left the journal.
    var known = document
    known.redo.append(entry)
    let target =
      requestedRendering ?? entry.rendering.map { followed($0, known, record.current) }
      ?? paths.rendering
    try checkPlace(target, known)
    let rendering = try renderingForRestoring(record, before)
    var restored = record
    // A newer engine may render the same recipe a little differently.
    restored.current = rendering.digest
    try place(restored, rendering: rendering.path, at: target, before, known, in: &plan)
    set(restored, at: target, in: &document)
  }

  /// Makes the given record the current one; the rendering that it supersedes is to go.
  private func set(_ record: EditRecord?, at target: String?, in document: inout SidecarDocument) {
    document.leftovers = []
    if let old = document.record, let place = document.rendering, target == nil {
      document.leftovers.append(
        .init(path: place, digest: digestToRemove(at: paths.resolved(place)) ?? old.current))
    }
    if let base = document.record?.base, record?.base == nil {
      document.leftovers.append(.init(path: paths.recorded(paths.base), digest: base))
    }
    document.record = record
    document.rendering = target.map { paths.recorded($0) }
    document.hidesForeign = false
  }

  // MARK: The steps

  private func prepare(_ plan: CommitPlan) throws(EditingError) {
    if plan.needsJournal {
      try filing { () throws(FileError) in
        try makeJournal()
      }
    }
    for move in plan.moves {
      if move.isCopy {
        do throws(EditingError) {
          try copy(move)
        } catch {
          guard move.isOptional, [.missingResource, .invalidResource].contains(error.code) else {
            throw error
          }
        }
      } else {
        try filing { () throws(FileError) in
          FileSystem.setDefaultMode(move.from)
          try OpenFile(reading: move.from).sync()
          try FileSystem.rename(move.from, to: move.to)
        }
      }
    }
    var folders = Set(plan.moves.map { FileSystem.folder(of: $0.to) })
    if plan.needsJournal { folders.formUnion([paths.journals, paths.folder]) }
    for folder in folders.sorted() {
      try filing { () throws(FileError) in try FileSystem.syncFolder(folder) }
    }
  }

  /// Makes the journal's folder.
  func makeJournal() throws(FileError) {
    for attempt in 1... {
      try FileSystem.makeFolder(paths.journals)
      do throws(FileError) {
        return try FileSystem.makeFolder(paths.journal)
      } catch {
        // A change of another photo may have removed the common folder, which was empty.
        guard [.missing, .noPlace].contains(error.kind), attempt < 100 else { throw error }
      }
    }
  }

  /// Copies a content that must be the one with the digest; a part of one never gets the name.
  private func copy(_ move: CommitPlan.Move) throws(EditingError) {
    let isPending = move.to.hasSuffix(".pending")
    if !isPending, entry(at: move.to) == .file, hasDigest(move.digest, at: move.to) { return }
    let part = move.to + SidecarPaths.partial
    let digest = try filing { () throws(FileError) in
      // Left over from a change that was interrupted.
      try FileSystem.remove(part)
      try FileSystem.copy(move.from, to: part)
      return try FileBytes.digest(of: part)
    }
    guard digest == move.digest else {
      do throws(FileError) { try FileSystem.remove(part) } catch {}
      throw .changedContent(move.from, recorded: move.digest)
    }
    if isPending { FileSystem.setDefaultMode(part) }
    try filing { () throws(FileError) in try FileSystem.rename(part, to: move.to) }
  }

  private func write(
    _ document: SidecarDocument, over old: SidecarDocument?
  ) throws(EditingError) {
    try checkSidecarPlace(knowing: old)
    let bytes = try document.encoded(for: paths.sidecar)
    try filing { () throws(FileError) in
      let staging = try StagingFolder(in: paths.folder)
      defer { staging.discard() }
      let path = staging.file("sidecar")
      let file = try OpenFile(creating: path)
      try file.write(bytes)
      FileSystem.setDefaultMode(path)
      try file.sync()
      let isFirst = try FileSystem.entry(at: paths.sidecar) == nil
      let previous = staging.file("previous")
      if !isFirst { try FileSystem.duplicate(paths.sidecar, to: previous) }
      try FileSystem.rename(path, to: paths.sidecar)
      do throws(FileError) {
        try FileSystem.syncFolder(paths.folder)
      } catch {
        do throws(FileError) {
          if isFirst {
            try FileSystem.remove(paths.sidecar)
          } else {
            try FileSystem.rename(previous, to: paths.sidecar)
          }
        } catch {
          // The new sidecar stands, so the change is made; telling otherwise would be wrong.
          return
        }
        throw error
      }
    }
  }
}
