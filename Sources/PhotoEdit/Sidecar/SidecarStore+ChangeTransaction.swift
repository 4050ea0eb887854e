// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

/// Changes, each of which is committed by a single rename.
///
/// 1. New contents are stored, complete and synced, under pending names; old ones in the journal.
/// 2. The new sidecar is renamed over the old one: that is the commit.
/// 3. Pending contents are renamed into place, and superseded files are removed.
///
/// If the process is killed before step 2, the old state remains valid, and the next change removes
/// what was prepared. If it is killed after step 2, the new state is valid, and the next change
/// completes step 3.
extension SidecarStore {
  /// The time to wait for another process that changes the same photo, in seconds; an undo may be
  /// rendering.
  private static let busyTimeout = 30

  public func perform(
    _ change: EditChange, expecting revision: String
  ) throws(EditingError) -> EditState {
    try perform(change, steps: 1, expecting: revision)
  }

  public func perform(
    _ change: EditChange, steps: Int, expecting revision: String
  ) throws(EditingError) -> EditState {
    try createStateFolder()
    let photo = try mapFileErrors(OpenFile(reading: paths.photo))
    // The original is opened for reading and locked, never written; the kernel releases the lock.
    // Without locks, only the revision shows whether another process made a change.
    let lock = try mapFileErrors(photo.lock(within: Self.busyTimeout))
    guard lock != .busy else { throw .busy(paths.photo, seconds: Self.busyTimeout) }
    let stored = try load()
    guard state(of: stored).revision == revision else { throw .editedByAnotherProcess(paths.photo) }
    if let document = stored.document { finishEarlierCommit(document) }
    // From here on, contents are at the paths that their names indicate.
    let before = state(of: stored)
    if case .revert = change, before.record == nil { return before }
    var document = try document(for: change, steps, stored, before, photo)
    var plan = try plan(change, steps, from: before, stored.document, &document)
    for index in plan.publications.indices {
      let digest = plan.publications[index].digest
      plan.publications[index].mark = mark(digest, document)
    }
    document.revision = UUID().uuidString
    if paths.isInState { document.notePhoto(at: paths.photo) }
    do throws(EditingError) {
      try prepare(plan)
      try write(document, over: stored.document)
    } catch {
      rollBack(plan, stored.document ?? document)
      throw error
    }
    publish(plan)
    finishEarlierCommit(document)
    removeStaleFiles(document)
    if document.record != nil || document.hidesThirdPartyEdit {
      return state(of: LoadedSidecar(document: document, notices: plan.notices))
    }
    do throws(EditingError) {
      // A third-party edit may have become current again.
      var stored = try load()
      stored.notices += plan.notices
      return state(of: stored)
    } catch {
      // The change is complete; a failure to read it back must not be reported as a failed change.
      return state(of: LoadedSidecar(document: document, notices: plan.notices))
    }
  }

  /// Returns the document to change; checks that its journal belongs to this original.
  private func document(
    for change: EditChange, _ steps: Int, _ stored: LoadedSidecar, _ before: EditState,
    _ photo: borrowing OpenFile
  ) throws(EditingError) -> SidecarDocument {
    guard var document = stored.document else {
      let found = try digests(of: photo, checking: change, before)
      var document = SidecarDocument(original: found.file)
      document.originalPixels = found.pixels
      return document
    }
    switch change {
    case .edit where before.record == nil || acceptsChangedOriginal:
      (document.original, document.originalPixels) =
        try digests(of: photo, checking: change, before)
    case .edit(_, let record, let kind, let input?, _, _)
    where record.base == nil && kind != .notUnderstood:
      // Edits of earlier versions get the digest of the pixels now.
      guard input != document.original || document.originalPixels == nil else { break }
      let found = try digests(of: photo, checking: change, before)
      let hasRecordedPixels = found.pixels != nil && found.pixels == document.originalPixels
      guard found.file == document.original || hasRecordedPixels else {
        throw .changedOriginal(paths.photo, recorded: document.original, found: found.file)
      }
      (document.original, document.originalPixels) = found
    case .undo, .redo:
      let step: EditStep = if case .undo = change { .undo } else { .redo }
      guard let next = document.journal[step, steps] else {
        throw step.unavailable(for: paths.photo)
      }
      let expected = next.original ?? document.original
      let original = try mapFileErrors(FileBytes.digest(of: paths.photo))
      let pixels = next.original == nil ? document.originalPixels : next.originalPixels
      guard original == expected || hasPixels(pixels) else {
        throw .changedOriginal(paths.photo, recorded: expected, found: original)
      }
      document.originalPixels = pixels
      document.journal[step, steps]?.original = original
    case .edit, .revert: break
    }
    return document
  }

  /// Returns whether the photo has the recorded pixels, regardless of its metadata.
  func hasPixels(_ recorded: SHA256Digest?) -> Bool {
    recorded != nil && PixelDigest.digest(of: paths.photo) == recorded
  }

  /// Returns the digests of the locked photo if it is the one that was edited.
  private func digests(
    of photo: borrowing OpenFile, checking change: EditChange, _ before: EditState
  ) throws(EditingError) -> (file: SHA256Digest, pixels: SHA256Digest?) {
    let found = try translating(EditingError.init) { () throws(FileError) in
      try PixelDigest.digests(of: photo)
    }
    try check(found.file, isInputOf: change, before)
    return found
  }

  /// Rejects an edit if the photo was replaced by another one between session and commit.
  private func check(
    _ original: SHA256Digest, isInputOf change: EditChange, _ before: EditState
  ) throws(EditingError) {
    guard case .edit(_, let record, let kind, let input?, _, _) = change, kind != .notUnderstood,
      record.base == nil, input != original
    else { return }
    throw .changedMeanwhile(paths.photo, was: input, found: original)
  }

  // MARK: Contents

  private func prepare(_ plan: CommitPlan) throws(EditingError) {
    if plan.needsJournal {
      try mapFileErrors(createJournalFolder())
    }
    for move in plan.moves {
      if move.isCopy {
        do throws(EditingError) {
          try copy(move)
          plan.publications.first { $0.pending == move.to }?.mark?.write(to: move.to)
        } catch {
          guard move.isOptional,
            [.missing, .unsuitable, .tooLarge].contains(error.failureClass)
          else { throw error }
        }
      } else {
        try translating(EditingError.init) { () throws(FileError) in
          FileSystem.share(move.from, like: paths.photo)
          plan.publications.first { $0.pending == move.to }?.mark?.write(to: move.from)
          try OpenFile(reading: move.from).sync()
          try FileSystem.rename(move.from, to: move.to)
        }
      }
    }
    var folders = Set(plan.moves.map { FileSystem.folder(of: $0.to) })
    if plan.needsJournal { folders.formUnion([paths.journals, paths.folder]) }
    for folder in folders.sorted() {
      try mapFileErrors(FileSystem.syncFolder(folder))
    }
  }

  func createJournalFolder() throws(FileError) {
    for attempt in 1... {
      try FileSystem.createFolder(paths.journals)
      do throws(FileError) {
        return try FileSystem.createFolder(paths.journal)
      } catch {
        // A change of another photo may have removed the common folder, which was empty.
        guard [.missing, .invalidDestination].contains(error.kind), attempt < 100 else {
          throw error
        }
      }
    }
  }

  /// Copies contents that must match the digest; a partial copy never gets the final name.
  func copy(_ move: CommitPlan.Move) throws(EditingError) {
    let isPending = move.to.hasSuffix(".pending")
    if !isPending, entry(at: move.to) == .file, hasDigest(move.digest, at: move.to) { return }
    let part = move.to + SidecarPaths.partial
    let digest = try translating(EditingError.init) { () throws(FileError) in
      // This may be a leftover of an interrupted change.
      try FileSystem.remove(part)
      try FileSystem.copy(move.from, to: part)
      return try FileBytes.digest(of: part)
    }
    guard digest == move.digest else {
      do throws(FileError) { try FileSystem.remove(part) } catch {}
      throw .changedContent(move.from, recorded: move.digest)
    }
    if isPending { FileSystem.share(part, like: paths.photo) }
    try mapFileErrors(FileSystem.rename(part, to: move.to))
  }
}
