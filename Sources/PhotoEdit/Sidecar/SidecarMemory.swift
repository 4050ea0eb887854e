// SPDX-License-Identifier: Apache-2.0
import Storage
import Synchronization

/// The sidecar that a store read last, so that one edit need not read it for every question.
///
/// What it answers may be out of date by a moment, as any reading is that was done without the
/// lock; a commit reads the file itself.
final class SidecarMemory: Sendable {
  private let last = Mutex<(version: FileVersion, document: SidecarDocument)?>(nil)

  private let lastDigests = Mutex<(version: FileVersion, digests: Set<Digest>)?>(nil)

  /// What was read of a photo of exactly this version.
  func digests(of version: FileVersion) -> Set<Digest>? {
    lastDigests.withLock { $0?.version == version ? $0?.digests : nil }
  }

  func keep(_ digests: Set<Digest>, ofPhoto version: FileVersion) {
    lastDigests.withLock { $0 = (version, digests) }
  }

  /// The document that was read from a file of exactly this version.
  func document(of version: FileVersion) -> SidecarDocument? {
    last.withLock { $0?.version == version ? $0?.document : nil }
  }

  func keep(_ document: SidecarDocument, of version: FileVersion) {
    last.withLock { $0 = (version, document) }
  }
}
