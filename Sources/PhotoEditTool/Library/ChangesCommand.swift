// SPDX-License-Identifier: Apache-2.0

/// A command that lists the changes in a library and can follow new ones.
struct ChangesCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "changes", "List library changes, one line per commit.",
    discussion: """
      Each line contains the date, the inserted (+), updated (~) and deleted (-) objects, and the \
      token of the commit. A client that stores the last token and passes it to --since receives \
      every change exactly once. Moving an asset to the trash is reported as a deletion, \
      restoring it as an insertion.

      Without --since, the whole history is listed, but with --follow, only new changes. \
      '--since beginning' lists the whole history in both cases. An expired token is rejected with \
      exit code 65; in this case, list everything again.
      """,
    examples: [
      CommandExample("changes -L Photos", "list the retained history"),
      CommandExample(
        "changes -L Photos --follow --since beginning --json", "stream all changes to a program"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option(
        "since", \.since, value: "TOKEN",
        "List changes after this token, or from the 'beginning' of the history."),
      .flag("follow", \.isFollowing, "Keep running and print new changes."),
    ])

  var library = LibraryArguments()
  var since: String?
  var isFollowing = false

  /// The argument for a token before the first commit.
  private static let beginning = "beginning"

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let token = try since.flatMap { since throws(CommandFailure) in
      try since == Self.beginning
        ? nil : inLibrary(PersistentChangeToken(since))
    }
    guard isFollowing else {
      _ = try writeChanges(try changes(of: library, since: token, environment), environment)
      return
    }
    // Watching needs Dispatch threads, and Dispatch blocks permanently if none are available.
    guard ThreadGroup.areAvailable(3) else {
      throw CommandFailure(
        .busy, "cannot watch the library: no more threads can be created",
        hint: "raise the process limit (ulimit), or omit --follow", code: "noThreads")
    }
    // Watching begins before the first fetch, so that no commit in between is missed.
    let waiter = CommitWaiter(library)
    var start = try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      if let token { token } else { try library.currentChangeToken }
    }
    if since == Self.beginning {
      let changes = try changes(of: library, since: nil, environment)
      start = try writeChanges(changes, environment) ?? start
    }
    try environment.cancellation.withHandler({ waiter.wake() }) { () throws(CommandFailure) in
      try follow(library, from: start, waiter, environment)
    }
  }

  /// Returns the changes since a token; nil means the whole history, whose beginning may be
  /// deleted.
  private func changes(
    of library: PhotoLibrary, since token: PersistentChangeToken?,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PersistentChanges {
    try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      if let token { return try library.fetchPersistentChanges(since: token) }
      let changes = try library.fetchPersistentChanges()
      if since != nil, !changes.beginsWithFirst {
        environment.warn(
          "the oldest commits have expired; list existing assets with 'photoedit asset list'")
      }
      return changes
    }
  }

  private func follow(
    _ library: PhotoLibrary, from start: PersistentChangeToken, _ waiter: CommitWaiter,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var token = start
    while true {
      let changes = try translating({ CommandFailure($0) }) { () throws(LibraryError) in
        try waiter.checkLibrary()
        return try library.fetchPersistentChanges(since: token)
      }
      token = try writeChanges(changes, environment) ?? token
      repeat {
        environment.output.checkReader()
        try environment.checkCancellation()
      } while !waiter.wait(seconds: 1)
    }
  }

  /// Writes a line for each commit and returns the token of the last one.
  private func writeChanges(
    _ changes: PersistentChanges, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PersistentChangeToken? {
    var changes = changes.makeIterator()
    var last: PersistentChangeToken?
    func next() throws(CommandFailure) -> PersistentChange? {
      try inLibrary(changes.nextChange())
    }
    while let change = try next() {
      try environment.checkCancellation()
      if environment.wantsJSON {
        try environment.write(change.json())
      } else {
        environment.print(try change.line())
      }
      if isFollowing { environment.output.flush() }
      last = change.changeToken
    }
    return last
  }
}

/// The report on a commit, for display and for scripts.
extension PersistentChange {
  private static let classes: [(name: String, objectClass: ObjectClass)] = [
    ("assets", .asset), ("albums", .assetCollection), ("folders", .collectionList),
  ]

  private func details(
    _ objectClass: ObjectClass
  ) throws(CommandFailure) -> PersistentObjectChangeDetails {
    try inLibrary(changeDetails(for: objectClass))
  }

  /// Returns the date, the identifier prefixes of a few objects, and the token.
  func line() throws(CommandFailure) -> String {
    var parts = [Clock.text(date)]
    for (name, objectClass) in Self.classes {
      let details = try details(objectClass)
      if !details.isEmpty { parts.append("\(name) \(details.summary)") }
    }
    return (parts + ["\(changeToken)"]).joined(separator: "  ")
  }

  /// Returns all changes, for scripts.
  func json() throws(CommandFailure) -> [String: JSONValue] {
    var json: [String: JSONValue] = [
      "token": .string("\(changeToken)"), "date": .string(Clock.text(date)),
    ]
    for (name, objectClass) in Self.classes {
      let details = try details(objectClass)
      json[name] = [
        "inserted": .texts(details.insertedLocalIdentifiers.sorted()),
        "updated": .texts(details.updatedLocalIdentifiers.sorted()),
        "deleted": .texts(details.deletedLocalIdentifiers.sorted()),
      ]
    }
    return json
  }
}

extension PersistentObjectChangeDetails {
  /// The maximum number of objects of each kind in a line.
  private static let named = 3

  /// The changes, such as "+3F2504E0 ~7A01C2D4 ~91B2A3C4 -…": a sign and an identifier prefix each.
  fileprivate var summary: String {
    let kinds = [
      ("+", insertedLocalIdentifiers), ("~", updatedLocalIdentifiers),
      ("-", deletedLocalIdentifiers),
    ]
    return kinds.flatMap { sign, identifiers in
      var items = identifiers.sorted().prefix(Self.named).map { sign + $0.prefix(8) }
      if identifiers.count > Self.named {
        items.append("\(sign)\(identifiers.count - Self.named) more")
      }
      return items
    }.joined(separator: " ")
  }
}
