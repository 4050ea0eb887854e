// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import PhotoEditLibrary

/// Lists what was changed in a library, and goes on as it is changed.
struct ChangesCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "changes", "Lists what was changed in a library, one line for each commit.",
    discussion: """
      A line has the date, what was inserted (+), updated (~) and deleted (-), and at its end the \
      token of the commit. Whoever keeps the last token and gives it to --since misses nothing and \
      gets nothing twice. Into the trash counts as deleted, out of it as inserted.

      Without --since the whole history is listed, or with --follow what comes from now on. A token \
      that is older than the history is refused with exit code 65: list everything again.
      """,
    examples: [
      CommandExample("changes -L Photos", "the whole history that is kept"),
      CommandExample("changes -L Photos --follow --json", "for programs that keep up"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option("since", \.since, value: "TOKEN", "Begins behind the commit of a token."),
      .flag("follow", \.isFollowing, "Goes on with what any program changes, until it is stopped."),
    ])

  var library = LibraryArguments()
  var since: String?
  var isFollowing = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    guard isFollowing else {
      let changes = try inLibrary { () throws(LibraryError) in
        guard let since else { return try library.fetchPersistentChanges() }
        return try library.fetchPersistentChanges(since: PersistentChangeToken(since))
      }
      _ = try tell(changes, environment)
      return
    }
    // Watching begins before the first look, so that no commit falls between the two.
    let waiter = CommitWaiter(library)
    let start = try inLibrary { () throws(LibraryError) in
      guard let since else { return try library.currentChangeToken }
      return try PersistentChangeToken(since)
    }
    try environment.cancellation.withHandler({ waiter.wake() }) { () throws(CommandFailure) in
      try follow(library, from: start, waiter, environment)
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

  /// Writes a line for each commit; gives the token of the last one.
  private func tell(
    _ changes: PersistentChanges, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PersistentChangeToken? {
    var changes = changes.makeIterator()
    var last: PersistentChangeToken?
    func next() throws(CommandFailure) -> PersistentChange? {
      try inLibrary { () throws(LibraryError) in try changes.nextChange() }
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
