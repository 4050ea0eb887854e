// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The handling of files that a change supersedes.
extension SidecarStore {
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
