// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

/// The editing sessions of all browsers.
final class EditingSessions: Sendable {
  static let maximumCount = 8
  /// The seconds without a request after which a session is closed.
  static let maximumIdle = 15 * 60

  private let sessions = LockedValue<[String: (edit: HeldEdit, lastUse: Int)]>([:])

  /// Begins a session; the one that was unused for the longest time is closed if there are too
  /// many.
  func begin(
    asset: String, _ store: any EditingStore, _ attachments: HeldAttachments
  ) throws(Problem) -> HeldEdit {
    let edit = try HeldEdit(id: Secret.random(bits: 96), asset: asset, store, attachments)
    sessions.withLock { sessions in
      let now = MonotonicClock.seconds
      sessions = sessions.filter { now - $0.value.lastUse < Self.maximumIdle }
      if sessions.count >= Self.maximumCount,
        let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        sessions[oldest.key] = nil
      }
      sessions[edit.id] = (edit, now)
    }
    return edit
  }

  /// Returns an open session.
  subscript(id: String) -> HeldEdit {
    get throws(Problem) {
      let found = sessions.withLock { sessions in
        let now = MonotonicClock.seconds
        guard let found = sessions[id], now - found.lastUse < Self.maximumIdle else {
          sessions[id] = nil
          return nil as HeldEdit?
        }
        sessions[id]?.lastUse = now
        return found.edit
      }
      guard let found else { throw Problem(.notFound, "the editing session has ended") }
      return found
    }
  }

  /// Reads the edits of a photo again, after it was changed by this server.
  func refresh(asset: String) throws(Problem) {
    let edits = sessions.withLock { $0.values.map(\.edit) }
    for edit in edits where edit.asset == asset { try edit.refresh() }
  }

  /// Returns a file that one of the edits needs.
  func attachment(_ digest: SHA256Digest) -> [UInt8]? {
    let edits = sessions.withLock { $0.values.map(\.edit) }
    return edits.lazy.compactMap { $0.attachments.finder($0.editing.state)(digest) }.first
  }

  /// Ends a session.
  func end(_ id: String) { sessions.withLock { $0[id] = nil } }
}
