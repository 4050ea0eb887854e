// SPDX-License-Identifier: Apache-2.0
import Storage
import Synchronization

/// The sidecar that a store read last, so that one edit need not read it for every question.
///
/// What it answers may be out of date by a moment, as any reading is that was done without the
/// lock; a commit reads the file itself.
final class SidecarMemory: Sendable {
  private let last = Mutex<(version: FileVersion, document: SidecarDocument)?>(nil)

  /// The document that was read from a file of exactly this version.
  func document(of version: FileVersion) -> SidecarDocument? {
    last.withLock { $0?.version == version ? $0?.document : nil }
  }

  func keep(_ document: SidecarDocument, of version: FileVersion) {
    last.withLock { $0 = (version, document) }
  }
}
