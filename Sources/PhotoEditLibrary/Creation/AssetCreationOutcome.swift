// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The outcome of a request to create an asset.
public final class AssetCreationOutcome: Sendable {
  private struct State {
    var created: String?
    var existing: String?
    var files: [AssetResourceType: AssetCompletion.Outcome] = [:]
    var kept: [String: String] = [:]
    var isCommitted = false
  }

  private let state = LockedValue(State())

  /// The local identifier of the new asset; nil if none was created, and before the commit.
  public internal(set) var created: String? {
    get { state.withLock { $0.isCommitted ? $0.created : nil } }
    set { state.withLock { $0.created = newValue } }
  }

  /// The local identifier of an older asset with the same original, trashed or not; nil if there is
  /// no such asset, the request did not check for one, or this process may not access it, and
  /// before the commit.
  public internal(set) var existing: String? {
    get { state.withLock { $0.isCommitted ? $0.existing : nil } }
    set { state.withLock { $0.existing = newValue } }
  }

  /// The outcome of each file if the older asset was completed; empty before the commit.
  var files: [AssetResourceType: AssetCompletion.Outcome] {
    get { state.withLock { $0.isCommitted ? $0.files : [:] } }
    set { state.withLock { $0.files = newValue } }
  }

  /// The reasons why sources that were to be moved are still there, by their names.
  var kept: [String: String] {
    get { state.withLock { $0.kept } }
    set { state.withLock { $0.kept = newValue } }
  }

  func commit() { state.withLock { $0.isCommitted = true } }
}
