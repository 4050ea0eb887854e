// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// A type whose values can be written as one word of a command line.
package protocol ArgumentValue: Sendable {
  /// Reads a word.
  ///
  /// - Throws: Why the word does not do; the parser puts the argument's name in front.
  init(argument: String) throws(ArgumentError)

  /// The value as the help shows it when it is a default; nil shows nothing.
  var argumentText: String? { get }

  /// Every allowed word, or empty when they can't be listed.
  static var choices: [String] { get }
}

/// Why a word is not a value: one clause that names the word, and a way out.
package struct ArgumentError: Error, Sendable, Hashable {
  package var message: String
  package var hint: String?

  /// Takes a clause such as `"'x' is not a whole number"`.
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
      throw ArgumentError("'\(argument)' is not a whole number")
    }
    self = value
  }

  package var argumentText: String? { description }
}

extension Double: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    // The standard library also reads "nan", "inf" and hexadecimal, which nobody means here.
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
      let nearest = nearestWord(to: argument, among: Self.choices)
      throw ArgumentError(
        "'\(argument)' is not one of \(Self.choices.joined(separator: ", "))",
        hint: nearest.map(didYouMean))
    }
    self = value
  }

  package var argumentText: String? { rawValue }
  package static var choices: [String] { allCases.map(\.rawValue) }
}
