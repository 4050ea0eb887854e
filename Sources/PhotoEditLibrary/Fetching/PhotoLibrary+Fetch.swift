// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

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

  func fetch(
    _ options: FetchOptions<Asset>, of query: MemberQuery
  ) throws(LibraryError) -> FetchResult<Asset> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .rows { session throws(LibraryError) in try query.rows(session) },
        members: query, wantsDetails: options.wantsIncrementalChangeDetails))
  }

  private func fetch<Object>(
    _ query: FetchQuery<Object>
  ) throws(LibraryError) -> FetchResult<Object> {
    try read { database throws(LibraryError) in
      try query.find(reader, FetchSession(reader, database))
    }
  }

  /// Runs fetches outside the cooperative thread pool, which database reads would block.
  ///
  /// ```swift
  /// let favorites = try await library.fetch { library in
  ///   try library.fetchAssets(in: library.fetchAssetCollections(with: .smartAlbum)[0])
  /// }
  /// ```
  ///
  /// - Throws: Any error that the body throws; `LibraryError` with `userCancelled` if the task was
  ///   already canceled.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws -> Value
  ) async throws -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ in try body(self) }
  }

  /// Runs fetches outside the cooperative thread pool; see the other overload.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ throws(LibraryError) in try body(self) }
  }
}
