// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The work that remains after a commit or a failed change; it can be repeated.
///
/// The state is valid without it, so failures are left to the next change.
extension SidecarStore {
  /// Renames the contents of the current commit into place; the paths were checked.
  func publish(_ plan: CommitPlan) {
    var folders: Set<String> = []
    for publication in plan.publications {
      guard (try? FileSystem.rename(publication.pending, to: publication.target)) != nil else {
        continue
      }
      folders.insert(FileSystem.folder(of: publication.target))
    }
    sync(folders)
  }

  /// Completes a change of the edit whose process ended after its commit, and removes the files that
  /// it left; does nothing if another process holds the lock.
  public func finishInterruptedChange() {
    guard let document = storedDocument(), isUnfinished(document),
      let photo = try? OpenFile(reading: paths.photo)
    else { return }
    // Another process that holds the lock finishes its change itself.
    guard let lock = try? photo.lock(), lock != .busy, let document = storedDocument() else {
      return
    }
    finishEarlierCommit(document)
    removeStaleFiles(document)
    StagingFolder.removeStaleStaging(in: paths.folder)
  }

  /// Returns the document of photoedit's sidecar; nil if it is missing or cannot be read.
  private func storedDocument() -> SidecarDocument? {
    guard let list = try? list(at: paths.sidecar) else { return nil }
    return try? SidecarDocument(list, path: paths.sidecar)
  }

  /// Returns whether files of the last commit are not where they belong.
  private func isUnfinished(_ document: SidecarDocument) -> Bool {
    var paths = document.leftovers.map { self.paths.resolved($0.path) }
    if let record = document.record, let rendering = document.rendering {
      paths.append(self.paths.pending(self.paths.resolved(rendering), record.current))
      if let base = record.base { paths.append(self.paths.pending(self.paths.base, base)) }
    }
    if paths.contains(where: { entry(at: $0) == .file }) { return true }
    let needed = journalNames(document)
    let journal = try? OpenFile(folder: self.paths.journal, followsLink: false).names()
    return journal?.contains { self.paths.isJournalFile($0) && !needed.contains($0) } ?? false
  }

  /// Returns the names of the journal files that states refer to.
  private func journalNames(_ document: SidecarDocument) -> Set<String> {
    Set(document.journalDigests.map { FileSystem.lastName(of: paths.journalPath($0)) })
  }

  /// Renames pending contents into place and removes superseded files.
  func finishEarlierCommit(_ document: SidecarDocument) {
    var folders: Set<String> = []
    if let record = document.record, let path = document.rendering {
      let target = paths.resolved(path)
      if rollForward(record.current, to: target, .rendering, document) {
        folders.insert(FileSystem.folder(of: target))
      }
      if let base = record.base, rollForward(base, to: paths.base, .base, document) {
        folders.insert(paths.folder)
      }
    }
    for leftover in document.leftovers {
      let path = paths.resolved(leftover.path)
      let use: ClaimedUse = paths.isSame(path, paths.base) ? .base : .rendering
      guard mayRemove(path, use, [leftover.digest], document),
        (try? FileSystem.remove(path)) != nil
      else { continue }
      folders.insert(FileSystem.folder(of: path))
    }
    sync(folders)
  }

  /// Returns whether a file was created by photoedit, has one of the contents, and can be removed
  /// without loss.
  private func mayRemove(
    _ path: String, _ use: ClaimedUse, _ digests: Set<SHA256Digest>, _ document: SidecarDocument
  ) -> Bool {
    do throws(EditingError) {
      switch try claim(on: path, as: use, digests, document) {
      case .absent, .doubtful, .barred: return false
      case .proven: return true
      case .named(let digest), .forced(let digest):
        guard digests.contains(digest), document.stateDigests.contains(digest) else { return false }
        let journalPath = paths.journalPath(digest)
        if entry(at: journalPath) == .file, hasDigest(digest, at: journalPath) { return true }
        // A commit of an earlier version was interrupted before this step.
        try mapFileErrors(createJournalFolder())
        try copy(.init(from: path, to: journalPath, digest: digest, isCopy: true))
        // The copy must outlast the removal of its source.
        sync([paths.folder, paths.journals, paths.journal])
        return true
      }
    } catch {
      return false
    }
  }

  /// Publishes one pending file unless another file was put at its path in the meantime.
  private func rollForward(
    _ digest: SHA256Digest, to target: String, _ use: ClaimedUse, _ document: SidecarDocument
  ) -> Bool {
    let pending = paths.pending(target, digest)
    guard entry(at: pending) == .file, paths.isHere(target) || isRequested(target) else {
      return false
    }
    do throws(FileError) {
      if try FileSystem.entry(at: target) == nil {
        try FileSystem.renameExclusively(pending, to: target)
        return true
      }
      guard mayRemove(target, use, document.ownFiles(use), document) else { return false }
      try FileSystem.rename(pending, to: target)
      return true
    } catch {
      return false
    }
  }

  /// Syncs the names in folders as far as possible.
  func sync(_ folders: Set<String>) {
    for folder in folders.sorted() {
      do throws(FileError) { try FileSystem.syncFolder(folder) } catch {}
    }
  }

  /// Rolls back what was prepared for a failed change; the staged rendering stays usable.
  func rollBack(_ plan: CommitPlan, _ document: SidecarDocument) {
    for move in plan.moves where !move.isCopy && !FileSystem.itemExists(move.from) {
      do throws(FileError) { try FileSystem.rename(move.to, to: move.from) } catch {}
    }
    removeStaleFiles(document, plan.target)
  }

  /// Removes journal contents that no state refers to, and pending contents of failed changes.
  ///
  /// - Parameter target: A path, in addition to the recorded ones, that may have pending contents.
  func removeStaleFiles(_ document: SidecarDocument, _ target: String? = nil) {
    let kept = journalNames(document)
    removeStaleJournalFiles { !kept.contains($0) }
    var needed: Set<String> = []
    let rendering = document.rendering.map { paths.resolved($0) } ?? paths.rendering
    if let record = document.record {
      needed.insert(FileSystem.lastName(of: paths.pending(rendering, record.current)))
      if let base = record.base {
        needed.insert(FileSystem.lastName(of: paths.pending(paths.base, base)))
      }
    }
    for path in [paths.base, rendering, paths.rendering] + (target.map { [$0] } ?? []) {
      let prefix = paths.pendingPrefix(path)
      remove(in: FileSystem.folder(of: path)) {
        $0.hasPrefix(prefix) && !needed.contains($0)
      }
    }
  }

  /// Removes contents from the journal, and its folders if they are empty.
  ///
  /// A link in place of a folder would lead to files that must not be removed.
  private func removeStaleJournalFiles(_ isLitter: (String) -> Bool) {
    do throws(FileError) {
      let journals = try OpenFile(folder: paths.journals, followsLink: false)
      let name = FileSystem.lastName(of: paths.journal)
      let journal = try OpenFile(folder: name, in: journals)
      try journal.removeFiles { paths.isJournalFile($0) && isLitter($0) }
      journals.removeFolderIfEmpty(name)
    } catch {}
    FileSystem.removeFolderIfEmpty(paths.journals)
  }

  private func remove(in folder: String, _ isLitter: (String) -> Bool) {
    _ = try? OpenFile(folder: folder).removeFiles(where: isLitter)
  }

  // MARK: The handling of files that a change supersedes

  /// Plans the replacement of the file at a rendering's path, so that undo can restore it.
  func planReplacement(
    _ claim: FileClaim, at path: String, _ before: EditState,
    _ old: inout SidecarDocument.JournalEntry, in plan: inout CommitPlan
  ) {
    plan.replaced.append((path, .rendering, claim))
    switch claim {
    case .named(let digest):
      plan.keep(digest, of: path, at: paths.journalPath(digest), isOptional: false)
    case .forced(let digest):
      guard paths.isSame(path, before.current.path) else { return }
      record(digest, in: &old)
    case .absent, .proven, .doubtful, .barred: break
    }
  }

  /// Keeps track of the files that a commit replaces until they are replaced, and rejects a loss.
  ///
  /// - Throws: `EditingError` for a file that only the sidecar attributes to photoedit if no
  ///   remaining state keeps its bytes: they are from an undone state, which a new edit discards.
  func trackReplacedFiles(
    _ replaced: [CommitPlan.Replaced], in document: inout SidecarDocument
  ) throws(EditingError) {
    for (path, use, claim) in replaced {
      switch claim {
      case .proven(let digest) where !document.ownFiles(use).contains(digest):
        // If the process is killed before the new file is renamed into place, the next change finds
        // this one.
        document.leftovers.append(.init(path: paths.recorded(path), digest: digest))
      case .named(let digest) where !document.stateDigests.contains(digest):
        throw .occupied(path)
      case .absent, .proven, .named, .forced, .doubtful, .barred: break
      }
    }
  }

  /// Returns the files to remove with the edit: the rendering, unless it must be kept.
  ///
  /// - Throws: `EditingError` if the rendering was changed by another program and the change would
  ///   be lost.
  func removals(
    _ before: EditState, _ document: SidecarDocument,
    _ old: inout SidecarDocument.JournalEntry, in plan: inout CommitPlan
  ) throws(EditingError) -> [SidecarDocument.Leftover] {
    guard !before.isThirdParty, let current = document.record?.current else { return [] }
    let path = before.current.path
    let leftover = SidecarDocument.Leftover(path: paths.recorded(path), digest: current)
    switch try claim(on: path, as: .rendering, [current], document) {
    case .absent, .proven: return [leftover]
    case .named(let digest):
      plan.keep(digest, of: path, at: paths.journalPath(digest), isOptional: false)
      return [leftover]
    case .forced(let digest):
      record(digest, in: &old)
      return [.init(path: leftover.path, digest: digest)]
    case .doubtful(let error) where paths.isSame(path, paths.rendering) || isRequested(path):
      throw error
    case .doubtful(let error), .barred(let error):
      plan.notices.append("\(path) was not removed: \(error.message)")
      return []
    }
  }

  /// Records the contents found at the rendering's path, so that undo restores exactly those.
  private func record(_ digest: SHA256Digest, in old: inout SidecarDocument.JournalEntry) {
    guard let record = old.record, record.current != digest else { return }
    old.record?.current = digest
    old.record?.renderSettings = nil
  }
}
