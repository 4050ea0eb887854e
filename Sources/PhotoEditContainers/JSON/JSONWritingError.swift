// SPDX-License-Identifier: Apache-2.0

/// A value that has no JSON text, or one that a reader with the same limits would reject.
///
/// Each case but the first states the path of the value, such as `nodes[3].params.ev`, which is
/// empty for the root.
package enum JSONWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text would be longer than the limit.
  case tooLarge(maximum: Int)
  /// NaN or an infinity.
  case notFinite(path: String)
  /// Arrays and objects nested deeper than the limit.
  case tooDeep(maximum: Int, path: String)
  /// A string or name longer than the limit.
  case stringTooLong(bytes: Int, maximum: Int, path: String)
  /// An array with more elements than the limit.
  case tooManyElements(count: Int, maximum: Int, path: String)
  /// An object with more members than the limit.
  case tooManyMembers(count: Int, maximum: Int, path: String)

  package var description: String {
    switch self {
    case .tooLarge(let maximum):
      "JSON text would be too long (maximum: \(maximum) bytes)"
    case .notFinite(let path):
      "\(shown(path)) is not a finite number; JSON has no NaN and no infinity"
    case .tooDeep(let maximum, let path):
      "\(shown(path)) is nested too deeply (maximum: \(maximum) levels)"
    case .stringTooLong(let bytes, let maximum, let path):
      "\(shown(path)) contains a string of \(bytes) bytes (maximum: \(maximum))"
    case .tooManyElements(let count, let maximum, let path):
      "\(shown(path)) has \(count) elements (maximum: \(maximum))"
    case .tooManyMembers(let count, let maximum, let path):
      "\(shown(path)) has \(count) members (maximum: \(maximum))"
    }
  }

  private func shown(_ path: String) -> String { path.isEmpty ? "the value" : quoted(path) }
}
