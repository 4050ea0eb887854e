// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Fetching assets.
///
/// Each method gives an ordered snapshot of one commit. Options are checked before anything runs. A
/// program that may not read gets empty results. Without sort descriptors the library and smart
/// albums are in the order in which assets came in (`addedDate`, then the row), albums in their own,
/// and fetches by name in the caller's.
extension PhotoLibrary {
  /// The assets of the library.
  public func fetchAssets(
    _ options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options, of: MemberQuery(options))
  }

  /// The assets of one kind of media.
  public func fetchAssets(
    with mediaType: MediaType, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options, of: MemberQuery(options, rule: (AssetKey.mediaType == mediaType).node))
  }

  /// The assets of a burst: the representative and what a person picked, or all of it with
  /// `includeAllBurstAssets`.
  public func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let rule = AssetKey.burstIdentifier == burstIdentifier
    return try fetch(options, of: MemberQuery(options, rule: rule.node))
  }

  /// The assets of some names, hidden ones and all of bursts among them, in the order of the names.
  ///
  /// Names of other classes, unknown names and repeated ones are left out.
  public func fetchAssets(
    withLocalIdentifiers identifiers: some Sequence<String>,
    options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let names = identifiers.compactMap { LocalIdentifier($0, as: .asset) }
    return try fetch(options) { session throws(LibraryError) in
      let scope = AssetScope(options, session, otherwise: .any, isWhole: true)
      return try AssetQuery(scope: scope, options: options)
        .rows("uuid", names.lazy.map { .blob($0.bytes) }, session.database)
    }
  }

  /// The assets of an album, a smart album, a moment or a transient collection.
  ///
  /// What is in the collection now counts, not what was when it was fetched; one that is gone is
  /// empty. `smartAlbumAllHidden` gives nothing without `includeHiddenAssets`.
  public func fetchAssets(
    in collection: AssetCollection, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    if let query = MemberQuery(options, in: collection) { return try fetch(options, of: query) }
    return try fetch(options, hasChangeDetails: !collection.isTransient) {
      session throws(LibraryError) in
      try Self.rows(in: collection, options, session)
    }
  }

  /// At most three assets that stand for a collection; nil for transient ones.
  ///
  /// The first ones of an album and of a moment, the latest ones of a smart album, unless the options
  /// sort and limit in another way.
  public func fetchKeyAssets(
    in collection: AssetCollection, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset>? {
    guard !collection.isTransient else { return nil }
    var options = options
    options.fetchLimit = options.fetchLimit <= 0 ? options.fetchLimit : min(3, options.fetchLimit)
    if options.fetchLimit == 0 { options.fetchLimit = 3 }
    let limited = options
    if var query = MemberQuery(limited, in: collection) {
      query.isLatestFirst = true
      return try fetch(limited, of: query)
    }
    return try fetch(limited) { session throws(LibraryError) in
      try Self.rows(in: collection, limited, session)
    }
  }

  /// The rows of the assets in a transient collection or a moment.
  private static func rows(
    in collection: AssetCollection, _ options: FetchOptions<Asset>, _ session: FetchSession
  ) throws(LibraryError) -> [Int64] {
    if let members = collection.transientMembers {
      let scope = AssetScope(options, session, otherwise: .any)
      return try AssetQuery(scope: scope, options: options)
        .rows("id", members.lazy.map { .integer($0.row) }, session.database)
    }
    guard let identifier = LocalIdentifier(collection.localIdentifier, as: .assetCollection)
    else { return [] }
    let scope = AssetScope(options, session, otherwise: .own)
    let rows = try Moments(session).rows(of: identifier)
    return try AssetQuery(scope: scope, options: options)
      .rows("id", rows.lazy.map { .integer($0) }, session.database)
  }
}
