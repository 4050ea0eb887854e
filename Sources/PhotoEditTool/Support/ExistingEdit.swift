// SPDX-License-Identifier: Apache-2.0

/// The behavior of `apply` for a photo that is already edited.
enum ExistingEdit: Sendable {
  /// Adds to the edit.
  case resume
  /// Starts a new edit on the base, regardless of the stored edit.
  case replace
  /// Changes the edit to the requested one, and does nothing if they are the same.
  case update
  /// Skips the photo.
  case skip
}

/// The options of `apply` that select a behavior.
struct ExistingEditArguments: Sendable {
  private var replaces = false
  private var updates = false
  private var skips = false

  static let arguments: [Argument<Self>] = [
    .flag("replace", \.replaces, "Replace the existing edit instead of adding to it."),
    .flag(
      "update", \.updates,
      "Make these filters the entire edit; skip photos that already have it."),
    .flag(
      "skip-existing", \.skips, "Skip photos that are already edited or whose output exists."),
  ]

  func choice(isStored: Bool) throws(CommandFailure) -> ExistingEdit {
    guard [replaces, updates, skips].count(where: { $0 }) < 2 else {
      throw .usage(
        "--replace, --update and --skip-existing are mutually exclusive",
        hint: "use only one of them")
    }
    guard !updates || isStored else {
      throw .usage(
        "--update requires an edit saved in a sidecar or a library",
        hint: "omit --no-sidecar and '-'")
    }
    return replaces ? .replace : updates ? .update : skips ? .skip : .resume
  }
}

/// The outcome of a photo's edit, as named in JSON reports.
enum EditOutcome: String, Sendable {
  /// There was no edit, or only one that cannot be resumed.
  case created
  /// Filters were added to the edit.
  case appended
  /// The same filters that the edit ended with were added again.
  case repeated
  /// Another graph replaced the stored one.
  case replaced
  /// `--update` changed the edit.
  case updated
  /// `adjust` changed the edit.
  case adjusted
  /// `--update` found that the requested edit was already stored.
  case unchanged
  /// `--skip-existing` skipped the photo.
  case skipped
  /// The batch was stopped before the photo.
  case notStarted

  /// - Parameters:
  ///   - stored: The graph of the edit that was resumed.
  ///   - isWhole: Whether a whole graph was given.
  init(
    _ kind: SessionKind, _ existing: ExistingEdit, isWhole: Bool, stored: FilterGraph,
    _ graph: FilterGraph
  ) {
    guard kind == .resumed else {
      self = .created
      return
    }
    switch existing {
    case .update: self = .updated
    case .replace: self = .replaced
    case .resume, .skip:
      self = isWhole ? .replaced : graph.repeatsEnd(of: stored) ? .repeated : .appended
    }
  }

  /// Warns about a likely mistake: that the same filters are applied twice.
  func warn(
    _ input: String, _ stored: FilterGraph, _ graph: FilterGraph, _ environment: CommandEnvironment
  ) {
    guard self == .repeated else { return }
    let added = graph.nodes.count - stored.nodes.count
    environment.warn(
      "\(input): the edit already ended with the same filters; they were appended again "
        + "(\(added) added, \(graph.nodes.count) in total); use --update to avoid this, "
        + "or 'photoedit undo' to undo it")
  }
}

/// The report on a photo that was not processed.
struct UntouchedReport {
  var input: String
  var output: String
  var outcome: EditOutcome
  var reason: String

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    environment.tally.add(outcome.rawValue)
    let isWritten = try environment.deliver([
      "input": .string(input), "output": .string(output), "outcome": .string(outcome.rawValue),
      "unchanged": .bool(outcome == .unchanged), "skipped": .bool(outcome == .skipped),
    ])
    if !isWritten { environment.noteResult("\(input): \(outcome.rawValue); \(reason)") }
  }
}

extension EditState {
  /// Returns whether the rendering of the edit exists as recorded.
  func hasRendering() -> Bool {
    guard let record else { return false }
    return record.current == (try? FileBytes.digest(of: current.path))
  }
}
