// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// Views that follow a library from an observer that skips some changes.
private final class Gallery: PhotoLibraryChangeObserver {
  private struct State: @unchecked Sendable {
    // Unchecked: accessed only under the lock; the closures inside read a library.
    var views: [FollowedView]
    var random: SeededNumbers
    var reported: [Int64] = []
    var failure: (any Error)?
  }

  private let state: LockedValue<State>

  init(_ fetches: [WatchedFetch], _ library: PhotoLibrary) throws {
    state = LockedValue(
      State(views: try fetches.map { try $0.start(library) }, random: SeededNumbers(1)))
  }

  func photoLibraryDidChange(_ change: LibraryChange) {
    state.withLock { state in
      state.reported.append(change.version)
      // Two of three changes are skipped and applied with a later one.
      guard state.failure == nil, state.random.below(3) == 0 else { return }
      do { state.views = try state.views.map { try $0.following(change) } } catch {
        state.failure = error
      }
    }
  }

  var reported: [Int64] { state.withLock { $0.reported } }
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// The cells shown after a last change.
  func cells(after change: LibraryChange) throws -> [[Cell]] {
    try state.withLock { state in try state.views.map { try $0.following(change).cells } }
  }
}

@Suite("Views over two writing processes", .seeded)
struct TwoProcessTests {
  /// The script of the other process.
  private static func script(_ library: PhotoLibrary, _ album: String, _ assets: [Asset]) -> String
  {
    let names = assets.map { "'\($0.localIdentifier)'" }.joined(separator: " ")
    return """
      export PHOTOEDIT_LIBRARY='\(library.layout.root)'
      for i in 1 2 3; do for asset in \(names); do
        '\(BuiltProgram.path)' asset set "$asset" --favorite yes || exit 1
        '\(BuiltProgram.path)' album add '\(album)' "$asset" || exit 1
        '\(BuiltProgram.path)' asset set "$asset" --favorite no || exit 1
        '\(BuiltProgram.path)' album remove '\(album)' "$asset" || exit 1
      done; done
      """
  }

  @Test func `a followed view stays correct over 1,000 random commits of two processes`() throws {
    var random = SeededNumbers()
    let folder = try TestLibrary()
    let library = folder.library
    let assets = try folder.addAssets(40) { i, record in record.isFavorite = i % 5 == 0 }
    let album = try folder.addAlbum(Array(assets[10..<30]))
    let fetches = [
      WatchedFetch("all") { try $0.fetchAssets() },
      WatchedFetch("last modified first") {
        try $0.fetchAssets(
          FetchOptions(sortDescriptors: [FetchSort(AssetKey.modificationDate, ascending: false)]))
      },
      WatchedFetch("favorites") {
        try $0.fetchAssets(FetchOptions(predicate: AssetKey.isFavorite == true, fetchLimit: 7))
      },
      WatchedFetch("album") { try $0.fetchAssets(in: album) },
      WatchedFetch("albums") { try $0.fetchAssetCollections(with: .album) },
    ]
    let gallery = try Gallery(fetches, library)
    try library.register(gallery)
    let first = try folder.version()

    let text = Self.script(library, album.localIdentifier, Array(assets.prefix(10)))
    let shell = BackgroundShell(text, output: folder.folder.path + "/output")
    while try folder.version() < first + 1_000 { try commit(&random, library, assets, album) }
    #expect(shell.wait() == 0)

    let last = try folder.version()
    let end = ContinuousClock.now + TestWait.duration
    while gallery.reported.last != last, ContinuousClock.now < end { usleep(5_000) }
    #expect(gallery.failure == nil, "\(gallery.failure as Any)")
    #expect(gallery.reported == Array(first + 1...last))
    let shown = try gallery.cells(after: LibraryChange(in: library, from: last - 1, through: last))
    for (fetch, cells) in zip(fetches, shown) {
      #expect(try fetch.start(library).cells == cells, "\(fetch.name)")
    }
  }

  private func commit(
    _ random: inout SeededNumbers, _ library: PhotoLibrary, _ assets: [Asset],
    _ album: AssetCollection
  ) throws {
    let asset = assets[10 + random.below(30)]
    let (kind, flag, at) = (random.below(6), random.below(2) == 0, random.below(1_000))
    try library.performChangesAndWait { changes in
      switch kind {
      case 0: try changes.change(asset).setHidden(flag)
      case 1: try changes.change(asset).setFavorite(flag)
      case 2: try changes.change(asset).setTitle("\(at)")
      case 3: try changes.change(album).addAssets([asset])
      case 4: try changes.change(album).removeAssets([asset])
      default: try changes.change(album).setTitle("\(at)")
      }
    }
  }
}
