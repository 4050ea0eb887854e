// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

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
    /// The path of the rendering.
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
}
