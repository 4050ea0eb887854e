// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// What `apply` does where a photo is edited already.
enum ExistingEdit: Sendable {
  /// Adds to the edit.
  case resume
  /// Starts a new edit on the base, whatever is stored.
  case replace
  /// Makes the edit what is asked for, and does nothing where it is that.
  case update
  /// Leaves the photo alone.
  case skip
}

/// The options of `apply` that choose one of them.
struct ExistingEditArguments: Sendable {
  private var replaces = false
  private var updates = false
  private var skips = false

  static let arguments: [Argument<Self>] = [
    .flag("replace", \.replaces, "Starts a new graph on the base instead of resuming."),
    .flag(
      "update", \.updates,
      "Makes the edit what is given, and does nothing where it is that already."),
    .flag(
      "skip-existing", \.skips, "Leaves photos alone that are edited, or whose output exists."),
  ]

  func choice(isRemembered: Bool) throws(CommandFailure) -> ExistingEdit {
    guard [replaces, updates, skips].count(where: { $0 }) < 2 else {
      throw .usage(
        "--replace, --update and --skip-existing exclude one another", hint: "give one of them")
    }
    guard !updates || isRemembered else {
      throw .usage(
        "--update needs the edit that a sidecar or a library remembers",
        hint: "leave out --no-sidecar and '-'")
    }
    return replaces ? .replace : updates ? .update : skips ? .skip : .resume
  }
}

/// What became of a photo's edit, in the word of the JSON reports.
enum EditOutcome: String, Sendable {
  /// There was no edit, or none that can be resumed.
  case created
  /// Filters were added to the edit.
  case appended
  /// The same filters that the edit ended with were added once more.
  case repeated
  /// Another graph took the place of the stored one.
  case replaced
  /// `--update` changed the edit.
  case updated
  /// `adjust` changed the edit.
  case adjusted
  /// `--update` found the edit as it is asked for.
  case unchanged
  /// `--skip-existing` left the photo alone.
  case skipped

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

  /// Tells a person what is easily not noticed: that an edit is made twice.
  func warn(
    _ input: String, _ stored: FilterGraph, _ graph: FilterGraph, _ environment: CommandEnvironment
  ) {
    guard self == .repeated else { return }
    let added = graph.nodes.count - stored.nodes.count
    environment.warn(
      "\(input): the edit ended with the same filters, and they were appended again "
        + "(\(added) more, \(graph.nodes.count) now); --update leaves such an edit as it is, "
        + "'photoedit undo' takes this back")
  }
}

/// The report of a photo for which nothing was done.
struct UntouchedReport {
  var input: String
  var output: String
  var outcome: EditOutcome
  /// Why, for people.
  var reason: String

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    guard environment.wantsJSON else {
      return environment.note("\(input): \(outcome.rawValue); \(reason)")
    }
    try environment.write([
      "input": .string(input), "output": .string(output), "outcome": .string(outcome.rawValue),
      "unchanged": .bool(outcome == .unchanged), "skipped": .bool(outcome == .skipped),
    ])
  }
}

extension EditState {
  /// Whether the rendering of the edit is there as it was recorded.
  func hasRendering() -> Bool {
    guard let record else { return false }
    do throws(FileError) {
      return try FileBytes.digest(of: current.path) == record.current
    } catch {
      return false
    }
  }
}
