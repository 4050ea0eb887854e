// SPDX-License-Identifier: Apache-2.0
import Storage

/// What is left to do after a commit, and after one that did not happen; may be done repeatedly.
///
/// The state is right without it, so failures are left to whoever comes next.
extension SidecarStore {
  /// Gives the contents of a commit that was just made their names; the places were checked.
  func publish(_ plan: CommitPlan) {
    var folders: Set<String> = []
    for (pending, target) in plan.publications {
      do throws(FileError) {
        try FileSystem.rename(pending, to: target)
        folders.insert(FileSystem.folder(of: target))
      } catch {}
    }
    sync(folders)
  }

  /// Gives pending contents their names and removes superseded files.
  func finishEarlierCommit(_ document: SidecarDocument) {
    var folders: Set<String> = []
    if let record = document.record, let place = document.rendering {
      let target = paths.resolved(place)
      if rollForward(record.current, to: target, document.ownRenderings) {
        folders.insert(FileSystem.folder(of: target))
      }
      if let base = record.base, rollForward(base, to: paths.base, document.ownBases) {
        folders.insert(paths.folder)
      }
    }
    for leftover in document.leftovers {
      let path = paths.resolved(leftover.path)
      // Only what we wrote goes; a file that was changed since is somebody's work.
      guard entry(at: path) == .file, SidecarPaths.isBeside(leftover.path) || isPicture(path),
        hasDigest(leftover.digest, at: path)
      else { continue }
      do throws(FileError) {
        try FileSystem.remove(path)
        folders.insert(FileSystem.folder(of: path))
      } catch {}
    }
    sync(folders)
  }

  /// Publishes one pending content unless somebody put a file of their own in its place since.
  private func rollForward(_ digest: Digest, to target: String, _ ours: Set<Digest>) -> Bool {
    let pending = paths.pending(target, digest)
    guard entry(at: pending) == .file else { return false }
    do throws(FileError) {
      if try FileSystem.entry(at: target) == nil {
        try FileSystem.renameExclusively(pending, to: target)
        return true
      }
      guard replacesForeignFiles || isOne(of: ours, at: target) else {
        return false
      }
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
    // A link in the journal's place leads to files that are not ours to remove.
    if entry(at: paths.journals) == .folder, entry(at: paths.journal) == .folder {
      remove(in: paths.journal) { paths.isKept($0) && !needed.contains($0) }
      FileSystem.removeFolderIfEmpty(paths.journal)
      FileSystem.removeFolderIfEmpty(paths.journals)
    }
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

  private func remove(in folder: String, _ isLitter: (String) -> Bool) {
    do throws(FileError) {
      for name in try FileSystem.names(in: folder) where isLitter(name) {
        try FileSystem.remove(folder + "/" + name)
      }
    } catch {}
  }
}
