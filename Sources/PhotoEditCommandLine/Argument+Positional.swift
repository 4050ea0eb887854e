// SPDX-License-Identifier: Apache-2.0

extension Argument {
  /// Declares a word that must be given; `name` in capitals.
  package static func positional<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ help: String
  ) -> Self {
    positional(name, help, choices: Value.choices, isRequired: true) {
      (root, text) throws(ArgumentError) in
      root[keyPath: keyPath] = try Value(argument: text)
    }
  }

  /// Declares a word that may be left out.
  package static func positional<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, _ help: String
  ) -> Self {
    positional(name, help, choices: Value.choices, isRequired: false) {
      (root, text) throws(ArgumentError) in
      root[keyPath: keyPath] = try Value(argument: text)
    }
  }

  /// Declares the words that are left, which must come last; at least one unless told otherwise.
  package static func positional<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, [Value]> & Sendable,
    isRequired: Bool = true, _ help: String
  ) -> Self {
    positional(
      name, help, choices: Value.choices, isRequired: isRequired, isRepeatable: true
    ) { (root, text) throws(ArgumentError) in
      root[keyPath: keyPath].append(try Value(argument: text))
    }
  }

  private static func positional(
    _ name: String, _ help: String, choices: [String], isRequired: Bool,
    isRepeatable: Bool = false, store: @escaping ArgumentPart<Root>.Store
  ) -> Self {
    let info = ArgumentInfo(
      kind: .positional, name: name, help: help, isRequired: isRequired,
      isRepeatable: isRepeatable, choices: choices)
    return Self(ArgumentPart(info: info, store: store, present: { _ in nil }))
  }
}
