// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// A type whose values can be written as one command-line argument.
package protocol ArgumentValue: Sendable {
  /// Parses an argument.
  ///
  /// - Throws: The reason why the argument is invalid; the parser prepends the argument's name.
  init(argument: String) throws(ArgumentError)

  /// The value as shown in the help when it is a default; nil shows nothing.
  var argumentText: String? { get }

  /// All allowed values; empty if they cannot be listed.
  static var choices: [String] { get }
}

/// A set of values: an option that is given several times has all of them.
package protocol CollectedArgument: ArgumentValue {
  /// Returns the set with the values of a later argument.
  func adding(_ later: Self) -> Self
}

/// The reason why an argument is invalid: a clause that quotes it, and a hint.
package struct ArgumentError: Error, Sendable, Hashable {
  package var message: String
  package var hint: String?

  /// Creates an error from a clause such as `"'x' is not an integer"`.
  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}

extension ArgumentValue {
  package var argumentText: String? { nil }
  package static var choices: [String] { [] }
}

extension String: ArgumentValue {
  package init(argument: String) throws(ArgumentError) { self = argument }
  package var argumentText: String? { isEmpty ? nil : self }
}

extension Int: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    guard let value = Int(argument) else {
      throw ArgumentError("'\(argument)' is not an integer")
    }
    self = value
  }

  package var argumentText: String? { description }
}

extension Double: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    // The standard library also accepts "nan", "inf" and hexadecimal, which are not useful here.
    let plain = argument.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) }
    guard plain, let value = Double(argument), value.isFinite else {
      throw ArgumentError("'\(argument)' is not a number")
    }
    self = value
  }

  package var argumentText: String? { description }
}

extension ArgumentValue where Self: RawRepresentable, RawValue == String, Self: CaseIterable {
  package init(argument: String) throws(ArgumentError) {
    guard let value = Self(rawValue: argument) else {
      let nearest = nearestMatch(to: argument, among: Self.choices)
      throw ArgumentError(
        "invalid value '\(argument)' (allowed: \(Self.choices.joined(separator: ", ")))",
        hint: nearest.map(didYouMean))
    }
    self = value
  }

  package var argumentText: String? { rawValue }
  package static var choices: [String] { allCases.map(\.rawValue) }
}
