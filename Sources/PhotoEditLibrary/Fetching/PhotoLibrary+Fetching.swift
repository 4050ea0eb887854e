// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
  /// Checks the options and runs a fetch of rows in one read transaction.
  func fetch<Object>(
    _ options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ find: @escaping FetchQuery<Object>.RowFinder
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .rows(find),
        wantsDetails: options.wantsIncrementalChangeDetails && hasChangeDetails))
  }

  /// Checks the options, runs a fetch of objects in one read transaction, and applies the options.
  func fetch<Object>(
    computed options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ find: @escaping FetchQuery<Object>.ObjectFinder
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .objects { session throws(LibraryError) in
          options.apply(to: try find(session))
        },
        wantsDetails: options.wantsIncrementalChangeDetails && hasChangeDetails))
  }

  /// Checks the options and fetches the assets of a query.
  func fetch(
    _ options: FetchOptions<Asset>, of query: MemberQuery
  ) throws(LibraryError) -> FetchResult<Asset> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .rows { session throws(LibraryError) in try query.rows(session) },
        members: query, wantsDetails: options.wantsIncrementalChangeDetails))
  }

  /// Runs a query on the current state.
  private func fetch<Object>(
    _ query: FetchQuery<Object>
  ) throws(LibraryError) -> FetchResult<Object> {
    try read { database throws(LibraryError) in
      try query.find(reader, FetchSession(reader, database))
    }
  }
}
