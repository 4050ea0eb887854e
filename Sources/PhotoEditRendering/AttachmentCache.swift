// SPDX-License-Identifier: Apache-2.0
package import PhotoEditFilters
package import PhotoEditStorage

/// The decoded attachments of a graph, kept for the next image that it is rendered on.
package final class AttachmentCache: Sendable {
  private struct Key: Hashable {
    let digest: SHA256Digest
    let kind: AttachmentKind
  }

  private let contents = LockedValue<[Key: AttachmentContent]>([:])

  /// Creates an empty cache.
  package init() {}

  /// The contents of the attachment with a digest.
  package subscript(digest: SHA256Digest, kind: AttachmentKind) -> AttachmentContent? {
    get { contents.withLock { $0[Key(digest: digest, kind: kind)] } }
    set { contents.withLock { $0[Key(digest: digest, kind: kind)] = newValue } }
  }
}
