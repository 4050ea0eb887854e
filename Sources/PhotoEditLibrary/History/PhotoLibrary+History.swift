// SPDX-License-Identifier: Apache-2.0

/// The history of the library: what each commit changed, for programs that were not there.
///
/// A program keeps a token, and when it runs again it asks what was changed since: by this program
/// or any other. How long commits are kept is in `Configuration.historyRetention`. Who may not read
/// the library gets `accessRestricted` or `accessUserDenied`; a limited program is told of its
/// assets alone.
extension PhotoLibrary {
  /// The place behind the newest commit.
  ///
  /// Take it before you fetch what you want to keep up with: a commit between the two is then told
  /// once more and never missed.
  public var currentChangeToken: PersistentChangeToken {
    get throws(LibraryError) {
      let grant = try access.checkReading()
      return try read { database throws(LibraryError) in
        PersistentChangeToken(
          try LibraryHistory(database: database).newest(), in: reader.tokenName(grant))
      }
    }
  }

  /// What was changed since a token was given, one element for each commit.
  ///
  /// - Throws: `LibraryError` with `persistentChangeTokenExpired` when the history does not reach
  ///   back to the token, when it is of another library, and when an earlier state of the library
  ///   was brought back meanwhile: fetch everything again.
  public func fetchPersistentChanges(
    since token: PersistentChangeToken
  ) throws(LibraryError) -> PersistentChanges {
    guard token.library == reader.tokenName(try access.checkReading()) else { throw .foreignToken }
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      try history.check(token.mark)
      return PersistentChanges(
        reader, after: token.mark, through: try history.newest().number)
    }
  }

  /// Every commit that is kept.
  public func fetchPersistentChanges() throws(LibraryError) -> PersistentChanges {
    _ = try access.checkReading()
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      return PersistentChanges(
        reader, after: try history.forgotten(), through: try history.newest().number)
    }
  }
}

extension LibraryReader {
  /// Most commits, and most objects of them, that are read at once.
  static let historyBatch = (commits: 256, objects: 4_096)

  /// What stands in tokens for the library, and for the selection that a limited program sees: with
  /// another selection it has to fetch everything again.
  fileprivate func tokenName(_ grant: AccessGrant) -> [UInt8] {
    guard case .limited(let assets) = grant else {
      return PersistentChangeToken.name(ofLibrary: identifier)
    }
    return PersistentChangeToken.name(
      ofLibrary: ([identifier] + assets.sorted()).joined(separator: "\n"))
  }

  /// The next commits behind a mark; at least one as long as there are any.
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
      // A commit whose objects were not all read begins the next batch, or is a batch of its own.
      if let cut = found.cut {
        guard cut > first.number else {
          return [
            PersistentChange(
              changeToken: PersistentChangeToken(first, in: library), objects: .stored(self))
          ]
        }
        marks.removeAll { $0.number >= cut }
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

  /// The objects of one commit, however many.
  func objects(of mark: HistoryMark) throws(LibraryError) -> [LibraryHistory.Object] {
    let grant = try access.checkReading()
    return try read { database throws(LibraryError) in
      let history = LibraryHistory(database: database)
      guard try history.forgotten().number < mark.number else {
        throw .prunedDetails(mark.number)
      }
      try history.check(mark)
      let found = try history.objects(after: mark.number - 1, through: mark.number).objects
      return Self.limited(found, to: grant)
    }
  }

  /// What a program is told: one that sees only some assets sees no albums and folders.
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
  /// What a program may see; refuses to tell one that may not read what was changed.
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
