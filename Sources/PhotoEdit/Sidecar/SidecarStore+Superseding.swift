// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// What a change makes of the files that it supersedes.
extension SidecarStore {
  /// Prepares that the file in a rendering's place is replaced, as far as undo must bring it back.
  func take(
    _ claim: FileClaim, at path: String, _ before: EditState,
    _ old: inout SidecarDocument.JournalEntry, in plan: inout CommitPlan
  ) {
    plan.replaced.append((path, .rendering, claim))
    switch claim {
    case .named(let digest):
      plan.keep(digest, of: path, at: paths.kept(digest), isOptional: false)
    case .forced(let digest):
      guard paths.isSame(path, before.current.path) else { return }
      record(digest, in: &old)
    case .absent, .proven, .doubtful, .barred: break
    }
  }

  /// Keeps what a commit replaces known until it is replaced, and refuses a loss.
  ///
  /// - Throws: `EditingError` for a file that only the sidecar calls ours when no state that is left
  ///   keeps its bytes: it had them from an undone state, which a new edit ends.
  func remember(
    _ replaced: [CommitPlan.Replaced], in document: inout SidecarDocument
  ) throws(EditingError) {
    for (path, use, claim) in replaced {
      switch claim {
      case .proven(let digest) where !document.ownFiles(use).contains(digest):
        // Killed before the new content has the name, the next change finds this one there.
        document.leftovers.append(.init(path: paths.recorded(path), digest: digest))
      case .named(let digest) where !document.stateDigests.contains(digest):
        throw .occupied(path)
      case .absent, .proven, .named, .forced, .doubtful, .barred: break
      }
    }
  }

  /// What is to be removed when the edit goes: the rendering, unless it has to stay.
  ///
  /// - Throws: `EditingError` when somebody changed the rendering and would lose that.
  func removals(
    _ before: EditState, _ document: SidecarDocument,
    _ old: inout SidecarDocument.JournalEntry, in plan: inout CommitPlan
  ) throws(EditingError) -> [SidecarDocument.Leftover] {
    guard !before.isForeign, let current = document.record?.current else { return [] }
    let path = before.current.path
    let leftover = SidecarDocument.Leftover(path: paths.recorded(path), digest: current)
    switch try claim(on: path, as: .rendering, [current], document) {
    case .absent, .proven: return [leftover]
    case .named(let digest):
      plan.keep(digest, of: path, at: paths.kept(digest), isOptional: false)
      return [leftover]
    case .forced(let digest):
      record(digest, in: &old)
      return [.init(path: leftover.path, digest: digest)]
    case .doubtful(let error) where paths.isSame(path, paths.rendering) || isGiven(path):
      throw error
    case .doubtful(let error), .barred(let error):
      plan.notices.append("\(path) stays where it is: \(error.message)")
      return []
    }
  }

  /// Records what was found in the rendering's place, so that undo brings exactly that back.
  private func record(_ digest: Digest, in old: inout SidecarDocument.JournalEntry) {
    guard let record = old.record, record.current != digest else { return }
    old.record?.current = digest
    old.record?.recipe = nil
  }
}
