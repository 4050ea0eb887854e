// SPDX-License-Identifier: Apache-2.0

/// The query of a result, which can be repeated as of any commit in the history.
struct FetchQuery<Object: FetchedObject>: Sendable {
  typealias RowFinder = @Sendable (FetchSession) throws(LibraryError) -> [Int64]
  typealias ObjectFinder = @Sendable (FetchSession) throws(LibraryError) -> [Object]

  enum Finder: Sendable {
    /// Finds rows; their objects are read on access.
    case rows(RowFinder)
    /// Creates objects without rows, such as smart albums.
    case objects(ObjectFinder)
  }

  let finder: Finder
  /// The query for following members incrementally; nil if the fetch must be repeated.
  var members: MemberQuery?
  let wantsDetails: Bool

  /// Returns the result as of the session's commit; empty for a program without read access.
  func find(
    _ library: LibraryReader, _ session: FetchSession
  ) throws(LibraryError) -> FetchResult<Object> {
    let (version, grant) = (session.version, session.grant)
    switch finder {
    case .rows(let find):
      let rows = grant.canRead ? try find(session) : []
      return FetchResult(ChunkedRowList(rows), at: version, in: library, grant: grant, query: self)
    case .objects(let find):
      let objects = grant.canRead ? try find(session) : []
      return FetchResult(objects, at: version, in: library, grant: grant, query: self)
    }
  }
}
