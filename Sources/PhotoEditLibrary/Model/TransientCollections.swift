// SPDX-License-Identifier: Apache-2.0

extension AssetCollection {
  /// Makes a collection that lives in memory alone and is fetched from like any other.
  ///
  /// It cannot be changed, has no key assets, and results fetched from it have no change details.
  /// An asset counts once; assets that are in the trash by then are not fetched.
  public static func transient(
    title: String?, assets: some Sequence<Asset>
  ) -> AssetCollection {
    var seen: Set<String> = []
    let members = assets.filter { seen.insert($0.localIdentifier).inserted }
    let dates = members.compactMap(\.creationDate)
    var collection = AssetCollection(
      localIdentifier: LocalIdentifier(new: .assetCollection).description, kind: .album,
      subtype: .any, localizedTitle: title, startDate: dates.min(), endDate: dates.max(),
      estimatedAssetCount: members.count, row: nil)
    collection.transientMembers = members
    return collection
  }

  /// Whether it lives in memory alone.
  var isTransient: Bool { transientMembers != nil }
}

extension CollectionList {
  /// Makes a list that lives in memory alone and is fetched from like any other.
  ///
  /// It cannot be changed, and results fetched from it have no change details. An album or folder
  /// counts once; those that are deleted by then are not fetched, the others as they are then.
  public static func transient(
    title: String?, collections: some Sequence<PhotoCollection>
  ) -> CollectionList {
    var seen: Set<String> = []
    let members = collections.filter { seen.insert($0.localIdentifier).inserted }
    var list = CollectionList(
      localIdentifier: LocalIdentifier(new: .collectionList).description, kind: .folder,
      subtype: .any, localizedTitle: title,
      startDate: members.compactMap(\.startDate).min(),
      endDate: members.compactMap(\.endDate).max(), row: nil)
    list.transientMembers = members
    return list
  }

  /// Whether it lives in memory alone.
  var isTransient: Bool { transientMembers != nil }
}

extension PhotoCollection {
  /// Whether it lives in memory alone.
  var isTransient: Bool {
    switch self {
    case .assets(let album): album.isTransient
    case .list(let folder): folder.isTransient
    }
  }
}
