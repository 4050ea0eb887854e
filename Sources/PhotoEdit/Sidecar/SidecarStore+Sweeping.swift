// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// What is left to do after a commit, and after one that did not happen; may be done repeatedly.
///
/// The state is right without it, so failures are left to whoever comes next.
extension SidecarStore {
  /// Gives the contents of a commit that was just made their names; the places were checked.
  func publish(_ plan: CommitPlan) {
    var folders: Set<String> = []
    for publication in plan.publications {
      do throws(FileError) {
        try FileSystem.rename(publication.pending, to: publication.target)
        folders.insert(FileSystem.folder(of: publication.target))
      } catch {}
    }
    sync(folders)
  }

  /// Gives pending contents their names and removes superseded files.
  func finishEarlierCommit(_ document: SidecarDocument) {
    var folders: Set<String> = []
    if let record = document.record, let place = document.rendering {
      let target = paths.resolved(place)
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
      guard mayGo(path, use, [leftover.digest], document) else { continue }
      do throws(FileError) {
        try FileSystem.remove(path)
        folders.insert(FileSystem.folder(of: path))
      } catch {}
    }
    sync(folders)
  }

  /// Whether a file is one of ours with one of the contents, and goes without a loss.
  private func mayGo(
    _ path: String, _ use: ClaimedUse, _ digests: Set<Digest>, _ document: SidecarDocument
  ) -> Bool {
    do throws(EditingError) {
      switch try claim(on: path, as: use, digests, document) {
      case .absent, .doubtful, .barred: return false
      case .proven: return true
      case .named(let digest), .forced(let digest):
        guard digests.contains(digest), document.stateDigests.contains(digest) else { return false }
        let kept = paths.kept(digest)
        if entry(at: kept) == .file, hasDigest(digest, at: kept) { return true }
        // A commit of an earlier version was interrupted before it came to this.
        try filing { () throws(FileError) in try makeJournal() }
        try copy(.init(from: path, to: kept, digest: digest, isCopy: true))
        return true
      }
    } catch {
      return false
    }
  }

  /// Publishes one pending content unless somebody put a file of their own in its place since.
  private func rollForward(
    _ digest: Digest, to target: String, _ use: ClaimedUse, _ document: SidecarDocument
  ) -> Bool {
    let pending = paths.pending(target, digest)
    guard entry(at: pending) == .file, paths.isHere(target) || isGiven(target) else { return false }
    do throws(FileError) {
      if try FileSystem.entry(at: target) == nil {
        try FileSystem.renameExclusively(pending, to: target)
        return true
      }
      guard mayGo(target, use, document.ownFiles(use), document) else { return false }
      try FileSystem.rename(pending, to: target)
      return true
    } catch {
      return false
    }
  }

  private func sync(_ folders: Set<String>) {
    for folder in folders.sorted() {
      do throws(FileError) { try FileSystem.syncFolder(folder) } catch {}
    }
  }

  /// Undoes what was prepared for a change that failed; the staged rendering stays usable.
  func takeBack(_ plan: CommitPlan, _ document: SidecarDocument) {
    for move in plan.moves where !move.isCopy && !FileSystem.isThere(move.from) {
      do throws(FileError) { try FileSystem.rename(move.to, to: move.from) } catch {}
    }
    sweep(document, plan.target)
  }

  /// Removes journal contents that no state refers to, and pending ones of changes that failed.
  ///
  /// - Parameter target: A place besides the recorded ones where something may be pending.
  func sweep(_ document: SidecarDocument, _ target: String? = nil) {
    var needed = Set(document.keptDigests.map { FileSystem.lastName(of: paths.kept($0)) })
    sweepJournal { !needed.contains($0) }
    let rendering = document.rendering.map { paths.resolved($0) } ?? paths.rendering
    needed = []
    if let record = document.record {
      needed.insert(FileSystem.lastName(of: paths.pending(rendering, record.current)))
      if let base = record.base {
        needed.insert(FileSystem.lastName(of: paths.pending(paths.base, base)))
      }
    }
    for place in [paths.base, rendering, paths.rendering] + (target.map { [$0] } ?? []) {
      let prefix = paths.pendingPrefix(place)
      remove(in: FileSystem.folder(of: place)) {
        $0.hasPrefix(prefix) && !needed.contains($0)
      }
    }
  }

  /// Removes contents from the journal, and its folders when they are empty.
  ///
  /// A link in the place of one of them leads to files that are not ours to remove.
  private func sweepJournal(_ isLitter: (String) -> Bool) {
    do throws(FileError) {
      let journals = try OpenFile(folder: paths.journals, followsLink: false)
      let name = FileSystem.lastName(of: paths.journal)
      let journal = try OpenFile(folder: name, in: journals)
      try journal.removeFiles { paths.isKept($0) && isLitter($0) }
      journals.removeFolderIfEmpty(name)
    } catch {}
    FileSystem.removeFolderIfEmpty(paths.journals)
  }

  private func remove(in folder: String, _ isLitter: (String) -> Bool) {
    do throws(FileError) {
      try OpenFile(folder: folder).removeFiles(where: isLitter)
    } catch {}
  }
}
