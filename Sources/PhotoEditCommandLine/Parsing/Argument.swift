// SPDX-License-Identifier: Apache-2.0

/// An option, a flag, a positional argument or a group of them, tied to a property by a key path.
package struct Argument<Root>: Sendable {
  let parts: [ArgumentPart<Root>]

  init(_ part: ArgumentPart<Root>) {
    parts = [part]
  }

  private init(parts: [ArgumentPart<Root>]) {
    self.parts = parts
  }

  /// Embeds the arguments of a value that several commands share.
  ///
  /// - Parameter title: The heading in the help; none puts them among the other options.
  package static func group<Shared>(
    _ keyPath: any WritableKeyPath<Root, Shared> & Sendable, _ arguments: [Argument<Shared>],
    title: String? = nil
  ) -> Self {
    Self(parts: arguments.flatMap(\.parts).map { $0.embedded(at: keyPath, title: title) })
  }

  /// Leaves the argument out of the help; it is parsed and described all the same.
  package var hidden: Self {
    Self(
      parts: parts.map { part in
        var part = part
        part.info.isHidden = true
        return part
      })
  }
}

/// One argument: what it is called, and how a word is stored.
struct ArgumentPart<Root>: Sendable {
  typealias Store = @Sendable (inout Root, String) throws(ArgumentError) -> Void

  var info: ArgumentInfo
  let store: Store
  /// The text of the present value, nil when there is nothing worth showing.
  let present: @Sendable (Root) -> String?

  func embedded<Outer>(
    at keyPath: any WritableKeyPath<Outer, Root> & Sendable, title: String?
  ) -> ArgumentPart<Outer> {
    var info = info
    info.section = info.section ?? title
    let (store, present) = (store, present)
    return ArgumentPart<Outer>(
      info: info,
      store: { (root, text) throws(ArgumentError) in try store(&root[keyPath: keyPath], text) },
      present: { present($0[keyPath: keyPath]) })
  }

  /// Ties the argument to one value, which forgets the value's type.
  func bound(to slot: Slot<Root>) -> BoundArgument {
    let store = store
    var info = info
    info.defaultText = present(slot.value)
    return BoundArgument(info: info) { text throws(ArgumentError) in
      try store(&slot.value, text)
    }
  }
}

/// A place for a value that is being read from a command line.
final class Slot<Value> {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// An argument of one value whose type is forgotten; the parser knows no other.
struct BoundArgument {
  let info: ArgumentInfo
  let store: (String) throws(ArgumentError) -> Void
}

/// What the help and the parser need to know of an argument whose type is forgotten.
struct ArgumentInfo: Sendable, Hashable {
  enum Kind: String, Sendable { case option, flag, positional }

  var kind: Kind
  /// Without hyphens; capitals for a positional argument.
  var name: String
  var short: Character?
  /// What stands for the value in the help; empty when there is none.
  var value = ""
  var help: String
  var isRequired = false
  var isRepeatable = false
  var isHidden = false
  var choices: [String] = []
  var section: String?
  var defaultText: String?

  /// The argument as somebody types it.
  var spelling: String { kind == .positional ? name : "--" + name }
}

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
