// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// The options that every command accepts.
struct CommonOptions: Sendable {
  var verbosity: Verbosity?
  var color: ColorChoice = .auto
  /// Nil leaves the policy of the process as it is.
  var sandbox: SandboxPolicy?
  var wantsJSON = false
  var help: HelpText.Length?

  /// The heading under which `--describe` and the help list them.
  static let section = "Common options"

  /// - Parameter writesJSON: Whether to include `--json`.
  static func arguments(writesJSON: Bool, in slot: Slot<Self>) -> [BoundArgument] {
    var arguments: [Argument<Self>] = []
    if writesJSON {
      arguments.append(
        .flag("json", "Print results and errors as JSON.") {
          $0.wantsJSON = true
        })
    }
    arguments += [
      .flag("quiet", short: "q", "Print errors only.") { $0.verbosity = .quiet },
      .flag("verbose", short: "v", "Increase verbosity (repeatable).") {
        $0.verbosity = $0.verbosity == .verbose || $0.verbosity == .debug ? .debug : .verbose
      },
      .flag("debug", "Same as -vv.") { $0.verbosity = .debug },
      .option("color", \.color, value: "WHEN", "When to use color."),
      .flag("no-color", "Same as --color=never.") { $0.color = .never },
      .option(
        "sandbox", \.sandbox, value: "WHEN",
        "When to decode other files than JPEG and PNG in a confined process."),
      .flag("help", short: "h", "Show help (-h: summary).") { $0.help = .long },
    ]
    return arguments.flatMap(\.parts).map { part in
      var part = part
      part.info.section = section
      return part.bound(to: slot)
    }
  }
}

extension SandboxPolicy: ArgumentValue {}

/// The amount of messages on standard error.
package enum Verbosity: String, Sendable, CaseIterable, Comparable, ArgumentValue {
  case quiet, normal, verbose, debug

  package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .quiet: 0
    case .normal: 1
    case .verbose: 2
    case .debug: 3
    }
  }
}

/// The choice of when to use color in messages.
package enum ColorChoice: String, Sendable, CaseIterable, ArgumentValue {
  case auto, always, never

  /// Returns whether to use color on a stream: the option precedes NO_COLOR, CLICOLOR_FORCE, TERM
  /// and the terminal check.
  ///
  /// - Source: <https://no-color.org>, <https://bixense.com/clicolors/>.
  package func allowsColor(
    isTerminal: Bool, variable: (String) -> String?
  ) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = variable("NO_COLOR"), !value.isEmpty { return false }
    if let value = variable("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
    return isTerminal && variable("TERM") != "dumb"
  }
}
