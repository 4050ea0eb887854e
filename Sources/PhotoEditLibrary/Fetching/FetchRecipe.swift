// SPDX-License-Identifier: Apache-2.0

/// How a result was found, so that it can be found again as of any commit that the history reaches.
struct FetchRecipe<Object: FetchedObject>: Sendable {
  typealias RowFinder = @Sendable (FetchSession) throws(LibraryError) -> [Int64]
  typealias ObjectFinder = @Sendable (FetchSession) throws(LibraryError) -> [Object]

  enum Finder: Sendable {
    /// Finds rows, whose objects are read when they are asked for.
    case rows(RowFinder)
    /// Makes objects, such as smart albums, which have no rows.
    case objects(ObjectFinder)
  }

  let finder: Finder
  /// How members are followed one by one, commit by commit; nil where the result is found anew.
  var members: MemberQuery?
  let wantsDetails: Bool

  /// The result as of the session's commit; without members for a program that may not read.
  func find(
    _ library: LibraryReader, _ session: FetchSession
  ) throws(LibraryError) -> FetchResult<Object> {
    let (version, grant) = (session.version, session.grant)
    switch finder {
    case .rows(let find):
      let rows = grant.canRead ? try find(session) : []
      return FetchResult(RowList(rows), at: version, in: library, grant: grant, recipe: self)
    case .objects(let find):
      let objects = grant.canRead ? try find(session) : []
      return FetchResult(objects, at: version, in: library, grant: grant, recipe: self)
    }
  }
}
