// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension SidecarStore {
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
    /// A pending name, the name that it is for, and what the file says of itself then.
    struct Publication {
      var pending: String
      var target: String
      var digest: Digest
      var mark: RenderingMark?
    }

    var publications: [Publication] = []
    typealias Replaced = (path: String, use: ClaimedUse, claim: FileClaim)
    /// The existing files that this commit replaces.
    var replaced: [Replaced] = []
    /// Superseded files that stay where they are, and why.
    var notices: [String] = []

    /// Keeps a file that a state has in the journal, before its name is given to another one.
    mutating func keep(_ digest: Digest, of path: String, at kept: String, isOptional: Bool) {
      moves.append(
        .init(from: path, to: kept, digest: digest, isCopy: true, isOptional: isOptional))
      needsJournal = true
    }
  }
}
