// SPDX-License-Identifier: Apache-2.0

/// The history of the library: the changes of each commit, for programs that were not running.
///
/// A program stores a token and, when it runs again, asks for changes since then, made by itself or
/// by other programs. `Configuration.historyRetention` specifies how long commits are kept. A
/// program without read access gets `accessRestricted` or `accessUserDenied`; one with limited
/// access gets changes of its assets only.
extension PhotoLibrary {
  /// The token of the newest commit.
  ///
  /// Get the token before fetching the objects to keep up to date: a commit between the two is then
  /// reported again, but never missed.
  public var currentChangeToken: PersistentChangeToken {
    get throws(LibraryError) {
      let grant = try access.checkReading()
      return try read { database throws(LibraryError) in
        PersistentChangeToken(
          try LibraryHistory(database: database).newest(), in: reader.tokenName(grant))
      }
    }
  }

  /// Returns the changes since a token was created, one element for each commit.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` if the history does not reach
  ///   back to the token, if the token is of another library, or if an earlier state of the library
  ///   has been restored in the meantime: fetch everything again.
  public func fetchPersistentChanges(
    since token: PersistentChangeToken
  ) throws(LibraryError) -> PersistentChanges {
    guard token.library == reader.tokenName(try access.checkReading()) else {
      throw .tokenOfOtherLibrary
    }
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      try history.check(token.mark)
      return PersistentChanges(
        reader, after: token.mark, through: try history.newest().number)
    }
  }

  /// Returns all commits in the history.
  public func fetchPersistentChanges() throws(LibraryError) -> PersistentChanges {
    _ = try access.checkReading()
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      return PersistentChanges(
        reader, after: try history.expired(), through: try history.newest().number)
    }
  }
}

extension LibraryReader {
  /// The maximum number of commits, and of their objects, that are read at once.
  static let historyBatch = (commits: 256, objects: 4_096)

  /// Returns the bytes that identify the library in tokens, and the selection of a program with
  /// limited access: after a change of the selection, it has to fetch everything again.
  fileprivate func tokenName(_ grant: AccessGrant) -> [UInt8] {
    guard case .limited(let assets) = grant else {
      return PersistentChangeToken.name(ofLibrary: identifier)
    }
    return PersistentChangeToken.name(
      ofLibrary: ([identifier] + assets.sorted()).joined(separator: "\n"))
  }

  /// Returns the next commits after a mark; at least one if there are any.
  func changes(
    after start: HistoryMark, through end: Int64
  ) throws(LibraryError) -> [PersistentChange] {
    let grant = try access.checkReading()
    let library = tokenName(grant)
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      try history.check(start)
      var marks = try history.marks(
        after: start.number, through: end, limit: Self.historyBatch.commits)
      guard let first = marks.first, let last = marks.last else { return [] }
      let found = try history.objects(
        after: start.number, through: last.number, limit: Self.historyBatch.objects)
      // A commit whose objects were not all read starts the next batch, or is a batch of its own.
      if let incompleteCommit = found.incompleteCommit {
        guard incompleteCommit > first.number else {
          return [
            PersistentChange(
              changeToken: PersistentChangeToken(first, in: library), objects: .stored(self))
          ]
        }
        marks.removeAll { $0.number >= incompleteCommit }
      }
      var objects = Self.limited(found.objects, to: grant)[...]
      return marks.map { mark in
        let own = objects.prefix { $0.change == mark.number }
        objects = objects.dropFirst(own.count)
        return PersistentChange(
          changeToken: PersistentChangeToken(mark, in: library), objects: .read(Array(own)))
      }
    }
  }

  func objects(of mark: HistoryMark) throws(LibraryError) -> [LibraryHistory.Object] {
    let grant = try access.checkReading()
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      guard try history.expired().number < mark.number else {
        throw .prunedDetails(mark.number)
      }
      try history.check(mark)
      let found = try history.objects(after: mark.number - 1, through: mark.number).objects
      return Self.limited(found, to: grant)
    }
  }

  /// Returns the objects that a program may see: with limited access, no albums and folders.
  private static func limited(
    _ objects: [LibraryHistory.Object], to grant: AccessGrant
  ) -> [LibraryHistory.Object] {
    guard case .limited(let visible) = grant else { return objects }
    return objects.filter {
      $0.identifier.objectClass == .asset && visible.contains($0.identifier.description)
    }
  }
}

extension LibraryAccess {
  /// Returns the access of the program; throws an error if it may not read the library.
  func checkReading() throws(LibraryError) -> AccessGrant {
    if let policyError { throw policyError }
    let grant = grant
    switch grant {
    case .readWrite, .limited: return grant
    case .undecided: throw .undecided
    case .addOnly, .none: throw .unreadable(client)
    }
  }
}
