// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Applies random commits of two library objects to results of every kind of fetch.
@Suite("Updating fetch results", .seeded)
struct FollowingTests {
  @Test(arguments: [1, 2])
  func `applying the details of every commit gives the same result as a fetch`(
    seed: Int
  ) throws {
    try run(seed: seed, commits: longTests ? 1_000 : SeededNumbers.cases(120))
  }

  /// Updates results commit by commit, skips some, and updates old results to old commits.
  private func run(seed: Int, commits: Int) throws {
    print("following: seed \(seed)")
    var generator = RequestGenerator(seed: seed)
    let runner = try LibraryRunner()
    let library = runner.folder.library
    var model = LibraryModel()
    var fetches = Self.fetches
    var followed = try fetches.map { try $0.start(library) }
    var past: [EarlierState] = []
    var last = try runner.folder.version()
    var seen = 0
    while seen < commits {
      let block = generator.block(model)
      let expected = model.after(block)
      guard try runner.carryOut(block) == nil, case .success(let after) = expected else { continue }
      model = after
      generator.recordOrders(model)
      let version = try runner.folder.version()
      guard version > last else { continue }
      seen += 1
      // Some changes are delivered late and cover several commits.
      if generator.random.below(4) == 0 { continue }
      let change = LibraryChange(in: library, from: last, through: version)
      let context: Comment = "seed \(seed), commits \(last) to \(version): \(block)"
      for (i, fetch) in fetches.enumerated() {
        followed[i] = try followed[i].following(change)
        let fresh = try fetch.start(library)
        try #require(followed[i].cells == fresh.cells, "\(fetch.name), \(context)")
      }
      for fetch in try Self.newCollections(library, known: fetches.count - Self.fetches.count) {
        fetches.append(fetch)
        followed.append(try fetch.start(library))
      }
      past.append(
        EarlierState(
          version: version, assets: try Self.assets(library),
          views: try fetches.map { try $0.start(library) }))
      // A purge also removes the properties of an asset from earlier states.
      let assets = try Self.assets(library)
      past.removeAll { !$0.assets.isSubset(of: assets) }
      if past.count > 12 { past.remove(at: generator.random.below(past.count)) }
      last = version
      try lookBack(past, fetches, &generator.random, library, seed)
    }
  }

  /// The results of all fetches as of a commit.
  private struct EarlierState {
    let version: Int64
    /// The assets in the library or in the trash.
    let assets: Set<Int64>
    let views: [FollowedView]
  }

  private static func assets(_ library: PhotoLibrary) throws -> Set<Int64> {
    try library.read { database throws(LibraryError) in
      Set(try database.integers("SELECT id FROM asset WHERE state < 2"))
    }
  }

  /// Updates an old result to another old commit.
  private func lookBack(
    _ past: [EarlierState], _ fetches: [WatchedFetch], _ random: inout SeededNumbers,
    _ library: PhotoLibrary, _ seed: Int
  ) throws {
    let (i, j) = (random.below(past.count), random.below(past.count))
    let (from, to) = (past[min(i, j)], past[max(i, j)])
    guard from.version < to.version else { return }
    let change = LibraryChange(in: library, from: to.version - 1, through: to.version)
    for (fetch, number) in zip(fetches, from.views.indices) {
      let view = try from.views[number].following(change)
      try #require(
        view.cells == to.views[number].cells,
        "\(fetch.name), seed \(seed), from \(from.version) to \(to.version)")
    }
  }

  /// Fetches in the newest album and folder, for the first few of them.
  private static func newCollections(
    _ library: PhotoLibrary, known: Int
  ) throws -> [WatchedFetch] {
    guard known < 9, let album = try library.fetchAssetCollections(with: .album).last,
      let folder = try library.fetchCollectionLists(with: .folder).last
    else { return [] }
    return [
      WatchedFetch("album \(known)") { try $0.fetchAssets(in: album) },
      WatchedFetch("album \(known), sorted") {
        try $0.fetchAssets(
          in: album,
          options: FetchOptions(
            sortDescriptors: [FetchSort(AssetKey.isHidden), FetchSort(AssetKey.creationDate)]))
      },
      WatchedFetch("folder \(known)") { try $0.fetchCollections(in: folder) },
    ]
  }

  private static func options<Object>(
    _ change: (inout FetchOptions<Object>) -> Void
  ) -> FetchOptions<Object> {
    var options = FetchOptions<Object>()
    change(&options)
    return options
  }

  /// One fetch of every kind.
  private static let fetches: [WatchedFetch] = [
    WatchedFetch("all") { try $0.fetchAssets() },
    WatchedFetch("newest first") {
      try $0.fetchAssets(
        FetchOptions(sortDescriptors: [FetchSort(AssetKey.creationDate, ascending: false)]))
    },
    WatchedFetch("last modified first, hidden ones and bursts too") {
      try $0.fetchAssets(
        options {
          $0.sortDescriptors = [
            FetchSort(AssetKey.isFavorite, ascending: false),
            FetchSort(AssetKey.modificationDate, ascending: false),
          ]
          $0.includeHiddenAssets = true
          $0.includeAllBurstAssets = true
        })
    },
    WatchedFetch("favorites by predicate") {
      try $0.fetchAssets(FetchOptions(predicate: AssetKey.isFavorite == true))
    },
    WatchedFetch("the last three") {
      try $0.fetchAssets(
        FetchOptions(
          sortDescriptors: [FetchSort(AssetKey.modificationDate, ascending: false)],
          fetchLimit: 3))
    },
    WatchedFetch("without details") {
      try $0.fetchAssets(options { $0.wantsIncrementalChangeDetails = false })
    },
    WatchedFetch("smart albums") {
      try $0.fetchAssetCollections(with: .smartAlbum)
    },
    WatchedFetch("hidden album") {
      guard
        let album = try $0.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumAllHidden)
          .first
      else { throw Missing() }
      return try $0.fetchAssets(in: album, options: options { $0.includeHiddenAssets = true })
    },
    WatchedFetch("recently added") {
      guard
        let album = try $0.fetchAssetCollections(
          with: .smartAlbum, subtype: .smartAlbumRecentlyAdded
        ).first
      else { throw Missing() }
      return try $0.fetchAssets(in: album)
    },
    WatchedFetch("albums") { try $0.fetchAssetCollections(with: .album) },
    WatchedFetch("albums by title") {
      try $0.fetchAssetCollections(
        with: .album,
        options: FetchOptions(sortDescriptors: [FetchSort(AssetCollectionKey.localizedTitle)]))
    },
    WatchedFetch("folders") { try $0.fetchCollectionLists(with: .folder) },
    WatchedFetch("top level") { try $0.fetchTopLevelUserCollections() },
    WatchedFetch("moments") { try $0.fetchMoments() },
  ]

  private struct Missing: Error {}
}
