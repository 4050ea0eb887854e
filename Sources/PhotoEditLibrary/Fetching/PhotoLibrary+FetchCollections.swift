// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Fetching albums, smart albums and moments.
///
/// Without sort descriptors, albums are in the order in which they were created, the contents of a
/// folder in its own order, smart albums by their raw values, moments and years by date.
extension PhotoLibrary {
  /// Fetches the collections of a kind and a subtype; `any` for all subtypes.
  public func fetchAssetCollections(
    with kind: AssetCollection.Kind, subtype: AssetCollection.Subtype = .any,
    options: FetchOptions<AssetCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<AssetCollection> {
    switch kind {
    case .album:
      return try fetch(options) { session throws(LibraryError) in
        try CollectionQuery(.assetCollection, options).rows(
          session, subtype == .any ? [] : [SQLFragment("subtype = ?", [.init(subtype.rawValue)])])
      }
    case .smartAlbum:
      return try fetch(computed: options) { session throws(LibraryError) in
        let albums = SmartAlbum.all.filter { subtype == .any || $0.subtype == subtype }
        return try albums.map { album throws(LibraryError) in try album.collection(session) }
      }
    case .moment:
      return try fetch(computed: options) { session throws(LibraryError) in
        subtype == .any ? try MomentClustering(session).all() : []
      }
    }
  }

  /// Fetches the collections with the given identifiers, in their order; all are of the kind of the
  /// first one.
  ///
  /// Identifiers of other classes and kinds, unknown identifiers and duplicates are ignored.
  public func fetchAssetCollections(
    withLocalIdentifiers identifiers: some Sequence<String>,
    options: FetchOptions<AssetCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<AssetCollection> {
    let names = identifiers.compactMap { LocalIdentifier($0, as: .assetCollection) }
    return try fetch(computed: options) { session throws(LibraryError) in
      var found: [AssetCollection] = []
      var seen: Set<LocalIdentifier> = []
      for name in names where seen.insert(name).inserted {
        guard let collection = try AssetCollection.named(name, session),
          collection.kind == found.first?.kind ?? collection.kind
        else { continue }
        found.append(collection)
      }
      return found
    }
  }

  /// Fetches the albums or the moment that contain an asset; always empty for smart albums.
  public func fetchAssetCollections(
    containing asset: Asset, with kind: AssetCollection.Kind,
    options: FetchOptions<AssetCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<AssetCollection> {
    let name = LocalIdentifier(asset.localIdentifier, as: .asset)
    switch kind {
    case .album:
      return try fetch(options) { session throws(LibraryError) in
        guard let name, let row = try session.database.row(of: name) else { return [] }
        return try CollectionQuery(.assetCollection, options).rows(
          session,
          [SQLFragment("id IN (SELECT album FROM member WHERE asset = ?)", [.integer(row)])])
      }
    case .smartAlbum: return try fetch(computed: options) { _ in [] }
    case .moment:
      return try fetch(computed: options) { session throws(LibraryError) in
        guard let name, let row = try session.database.row(of: name),
          let moment = try MomentClustering(session).moment(containing: row)
        else { return [] }
        return [moment]
      }
    }
  }

  /// Fetches the moments in a list of moments, the oldest first.
  public func fetchMoments(
    in list: CollectionList, options: FetchOptions<AssetCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<AssetCollection> {
    try fetch(computed: options) { session throws(LibraryError) in
      try Self.moments(in: list, session)
    }
  }

  /// Fetches all moments, the oldest first.
  public func fetchMoments(
    _ options: FetchOptions<AssetCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<AssetCollection> {
    try fetchAssetCollections(with: .moment, options: options)
  }

  /// Returns the moments in the list of a year.
  static func moments(
    in list: CollectionList, _ session: FetchSession
  ) throws(LibraryError) -> [AssetCollection] {
    guard let name = LocalIdentifier(list.localIdentifier, as: .collectionList),
      let year = ComputedIdentifier.year(of: name)
    else { return [] }
    return try MomentClustering(session).all().filter { MomentClustering.year(of: $0) == year }
  }
}

/// The statement that finds albums, folders or both.
struct CollectionQuery<Object: FetchedObject> {
  private let objectClass: ObjectClass?
  private let options: FetchOptions<Object>
  /// The order without sort descriptors.
  private let order: String

  init(_ objectClass: ObjectClass?, _ options: FetchOptions<Object>, order: String = "id") {
    self.objectClass = objectClass
    self.options = options
    self.order = order
  }

  /// Returns the rows that meet the conditions; empty if user-created albums are not visible.
  func rows(
    _ session: FetchSession, _ conditions: [SQLFragment] = []
  ) throws(LibraryError) -> [Int64] {
    guard session.seesUserCollections else { return [] }
    var all = [SQLFragment("state = 0")] + conditions
    if let objectClass { all.append(SQLFragment("class = ?", [.init(objectClass.rawValue)])) }
    if let node = options.predicate?.node { all.append(node.sql(for: Object.source)) }
    let statement =
      SQLFragment("SELECT id FROM collection WHERE ") + .all(all)
      + SQLFragment(options.order(order))
      + options.limit
    return try session.database.integers(statement.text, statement.values)
  }
}
