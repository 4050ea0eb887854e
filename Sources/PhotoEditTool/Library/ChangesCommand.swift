// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditStorage

/// A command that lists the changes in a library and can follow new ones.
struct ChangesCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "changes", "Lists what was changed in a library, one line for each commit.",
    discussion: """
      A line has the date, what was inserted (+), updated (~) and deleted (-), and at its end the \
      token of the commit. Whoever keeps the last token and gives it to --since misses nothing and \
      gets nothing twice. Into the trash counts as deleted, out of it as inserted.

      Without --since the whole history is listed, or with --follow what comes from now on; \
      '--since beginning' lists the whole history with --follow too. A token that is older than the \
      history is refused with exit code 65: list everything again.
      """,
    examples: [
      CommandExample("changes -L Photos", "the whole history that is kept"),
      CommandExample(
        "changes -L Photos --follow --since beginning --json", "for programs that keep up"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option(
        "since", \.since, value: "TOKEN",
        "Begins after the commit of a token, or at the 'beginning' of the history."),
      .flag("follow", \.isFollowing, "Goes on with what any program changes, until it is stopped."),
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
      _ = try tell(try changes(of: library, since: token, environment), environment)
      return
    }
    // Watching needs Dispatch threads, and Dispatch blocks permanently if none are available.
    guard Threads.areAvailable(3) else {
      throw CommandFailure(
        .busy, "the library cannot be watched: the system gives no threads",
        hint: "raise the limit of processes (ulimit), or list without --follow", code: "noThreads")
    }
    // Watching begins before the first fetch, so that no commit in between is missed.
    let waiter = CommitWaiter(library)
    var start = try inLibrary { () throws(LibraryError) in
      if let token { token } else { try library.currentChangeToken }
    }
    if since == Self.beginning {
      let changes = try changes(of: library, since: nil, environment)
      start = try tell(changes, environment) ?? start
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
    try inLibrary { () throws(LibraryError) in
      if let token { return try library.fetchPersistentChanges(since: token) }
      let changes = try library.fetchPersistentChanges()
      if since != nil, !changes.beginsWithFirst {
        environment.warn(
          "the first commits are no longer kept; what they made is in 'photoedit asset list'")
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
      let changes = try inLibrary { () throws(LibraryError) in
        try waiter.checkLibrary()
        return try library.fetchPersistentChanges(since: token)
      }
      token = try tell(changes, environment) ?? token
      repeat {
        environment.output.checkReader()
        try environment.checkCancellation()
      } while !waiter.wait(seconds: 1)
    }
  }

  /// Writes a line for each commit and returns the token of the last one.
  private func tell(
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
