// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Fetching assets.
///
/// Each method returns an ordered snapshot of one commit. Options are checked before any query
/// runs. A program without read access gets empty results. Without sort descriptors, the library
/// and smart albums are in the order in which assets were added (`addedDate`, then the row), albums
/// are in their own order, and fetches by identifier are in the caller's order.
extension PhotoLibrary {
  /// Fetches the assets of the library.
  public func fetchAssets(
    _ options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options, of: MemberQuery(options))
  }

  /// Fetches the assets of a media type.
  public func fetchAssets(
    with mediaType: MediaType, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options, of: MemberQuery(options, rule: (AssetKey.mediaType == mediaType).node))
  }

  /// Fetches the assets of a burst: the representative and the user-picked ones, or all of them
  /// with `includeAllBurstAssets`.
  public func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let rule = AssetKey.burstIdentifier == burstIdentifier
    return try fetch(options, of: MemberQuery(options, rule: rule.node))
  }

  /// Fetches the assets with the given identifiers, in their order, including hidden assets and all
  /// burst members.
  ///
  /// Identifiers of other classes, unknown identifiers and duplicates are ignored.
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

  /// Fetches the assets of an album, a smart album, a moment or a transient collection.
  ///
  /// The current contents of the collection are fetched, which may have changed since it was
  /// fetched; a deleted collection is empty. `smartAlbumAllHidden` is empty without
  /// `includeHiddenAssets`.
  public func fetchAssets(
    in collection: AssetCollection, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    if let query = MemberQuery(options, in: collection) { return try fetch(options, of: query) }
    return try fetch(options, hasChangeDetails: !collection.isTransient) {
      session throws(LibraryError) in
      try Self.rows(in: collection, options, session)
    }
  }

  /// Fetches up to three assets that represent a collection; nil for transient ones.
  ///
  /// These are the first assets of an album or a moment, and the latest ones of a smart album,
  /// unless the options specify another order and limit.
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

  /// Returns the rows of the assets in a transient collection or a moment.
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
    let rows = try MomentClustering(session).rows(of: identifier)
    return try AssetQuery(scope: scope, options: options)
      .rows("id", rows.lazy.map { .integer($0) }, session.database)
  }
}
