// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

/// The displayed content of a member; equal cells look the same.
struct Cell: Hashable, Sendable {
  let name: String
  let content: String

  init<Object: FetchedObject>(_ object: Object) {
    name = object.localIdentifier
    content =
      switch object {
      case let asset as Asset:
        "\(asset.isFavorite) \(asset.isHidden) \(asset.title ?? "-") "
          + "\(asset.modificationDate.timeIntervalSince1970) \(asset.representsBurst)"
      case let album as AssetCollection: Self.content(album)
      case let list as CollectionList: list.localizedTitle ?? "-"
      case let collection as PhotoCollection:
        switch collection {
        case .assets(let album): Self.content(album)
        case .list(let list): list.localizedTitle ?? "-"
        }
      default: ""
      }
  }

  fileprivate static func content(_ album: AssetCollection) -> String {
    "\(album.localizedTitle ?? "-") \(album.estimatedAssetCount) "
      + "\(album.startDate as Any) \(album.endDate as Any)"
  }
}

/// A view that applies a batch of changes, as user interfaces do, and rejects invalid indexes.
struct RecordedView {
  private(set) var cells: [Cell]

  init<Object>(_ result: FetchResult<Object>) { cells = result.map { Cell($0) } }

  /// The reason why a batch of changes cannot be applied.
  enum Refusal: Error {
    case deletion(Int)
    case move(Move)
    case slot(Int)
    case reload(Int)
  }

  mutating func take<Object>(_ details: FetchResultChangeDetails<Object>) throws {
    let after = details.fetchResultAfterChanges
    guard let removed = details.removedIndexes, let inserted = details.insertedIndexes,
      let changed = details.changedIndexes
    else {
      cells = after.map { Cell($0) }
      return
    }
    // Deletions and sources are indexes before the batch, targets and insertions after it.
    var missing: Set<Int> = []
    for index in removed + details.batchMoves.map(\.from) {
      guard cells.indices.contains(index), missing.insert(index).inserted else {
        throw Refusal.deletion(index)
      }
    }
    var slots: [Cell?] = Array(
      repeating: nil, count: cells.count - removed.count + inserted.count)
    for index in inserted {
      guard slots.indices.contains(index), slots[index] == nil else { throw Refusal.slot(index) }
      slots[index] = Cell(after[index])
    }
    for move in details.batchMoves {
      guard slots.indices.contains(move.to), slots[move.to] == nil else { throw Refusal.move(move) }
      slots[move.to] = cells[move.from]
    }
    var staying = cells.indices.lazy.filter { !missing.contains($0) }.makeIterator()
    for index in slots.indices where slots[index] == nil {
      guard let next = staying.next() else { throw Refusal.slot(index) }
      slots[index] = cells[next]
    }
    cells = slots.compactMap { $0 }
    for index in changed {
      guard cells.indices.contains(index), !inserted.contains(index) else {
        throw Refusal.reload(index)
      }
      cells[index] = Cell(after[index])
    }
  }
}

/// A fetch that is repeated and whose views are updated.
struct WatchedFetch: Sendable {
  let name: String
  /// Fetches and returns a view of the result.
  let start: @Sendable (PhotoLibrary) throws -> FollowedView

  init<Object: FetchedObject>(
    _ name: String, _ fetch: @escaping @Sendable (PhotoLibrary) throws -> FetchResult<Object>
  ) {
    self.name = name
    start = { FollowedView(try fetch($0)) }
  }
}

/// A view of a result at some commit.
struct FollowedView {
  let cells: [Cell]
  /// Returns the view after a change, or the same view if there are no details.
  let following: (LibraryChange) throws -> FollowedView

  /// Indexes of retained members whose content differs.
  private static func differing<Object>(
    _ before: FetchResult<Object>, _ after: FetchResult<Object>
  ) -> [Int] {
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.localIdentifier, Cell($0)) })
    return after.indices.filter { index in
      old[after[index].localIdentifier].map { $0 != Cell(after[index]) } ?? false
    }
  }

  init<Object>(_ result: FetchResult<Object>, _ view: RecordedView? = nil) {
    let view = view ?? RecordedView(result)
    cells = view.cells
    following = { change in
      guard let details = try change.changeDetails(for: result) else {
        return FollowedView(result, view)
      }
      var next = view
      try next.take(details)
      // The view shows the result after the change.
      let after = details.fetchResultAfterChanges
      try #require(next.cells == after.map { Cell($0) })
      try #require(details.hasIncrementalChanges == result.wantsIncrementalChangeDetails)
      if details.hasIncrementalChanges {
        // The details match a comparison of the two results.
        let compared = FetchResultChangeDetails(from: result, to: after)
        try #require(details.difference == compared.difference)
        // An album changes with its members even if its own content is the same.
        let (changed, differing) = (details.changedIndexes ?? [], Self.differing(result, after))
        try #require(Set(changed).isSuperset(of: differing))
        try #require(Object.source.classes != [.asset] || changed == differing)
      }
      try #require(details.fetchResultBeforeChanges.version == result.version)
      return FollowedView(details.fetchResultAfterChanges, next)
    }
  }
}
