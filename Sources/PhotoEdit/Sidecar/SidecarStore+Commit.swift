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
  public func perform(
    _ change: EditChange, expecting revision: String
  ) throws(EditingError) -> EditState {
    let photo = try filing { () throws(FileError) in try OpenFile(reading: paths.photo) }
    // The original is opened for reading and locked, never written; the kernel releases the lock.
    _ = try filing { () throws(FileError) in try photo.lock(waits: true) }
    let stored = try load()
    let before = state(of: stored)
    guard before.revision == revision else { throw .editedElsewhere(paths.photo) }
    var document: SidecarDocument
    if let known = stored.document {
      document = known
      if acceptsChangedOriginal { document.original = try digestOfOriginal() }
    } else {
      document = SidecarDocument(original: try digestOfOriginal())
    }
    finishEarlierCommit(document)
    if case .revert = change, before.record == nil { return before }
    let plan = try plan(change, from: before, &document)
    document.revision = UUID().uuidString
    do throws(EditingError) {
      try prepare(plan)
      try write(document)
    } catch {
      discard(plan)
      throw error
    }
    finishEarlierCommit(document)
    sweep(document)
    return state(
      of: Stored(document: document, foreign: document.hidesForeign ? nil : stored.foreign))
  }

  private func digestOfOriginal() throws(EditingError) -> Digest {
    try filing { () throws(FileError) in try FileBytes.digest(of: paths.photo) }
  }

  // MARK: What a change needs

  /// Files that must be in place before the commit.
  struct CommitPlan {
    struct Move {
      var from: String
      var to: String
      /// Whether the source stays where it is.
      var isCopy: Bool
    }

    var moves: [Move] = []
    var needsJournal = false
  }

  private func plan(
    _ change: EditChange, from before: EditState, _ document: inout SidecarDocument
  ) throws(EditingError) -> CommitPlan {
    var plan = CommitPlan()
    let old = entry(for: before, document)
    switch change {
    case .edit(let staged, let record, _):
      let target = try renderingPath()
      try checkPlace(target, document)
      keep(old, before, in: &plan)
      place(record, rendering: staged, isCopy: false, at: target, before, in: &plan)
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
      keep(old, before, in: &plan)
      document.redo.append(old)
      try restore(next, before, &document, in: &plan)
    case .redo:
      guard let next = document.redo.popLast() else { throw .nothingToRedo(paths.photo) }
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
    for state: EditState, _ document: SidecarDocument
  ) -> SidecarDocument.JournalEntry {
    SidecarDocument.JournalEntry(
      record: state.record, rendering: state.isForeign ? nil : document.rendering,
      isForeign: state.isForeign)
  }

  /// Keeps in the journal what cannot be made again: foreign renderings, and bases.
  private func keep(
    _ entry: SidecarDocument.JournalEntry, _ state: EditState, in plan: inout CommitPlan
  ) {
    guard let record = entry.record, !entry.isForeign else { return }
    if record.recipe == nil {
      plan.moves.append(
        .init(from: state.current.path, to: paths.kept(record.current), isCopy: true))
      plan.needsJournal = true
    }
    if let base = record.base, let content = state.base {
      plan.moves.append(.init(from: content.path, to: paths.kept(base), isCopy: true))
      plan.needsJournal = true
    }
  }

  /// Puts the contents of a record under their pending names.
  private func place(
    _ record: EditRecord, rendering: String, isCopy: Bool, at target: String,
    _ before: EditState, in plan: inout CommitPlan
  ) {
    plan.moves.append(
      .init(from: rendering, to: SidecarPaths.pending(target, record.current), isCopy: isCopy))
    guard let base = record.base, base != before.record?.base || before.isForeign else { return }
    // The base of a session that did not understand the record is what was current until now.
    let source =
      base == before.record?.current ? before.current.path : paths.kept(base)
    plan.moves.append(
      .init(from: source, to: SidecarPaths.pending(paths.base, base), isCopy: true))
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
    let target = requestedRendering ?? entry.rendering.map { paths.resolved($0) } ?? paths.rendering
    try checkPlace(target, document)
    let rendering = try renderingForRestoring(record, before)
    var restored = record
    // A newer engine may render the same recipe a little differently.
    restored.current = rendering.digest
    place(restored, rendering: rendering.path, isCopy: true, at: target, before, in: &plan)
    set(restored, at: target, in: &document)
  }

  /// Makes the given record the current one; the rendering that it supersedes is to go.
  private func set(_ record: EditRecord?, at target: String?, in document: inout SidecarDocument) {
    document.leftovers = []
    if let old = document.record, let place = document.rendering, target == nil {
      document.leftovers.append(.init(path: place, digest: old.current))
    }
    if let base = document.record?.base, record?.base == nil {
      document.leftovers.append(.init(path: paths.recorded(paths.base), digest: base))
    }
    document.record = record
    document.rendering = target.map { paths.recorded($0) }
    document.hidesForeign = false
  }

  // MARK: What may be replaced

  /// Says early whether a rendering could be put in its place; nothing is written.
  package func checkPlace() throws(EditingError) {
    let stored = try load()
    if stored.document == nil { try checkSidecarPlace() }
    try checkPlace(
      try renderingPath(),
      stored.document ?? SidecarDocument(original: Digest(of: [])))
  }

  /// Refuses to replace anything but a rendering of ours that nobody touched.
  private func checkPlace(_ target: String, _ document: SidecarDocument) throws(EditingError) {
    if Self.isSameFile(target, paths.photo) { throw .isOriginal(target) }
    let entry = try filing { () throws(FileError) in try FileSystem.entry(at: target) }
    guard let entry else { return }
    guard entry == .file else {
      throw EditingError(
        FileError(.exists, path: target, reason: "a folder or special file is in the way"))
    }
    if replacesForeignFiles { return }
    let ours = document.rendering == paths.recorded(target)
    let digest = try filing { () throws(FileError) in try FileBytes.digest(of: target) }
    guard ours, digest == document.record?.current else { throw .occupied(target) }
  }

  /// Refuses to remove a rendering that somebody changed.
  private func checkRemoval(
    _ state: EditState, _ document: SidecarDocument
  ) throws(EditingError) {
    guard !state.isForeign, !replacesForeignFiles, let digest = document.record?.current,
      entry(at: state.current.path) != nil
    else { return }
    let found = try filing { () throws(FileError) in
      try FileBytes.digest(of: state.current.path)
    }
    guard found == digest else { throw .occupied(state.current.path) }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    do throws(FileError) {
      return try FileSystem.resolved(a) == FileSystem.resolved(b)
    } catch {
      return false
    }
  }

  // MARK: The steps

  private func prepare(_ plan: CommitPlan) throws(EditingError) {
    try filing { () throws(FileError) in
      if plan.needsJournal {
        try FileSystem.makeFolder(FileSystem.folder(of: paths.journal))
        try FileSystem.makeFolder(paths.journal)
      }
      for move in plan.moves {
        if move.isCopy {
          try FileSystem.duplicate(move.from, to: move.to)
        } else {
          FileSystem.setDefaultMode(move.from)
          try OpenFile(reading: move.from).sync()
          try FileSystem.rename(move.from, to: move.to)
        }
      }
      for folder in Set(plan.moves.map { FileSystem.folder(of: $0.to) }).sorted() {
        try FileSystem.syncFolder(folder)
      }
    }
  }

  private func write(_ document: SidecarDocument) throws(EditingError) {
    try checkSidecarPlace()
    let bytes: [UInt8]
    do {
      bytes = try document.list.xml()
    } catch {
      throw EditingError(.internalError, path: paths.sidecar, "the record cannot be written")
    }
    try filing { () throws(FileError) in
      let staging = try StagingFolder(in: paths.folder)
      let path = staging.file("sidecar")
      let file = try OpenFile(creating: path)
      try bytes.withUnsafeBufferPointer { buffer throws(FileError) in
        try file.write(UnsafeRawBufferPointer(buffer))
      }
      FileSystem.setDefaultMode(path)
      try file.sync()
      try FileSystem.rename(path, to: paths.sidecar)
      try FileSystem.syncFolder(paths.folder)
    }
  }

  /// The sidecar of another program under our name is never overwritten.
  private func checkSidecarPlace() throws(EditingError) {
    let entry = try filing { () throws(FileError) in try FileSystem.entry(at: paths.sidecar) }
    guard let entry else { return }
    guard entry == .file else { throw .foreignSidecar(paths.sidecar, writer: "another kind") }
    if try load().document == nil {
      throw .foreignSidecar(paths.sidecar, writer: "another program")
    }
  }

  private func discard(_ plan: CommitPlan) {
    for move in plan.moves where move.to.hasSuffix(".pending") {
      // The change has failed already; what cannot be removed is swept by a later one.
      do throws(FileError) { try FileSystem.remove(move.to) } catch {}
    }
  }

  /// Gives pending contents their names and removes superseded files; may be done again and again.
  ///
  /// The state is right without it, so failures are left to whoever comes next.
  func finishEarlierCommit(_ document: SidecarDocument) {
    var contents: [(path: String, digest: Digest)] = []
    if let record = document.record, let place = document.rendering {
      contents.append((paths.resolved(place), record.current))
      if let base = record.base { contents.append((paths.base, base)) }
    }
    var folders: Set<String> = []
    for (path, digest) in contents {
      let pending = SidecarPaths.pending(path, digest)
      guard entry(at: pending) == .file else { continue }
      do throws(FileError) {
        try FileSystem.rename(pending, to: path)
        folders.insert(FileSystem.folder(of: path))
      } catch {}
    }
    for leftover in document.leftovers {
      let path = paths.resolved(leftover.path)
      guard entry(at: path) == .file else { continue }
      do throws(FileError) {
        // Only what we wrote goes; a file that was changed since is somebody's work.
        if try FileBytes.digest(of: path) == leftover.digest {
          try FileSystem.remove(path)
          folders.insert(FileSystem.folder(of: path))
        }
      } catch {}
    }
    for folder in folders {
      do throws(FileError) { try FileSystem.syncFolder(folder) } catch {}
    }
  }

  /// Removes journal contents that no state refers to, and pending ones of changes that failed.
  private func sweep(_ document: SidecarDocument) {
    let kept = Set(document.keptDigests.map { FileSystem.lastName(of: paths.kept($0)) })
    let targets = [paths.base, document.rendering.map { paths.resolved($0) } ?? paths.rendering]
    do throws(FileError) {
      for name in try FileSystem.names(in: paths.journal) where !kept.contains(name) {
        try FileSystem.remove(paths.journal + "/" + name)
      }
      FileSystem.removeFolderIfEmpty(paths.journal)
      FileSystem.removeFolderIfEmpty(FileSystem.folder(of: paths.journal))
      for target in targets {
        let folder = FileSystem.folder(of: target)
        let prefix = "." + FileSystem.lastName(of: target) + "."
        for name in try FileSystem.names(in: folder)
        where name.hasPrefix(prefix) && name.hasSuffix(".pending") {
          try FileSystem.remove(folder + "/" + name)
        }
      }
    } catch {}
  }
}
