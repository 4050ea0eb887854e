// SPDX-License-Identifier: Apache-2.0

/// When messages are coloured.
package enum ColorChoice: String, Sendable, CaseIterable, ArgumentValue {
  case auto, always, never

  /// Decides for one stream: the option, then NO_COLOR, CLICOLOR_FORCE, TERM, the terminal.
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
