// SPDX-License-Identifier: Apache-2.0

extension AssetCollection {
  /// Creates a collection that exists only in memory and can be fetched from like any other.
  ///
  /// It cannot be changed, has no key assets, and results fetched from it have no change details.
  /// Duplicate assets count once; assets that are in the trash at the time of a fetch are omitted.
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

  /// Indicates whether the collection exists only in memory.
  var isTransient: Bool { transientMembers != nil }
}

extension CollectionList {
  /// Creates a list that exists only in memory and can be fetched from like any other.
  ///
  /// It cannot be changed, and results fetched from it have no change details. Duplicate albums and
  /// folders count once; a fetch omits those that were deleted and returns the others in their
  /// current state.
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

  /// Indicates whether the list exists only in memory.
  var isTransient: Bool { transientMembers != nil }
}

extension PhotoCollection {
  /// Indicates whether the album or folder exists only in memory.
  var isTransient: Bool {
    switch self {
    case .assets(let album): album.isTransient
    case .list(let folder): folder.isTransient
    }
  }
}
