// SPDX-License-Identifier: Apache-2.0

/// An option, a flag, a positional argument or a group of them, bound to a property by a key path.
package struct Argument<Root>: Sendable {
  let parts: [ArgumentDefinition<Root>]

  init(_ part: ArgumentDefinition<Root>) {
    parts = [part]
  }

  private init(parts: [ArgumentDefinition<Root>]) {
    self.parts = parts
  }

  /// Embeds arguments shared by several commands.
  ///
  /// - Parameter title: The heading in the help; nil to list them with the other options.
  package static func group<Shared>(
    _ keyPath: any WritableKeyPath<Root, Shared> & Sendable, _ arguments: [Argument<Shared>],
    title: String? = nil
  ) -> Self {
    Self(parts: arguments.flatMap(\.parts).map { $0.embedded(at: keyPath, title: title) })
  }

  /// The option with a former name, which is still parsed but not shown.
  package func renamed(from name: String) -> Self {
    changed { $0.aliases.append(name) }
  }

  /// The option with a value that it has without one.
  func implying(_ value: String) -> Self {
    changed { $0.impliedValue = value }
  }

  /// The argument without its entry in the help; it is still parsed and described.
  package var hidden: Self {
    changed { $0.isHidden = true }
  }

  /// The positional argument with values that may begin with a hyphen, unless a short option of the
  /// command has the letter after it.
  package var allowingHyphens: Self {
    changed { $0.allowsHyphens = true }
  }

  private func changed(_ change: (inout ArgumentInfo) -> Void) -> Self {
    Self(
      parts: parts.map { part in
        var part = part
        change(&part.info)
        return part
      })
  }

  /// Declares a required positional argument; `name` is in capitals.
  package static func positional<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ help: String
  ) -> Self {
    positional(name, help, choices: Value.choices, isRequired: true) {
      (root, text) throws(ArgumentError) in
      root[keyPath: keyPath] = try Value(argument: text)
    }
  }

  /// Declares an optional positional argument.
  package static func positional<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, _ help: String
  ) -> Self {
    positional(name, help, choices: Value.choices, isRequired: false) {
      (root, text) throws(ArgumentError) in
      root[keyPath: keyPath] = try Value(argument: text)
    }
  }

  /// Declares the remaining arguments, which must come last; at least one by default.
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
    isRepeatable: Bool = false, store: @escaping ArgumentDefinition<Root>.Store
  ) -> Self {
    let info = ArgumentInfo(
      kind: .positional, name: name, help: help, isRequired: isRequired,
      isRepeatable: isRepeatable, choices: choices)
    return Self(ArgumentDefinition(info: info, store: store, present: { _ in nil }))
  }
}

/// The definition of one argument: its name and how to store its value.
struct ArgumentDefinition<Root>: Sendable {
  typealias Store = @Sendable (inout Root, String) throws(ArgumentError) -> Void

  var info: ArgumentInfo
  let store: Store
  /// Returns the text of the current value; nil if there is nothing to show.
  let present: @Sendable (Root) -> String?

  func embedded<Outer>(
    at keyPath: any WritableKeyPath<Outer, Root> & Sendable, title: String?
  ) -> ArgumentDefinition<Outer> {
    var info = info
    info.section = info.section ?? title
    let (store, present) = (store, present)
    return ArgumentDefinition<Outer>(
      info: info,
      store: { (root, text) throws(ArgumentError) in try store(&root[keyPath: keyPath], text) },
      present: { present($0[keyPath: keyPath]) })
  }

  /// Binds the argument to one value and erases the value's type.
  func bound(to slot: Slot<Root>) -> BoundArgument {
    let store = store
    var info = info
    info.defaultText = present(slot.value)
    return BoundArgument(info: info) { text throws(ArgumentError) in
      try store(&slot.value, text)
    }
  }
}

/// A mutable reference to a value that is being parsed.
final class Slot<Value> {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// A type-erased argument bound to one value; the only form that the parser uses.
struct BoundArgument {
  let info: ArgumentInfo
  let store: (String) throws(ArgumentError) -> Void
}

/// The information about an argument for help and parser, independent of its type.
struct ArgumentInfo: Sendable, Hashable {
  enum Kind: String, Sendable { case option, flag, positional }

  var kind: Kind
  /// The name without hyphens; in capitals for a positional argument.
  var name: String
  var short: Character?
  /// Former names of an option.
  var aliases: [String] = []
  /// The placeholder of the value in the help; empty if there is no value.
  var value = ""
  /// The value of an option without one; a value can then only follow after "=".
  var impliedValue: String?
  var help: String
  var isRequired = false
  var isRepeatable = false
  var isHidden = false
  /// Indicates whether a value may look like an unknown short option.
  var allowsHyphens = false
  var choices: [String] = []
  var section: String?
  var defaultText: String?

  /// Returns whether an option has this name, now or formerly.
  func isOption(named name: String) -> Bool {
    kind != .positional && (self.name == name || aliases.contains(name))
  }

  /// The argument as written on the command line.
  var spelling: String { kind == .positional ? name : "--" + name }

  /// The option with its value, as in the help: `--quality N`, `--auto[=KINDS]`.
  var spellingWithValue: String {
    if value.isEmpty { return spelling }
    return impliedValue == nil ? "\(spelling) \(value)" : "\(spelling)[=\(value)]"
  }
}
