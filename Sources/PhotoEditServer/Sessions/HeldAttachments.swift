// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

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
    ([record] + undoable + redoable).compactMap { $0?.assets }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }
}
