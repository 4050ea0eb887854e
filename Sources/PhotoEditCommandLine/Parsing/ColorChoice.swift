// SPDX-License-Identifier: Apache-2.0

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
