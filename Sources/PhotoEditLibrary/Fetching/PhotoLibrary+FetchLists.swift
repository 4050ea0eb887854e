// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Fetching folders, lists of moments, and their contents.
extension PhotoLibrary {
  /// Fetches the albums and folders at the top level, in their order.
  public func fetchTopLevelUserCollections(
    _ options: FetchOptions<PhotoCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<PhotoCollection> {
    try fetch(options) { session throws(LibraryError) in
      try CollectionQuery(nil, options, order: "position, id")
        .rows(session, [SQLFragment("parent IS NULL")])
    }
  }

  /// Fetches the contents of a folder, a list of moments or a transient list, in its order.
  public func fetchCollections(
    in list: CollectionList, options: FetchOptions<PhotoCollection> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<PhotoCollection> {
    if let members = list.transientMembers {
      return try fetch(computed: options, hasChangeDetails: false) { session throws(LibraryError) in
        try members.map { member throws(LibraryError) in
          // Transient members are unchanged.
          member.isTransient
            ? member : try PhotoCollection.source.find(member.localIdentifier, session)
        }.compactMap(\.self)
      }
    }
    switch list.kind {
    case .momentList:
      return try fetch(computed: options) { session throws(LibraryError) in
        try Self.moments(in: list, session).map { .assets($0) }
      }
    case .folder, .smartFolder:
      return try fetch(options) { session throws(LibraryError) in
        guard let name = LocalIdentifier(list.localIdentifier, as: .collectionList),
          let row = try session.database.row(of: name)
        else { return [] }
        return try CollectionQuery(nil, options, order: "position, id")
          .rows(session, [SQLFragment("parent = ?", [.integer(row)])])
      }
    }
  }

  /// Fetches the lists of a kind and a subtype; `any` for all subtypes.
  ///
  /// There are no smart folders.
  public func fetchCollectionLists(
    with kind: CollectionList.Kind, subtype: CollectionList.Subtype = .any,
    options: FetchOptions<CollectionList> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<CollectionList> {
    switch kind {
    case .folder:
      return try fetch(options) { session throws(LibraryError) in
        try CollectionQuery(.collectionList, options).rows(
          session, subtype == .any ? [] : [SQLFragment("subtype = ?", [.init(subtype.rawValue)])])
      }
    case .momentList:
      return try fetch(computed: options) { session throws(LibraryError) in
        subtype == .any || subtype == .momentListYear ? try MomentClustering(session).years() : []
      }
    case .smartFolder: return try fetch(computed: options) { _ in [] }
    }
  }

  /// Fetches the lists with the given identifiers, in their order.
  ///
  /// Identifiers of other classes, unknown identifiers and duplicates are ignored.
  public func fetchCollectionLists(
    withLocalIdentifiers identifiers: some Sequence<String>,
    options: FetchOptions<CollectionList> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<CollectionList> {
    let names = identifiers.compactMap { LocalIdentifier($0, as: .collectionList) }
    return try fetch(computed: options) { session throws(LibraryError) in
      var found: [CollectionList] = []
      var seen: Set<LocalIdentifier> = []
      for name in names where seen.insert(name).inserted {
        if let list = try CollectionList.named(name, session) { found.append(list) }
      }
      return found
    }
  }

  /// Fetches the folder that contains an album or a folder, or the year of a moment; empty at the
  /// top level.
  public func fetchCollectionLists(
    containing collection: PhotoCollection, options: FetchOptions<CollectionList> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<CollectionList> {
    if case .assets(let moment) = collection, moment.kind == .moment {
      return try fetch(computed: options) { session throws(LibraryError) in
        let identifier = MomentClustering.year(of: moment).flatMap {
          ComputedIdentifier.momentList(year: $0)
        }
        return try MomentClustering(session).years().filter {
          $0.localIdentifier == identifier?.description
        }
      }
    }
    return try fetch(options) { session throws(LibraryError) in
      guard let name = LocalIdentifier(collection.localIdentifier),
        let row = try session.database.row(of: name)
      else { return [] }
      return try CollectionQuery(.collectionList, options).rows(
        session,
        [SQLFragment("id = (SELECT parent FROM collection WHERE id = ?)", [.integer(row)])])
    }
  }
}
