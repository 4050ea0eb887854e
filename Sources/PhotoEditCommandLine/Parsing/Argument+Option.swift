// SPDX-License-Identifier: Apache-2.0

extension Argument {
  /// Declares an option with one value; if given several times, the last value is used.
  package static func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, _ keyPath: any WritableKeyPath<Root, Value> & Sendable,
    value: String, _ help: String
  ) -> Self {
    option(
      name, short: short, value: value, help, choices: Value.choices,
      store: { (root, text) throws(ArgumentError) in
        root[keyPath: keyPath] = try Value(argument: text)
      },
      present: { $0[keyPath: keyPath].argumentText })
  }

  /// Declares an option with a value in a range; the range is added to the help.
  package static func option<Value: ArgumentValue & Comparable>(
    _ name: String, short: Character? = nil, _ keyPath: any WritableKeyPath<Root, Value> & Sendable,
    in range: ClosedRange<Value>, value: String, _ help: String
  ) -> Self {
    option(
      name, short: short, value: value, "\(help) Range: \(bounds(range)).", choices: Value.choices,
      store: { (root, text) throws(ArgumentError) in
        root[keyPath: keyPath] = try checked(text, range)
      },
      present: { $0[keyPath: keyPath].argumentText })
  }

  /// The allowed values as a user reads them: "1–256", or "0 or more" without an upper bound.
  private static func bounds(_ range: ClosedRange<some ArgumentValue>) -> String {
    let lower = range.lowerBound.argumentText ?? ""
    if range.upperBound as? Int == .max { return "\(lower) or more" }
    return "\(lower)–\(range.upperBound.argumentText ?? "")"
  }

  private static func checked<Value: ArgumentValue & Comparable>(
    _ text: String, _ range: ClosedRange<Value>
  ) throws(ArgumentError) -> Value {
    let value = try Value(argument: text)
    guard range.contains(value) else {
      throw ArgumentError("'\(text)' is out of range (allowed: \(bounds(range)))")
    }
    return value
  }

  /// Declares an option that may be omitted.
  ///
  /// - Parameter isRequired: Whether omitting it is a usage error anyway.
  package static func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil,
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable,
    value: String, isRequired: Bool = false, _ help: String
  ) -> Self {
    option(
      name, short: short, value: value, help, choices: Value.choices, isRequired: isRequired,
      store: { (root, text) throws(ArgumentError) in
        root[keyPath: keyPath] = try Value(argument: text)
      },
      present: { $0[keyPath: keyPath]?.argumentText })
  }

  /// Declares an option that may be omitted; if given several times, it has all of the values.
  package static func option<Value: CollectedArgument>(
    _ name: String, short: Character? = nil,
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, value: String, _ help: String
  ) -> Self {
    option(
      name, short: short, value: value, help, choices: Value.choices,
      store: { (root, text) throws(ArgumentError) in
        let value = try Value(argument: text)
        root[keyPath: keyPath] = root[keyPath: keyPath]?.adding(value) ?? value
      },
      present: { $0[keyPath: keyPath]?.argumentText })
  }

  /// Declares an option that may be omitted, and that may be given without a value.
  ///
  /// - Parameter implied: The value of `--name`; another one is given as `--name=value`.
  package static func option<Value: ArgumentValue>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value?> & Sendable, implied: String,
    value: String, _ help: String
  ) -> Self {
    option(name, keyPath, value: value, help).implying(implied)
  }

  /// Declares an option that may be omitted, with a value in a range that is added to the help.
  package static func option<Value: ArgumentValue & Comparable>(
    _ name: String, short: Character? = nil,
    _ keyPath: any WritableKeyPath<Root, Value?> & Sendable,
    in range: ClosedRange<Value>, value: String, _ help: String
  ) -> Self {
    option(
      name, short: short, value: value, "\(help) Range: \(bounds(range)).", choices: Value.choices,
      store: { (root, text) throws(ArgumentError) in
        root[keyPath: keyPath] = try checked(text, range)
      },
      present: { $0[keyPath: keyPath]?.argumentText })
  }

  /// Declares an option that may be repeated; the values keep their order.
  package static func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil,
    _ keyPath: any WritableKeyPath<Root, [Value]> & Sendable,
    value: String, _ help: String
  ) -> Self {
    option(name, short: short, keyPath, value: value, help, as: { (value: Value) in value })
  }

  /// Declares one of several options that append to one list in the order of the command line.
  ///
  /// For example `.option("set", \.changes, value: "KEY=VALUE", "…", as: Change.set)` and
  /// `.option("remove", \.changes, value: "KEY", "…", as: Change.remove)`.
  package static func option<Value: ArgumentValue, Element>(
    _ name: String, short: Character? = nil,
    _ keyPath: any WritableKeyPath<Root, [Element]> & Sendable, value: String, _ help: String,
    as element: @escaping @Sendable (Value) -> Element
  ) -> Self {
    option(
      name, short: short, value: value, help, choices: Value.choices, isRepeatable: true,
      store: { (root, text) throws(ArgumentError) in
        root[keyPath: keyPath].append(element(try Value(argument: text)))
      },
      present: { _ in nil })
  }

  /// Declares a flag that sets a property to true.
  package static func flag(
    _ name: String, short: Character? = nil, _ keyPath: any WritableKeyPath<Root, Bool> & Sendable,
    _ help: String
  ) -> Self {
    flag(name, short: short, help) { $0[keyPath: keyPath] = true }
  }

  /// Declares a flag that runs a closure on the value each time it is given.
  package static func flag(
    _ name: String, short: Character? = nil, _ help: String,
    change: @escaping @Sendable (inout Root) -> Void
  ) -> Self {
    Self(
      ArgumentDefinition(
        info: ArgumentInfo(kind: .flag, name: name, short: short, help: help),
        store: { (root, _) throws(ArgumentError) in change(&root) }, present: { _ in nil }))
  }

  private static func option(
    _ name: String, short: Character?, value: String, _ help: String, choices: [String],
    isRequired: Bool = false, isRepeatable: Bool = false,
    store: @escaping ArgumentDefinition<Root>.Store, present: @escaping @Sendable (Root) -> String?
  ) -> Self {
    let info = ArgumentInfo(
      kind: .option, name: name, short: short, value: value, help: help, isRequired: isRequired,
      isRepeatable: isRepeatable, choices: choices)
    return Self(ArgumentDefinition(info: info, store: store, present: present))
  }
}
