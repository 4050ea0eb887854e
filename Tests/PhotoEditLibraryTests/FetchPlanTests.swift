// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import Testing

@testable import PhotoEditLibrary

@Suite("Query plans of fetches")
struct FetchPlanTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func plan(_ statement: SQLFragment) throws -> String {
    try library.read { database throws(LibraryError) in
      try database.all("EXPLAIN QUERY PLAN " + statement.text, statement.values) { $0.text(3) }
    }.joined(separator: "; ")
  }

  private func plan(
    _ options: FetchOptions<Asset> = FetchOptions(), rule: PredicateNode? = nil
  ) throws -> String {
    try library.read { database throws(LibraryError) in
      let session = try FetchSession(library.reader, database)
      return AssetQuery(
        scope: AssetScope(options, session, otherwise: .own), rule: rule, options: options
      ).statement
    }.plan(plan)
  }

  /// Fetches, and the index that each one uses without sorting.
  private static let fetches: [(FetchOptions<Asset>, PredicateNode?, String)] = {
    typealias Options = FetchOptions<Asset>
    func sorted<Value>(_ key: FetchKey<Asset, Value>, _ ascending: Bool) -> Options {
      Options(sortDescriptors: [FetchSort(key, ascending: ascending)])
    }
    let video = AssetKey.mediaType == .video
    let favorite = AssetKey.isFavorite == true
    return [
      (Options(), nil, "INDEX assetByAdded"),
      (Options(fetchLimit: 100), nil, "INDEX assetByAdded"),
      (Options(), video.node, "INDEX assetByType"),
      (Options(predicate: video), nil, "INDEX assetByType"),
      (Options(), SmartAlbum.of(.smartAlbumFavorites)?.condition(at: 0), "assetByFavorite"),
      (Options(predicate: favorite), nil, "assetByFavorite"),
      (Options(), SmartAlbum.of(.smartAlbumRecentlyAdded)?.condition(at: 0), "assetByAdded"),
      (Options(predicate: AssetKey.burstIdentifier == "b"), nil, "INDEX assetByBurst"),
      (sorted(AssetKey.creationDate, true), nil, "INDEX assetByCreation"),
      (sorted(AssetKey.creationDate, false), nil, "INDEX assetByCreation"),
      (sorted(AssetKey.modificationDate, false), nil, "INDEX assetByModification"),
    ]
  }()

  @Test(arguments: fetches.indices)
  func `common fetches use an index and do not sort`(index: Int) throws {
    let (options, rule, name) = Self.fetches[index]
    let plan = try plan(options, rule: rule)
    #expect(
      plan.contains(name) && !plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "\(plan)")
  }

  @Test func `rare properties are found with an index of the assets that have them`() throws {
    for (subtype, name) in [
      (AssetCollection.Subtype.smartAlbumPanoramas, "assetBySubtypes"),
      (.smartAlbumRAW, "assetByTraits"), (.smartAlbumLivePhotos, "assetBySubtypes"),
    ] {
      let plan = try plan(rule: SmartAlbum.of(subtype)?.condition(at: 0))
      #expect(plan.contains(name) && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  @Test func `assets excluded from a large album are found with an index`() throws {
    let scope = try library.read { database throws(LibraryError) in
      AssetScope(FetchOptions(), try FetchSession(library.reader, database), otherwise: .any)
    }
    let exclusion = try #require(scope.exclusion)
    let excluded = try plan(SQLFragment("SELECT id FROM asset WHERE \(exclusion)"))
    #expect(
      excluded.contains("SEARCH asset USING INDEX") && excluded.contains("(visibility=?"),
      "\(excluded)")
    let members = try plan(
      SQLFragment("SELECT asset FROM member WHERE album = 1 ORDER BY position"))
    #expect(members.contains("SEARCH member USING PRIMARY KEY (album=?)"), "\(members)")
  }

  @Test func `identifiers and albums are found with their indexes`() throws {
    for (sql, name) in [
      ("SELECT id FROM asset WHERE uuid = x'00' AND visibility IN (0, 1)", "assetByUUID"),
      (
        "SELECT id FROM collection WHERE state = 0 AND parent IS NULL ORDER BY position, id",
        "collectionByPlace"
      ),
      ("SELECT album FROM member WHERE asset = 1", "memberByAsset"),
    ] {
      let plan = try plan(SQLFragment(sql))
      #expect(plan.contains(name) && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }
}

extension SQLFragment {
  fileprivate func plan(_ explain: (SQLFragment) throws -> String) rethrows -> String {
    try explain(self)
  }
}
