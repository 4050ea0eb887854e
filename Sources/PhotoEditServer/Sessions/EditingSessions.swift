// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The editing sessions of all browsers.
final class EditingSessions: Sendable {
  static let maximumCount = 8
  /// The seconds without a request after which a session is closed.
  static let maximumIdle = 15 * 60

  private let sessions = LockedValue<[String: (edit: HeldEdit, lastUse: Int)]>([:])
  private let memory = PreviewMemory()
  private let maximumKeptBytes: Int

  /// - Parameter maximumKeptBytes: The bytes of reduced pixels that all sessions together keep.
  init(maximumKeptBytes: Int = PreviewMemory.maximumKeptBytes) {
    self.maximumKeptBytes = maximumKeptBytes
  }

  /// Begins a session; the one that was unused for the longest time is closed if there are too
  /// many.
  func begin(
    asset: String, _ store: any EditingStore, _ attachments: HeldAttachments
  ) throws(Problem) -> HeldEdit {
    let edit = try HeldEdit(
      id: Secret.random(bits: 96), asset: asset, store, attachments, memory)
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

  /// Discards the reduced pixels of the sessions that were unused for the longest time, until those
  /// of all sessions together are few enough.
  func discardPixels() {
    let edits = sessions.withLock { sessions in
      sessions.values.sorted { $0.lastUse > $1.lastUse }.map(\.edit)
    }
    var bytes = 0
    for edit in edits {
      bytes += edit.keptBytes
      if bytes > maximumKeptBytes { edit.discardPixels() }
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

  func end(_ id: String) { sessions.withLock { $0[id] = nil } }
}

/// The files that the filters of an edit need and that its browser has sent.
final class HeldAttachments: Sendable {
  /// The largest sum of their sizes.
  static let maximumBytes = 32 << 20

  private let held = LockedValue<[SHA256Digest: [UInt8]]>([:])
  private let fallback: @Sendable (SHA256Digest) -> [UInt8]?
  /// The contents that previews have decoded.
  let decoded = AttachmentCache()

  /// - Parameter fallback: Returns a file that is stored elsewhere.
  init(fallback: @escaping @Sendable (SHA256Digest) -> [UInt8]?) { self.fallback = fallback }

  /// Adds a file to those of a graph; files that the graph does not need are removed if the sum of
  /// all sizes would be too large.
  func add(_ bytes: [UInt8], for graph: FilterGraph) throws(Problem) {
    let needed = graph.externalAssets
    try held.withLock { held throws(Problem) in
      var all = held
      all[SHA256Digest(of: bytes)] = bytes
      func isTooLarge() -> Bool { all.values.reduce(0) { $0 + $1.count } > Self.maximumBytes }
      if isTooLarge() { all = all.filter { needed[$0.key] != nil } }
      guard !isTooLarge() else {
        throw Problem(.tooLarge, "the files of this edit exceed \(Self.maximumBytes) bytes")
      }
      held = all
    }
  }

  /// Adds the files that were kept with a draft.
  func restore(_ files: [SHA256Digest: [UInt8]]) {
    held.withLock { $0.merge(files) { $1 } }
  }

  /// Returns the files that a graph needs and that were sent.
  func files(of graph: FilterGraph) -> [SHA256Digest: [UInt8]] {
    let needed = graph.externalAssets
    return held.withLock { $0.filter { needed[$0.key] != nil } }
  }

  /// Returns a function that finds files here, stored with any state of the photo, and elsewhere.
  func finder(_ state: EditState) -> @Sendable (SHA256Digest) -> [UInt8]? {
    let stored = state.attachments
    return { [held, fallback] digest in
      held.withLock { $0[digest] } ?? stored[digest].map { Array($0) } ?? fallback(digest)
    }
  }
}

extension EditState {
  /// The files that are stored with all states of the photo.
  var attachments: [SHA256Digest: Data] {
    ([record] + journal.states).compactMap { $0?.assets }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }
}
