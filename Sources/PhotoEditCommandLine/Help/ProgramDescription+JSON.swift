// SPDX-License-Identifier: Apache-2.0

extension ProgramDescription {
  /// Returns the output of `--version`; the first line is only the name and the version.
  func versionText(isJSON: Bool) -> String {
    let components = components()
    guard isJSON else {
      let lines = components.map { "  \($0.name) \($0.version)\n" }
      return "\(name) \(version)\n" + lines.joined()
    }
    let object = JSONText.object([
      ("schemaVersion", .number(1)), ("name", .string(name)), ("version", .string(version)),
      ("components", .object(components.map { ($0.name, .string($0.version)) })),
    ])
    return object.line + "\n"
  }

  /// A machine-readable description of the program, for generating manual pages and completions.
  var description: JSONText {
    .object([
      ("schemaVersion", .number(1)), ("name", .string(name)), ("version", .string(version)),
      ("abstract", .string(abstract)),
      (
        "groups",
        .array(
          groups.map {
            .object([
              ("title", .string($0.title)),
              ("commands", .array($0.commands.map { .string($0.name) })),
            ])
          })
      ),
      ("commands", .array(commands.map { $0.info.description })),
      ("exitCodes", .array(ExitCode.allCases.map(\.description))),
    ])
  }
}

extension CommandInfo {
  fileprivate var description: JSONText {
    .object([
      ("name", .string(name)), ("abstract", .string(abstract)),
      ("discussion", .string(discussion)),
      (
        "examples",
        .array(
          examples.map { .object([("line", .string($0.line)), ("text", .string($0.text))]) })
      ),
      ("writesJSON", .bool(writesJSON)), ("stopsCleanly", .bool(stopsCleanly)),
      ("arguments", .array(arguments.map(\.description))),
    ])
  }
}

extension ArgumentInfo {
  fileprivate var description: JSONText {
    var members: [(String, JSONText)] = [
      ("kind", .string(kind.rawValue)), ("name", .string(name)),
    ]
    if let short { members.append(("short", .string(String(short)))) }
    if !aliases.isEmpty { members.append(("aliases", .array(aliases.map { .string($0) }))) }
    if !value.isEmpty { members.append(("value", .string(value))) }
    if let impliedValue { members.append(("impliedValue", .string(impliedValue))) }
    members += [
      ("help", .string(help)), ("isRequired", .bool(isRequired)),
      ("isRepeatable", .bool(isRepeatable)),
    ]
    if let section { members.append(("section", .string(section))) }
    if isHidden { members.append(("isHidden", .bool(true))) }
    if !choices.isEmpty { members.append(("choices", .array(choices.map { .string($0) }))) }
    if let defaultText { members.append(("default", .string(defaultText))) }
    return .object(members)
  }
}

extension ExitCode {
  fileprivate var description: JSONText {
    .object([
      ("code", .number(Int(rawValue))), ("name", .string(name)), ("meaning", .string(meaning)),
    ])
  }
}
