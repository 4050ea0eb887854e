// SPDX-License-Identifier: Apache-2.0

/// The arguments of a call by an assistant, whose files are in the folders that it may use.
struct AssistantArguments: Sendable {
  private let fields: [String: JSONValue]
  private let folders: AssistantFolders

  /// Checks that there are no other arguments than those of the tool.
  init(
    _ value: JSONValue?, of tool: AssistantTool, _ folders: AssistantFolders
  ) throws(CommandFailure) {
    fields = value?.objectValue?.filter { !$0.value.isNull } ?? [:]
    self.folders = folders
    let names = tool.parameters.map(\.name)
    if let other = fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw .usage(
        "\(other): unknown argument",
        hint: names.isEmpty ? "omit it" : "use \(names.joined(separator: ", "))")
    }
  }

  private static func expected(_ name: String, _ what: String) -> CommandFailure {
    .usage("\(name): expected \(what)", hint: "see the schema of the tool")
  }

  func text(_ name: String) throws(CommandFailure) -> String? {
    guard let value = fields[name] else { return nil }
    guard let text = value.stringValue, !text.utf8.contains(0) else {
      throw Self.expected(name, "a string")
    }
    return text
  }

  func required(_ name: String) throws(CommandFailure) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw Self.expected(name, "a string that is not empty")
    }
    return text
  }

  func texts(_ name: String) throws(CommandFailure) -> [String] {
    guard let value = fields[name] else { return [] }
    let texts = value.arrayValue?.compactMap(\.stringValue)
    guard let texts, texts.count == value.arrayValue?.count,
      !texts.contains(where: { $0.utf8.contains(0) })
    else { throw Self.expected(name, "an array of strings") }
    return texts
  }

  func flag(_ name: String) throws(CommandFailure) -> Bool {
    guard let value = fields[name] else { return false }
    guard let flag = value.boolValue else { throw Self.expected(name, "true or false") }
    return flag
  }

  func whole(_ name: String, default number: Int) throws(CommandFailure) -> Int {
    guard let value = fields[name] else { return number }
    guard let number = value.integerValue else { throw Self.expected(name, "a whole number") }
    return number
  }

  // MARK: Files

  /// Returns the path of a file in the folders.
  func path(_ name: String) throws(CommandFailure) -> String { try folders.path(required(name)) }

  /// Returns the folder to list; the first one by default.
  func folder() throws(CommandFailure) -> String {
    guard let name = try text("folder"), !name.isEmpty else { return folders.paths[0] }
    return try folders.path(name)
  }

  /// Returns the last words of a command that name a photo, or an asset of a library.
  func target() throws(CommandFailure) -> [String] {
    guard try text("library") != nil else { return ["--", try path("path")] }
    return ["-L", try path("library"), "--", try required("path")]
  }

  /// Returns the path of a photo, or of the original of an asset.
  func original() throws(CommandFailure) -> String {
    guard try text("library") != nil else { return try path("path") }
    var arguments = LibraryArguments()
    arguments.path = try path("library")
    let name = try required("path")
    let library = try arguments.open(.embedded(arguments: []))
    let asset = try library.asset(named: name)
    guard let original = try inLibrary(library.original(of: asset)) else {
      throw CommandFailure(.inputMissing, "\(name): the asset has no original", code: "missing")
    }
    return original.path
  }

  /// Returns the options for the filters; the files that they name are in the folders.
  func filters() throws(CommandFailure) -> [String] {
    var words = try flag("auto") ? ["--auto"] : []
    for text in try texts("filters") {
      // What cannot be parsed is an error of the command.
      if var argument = try? FilterArgument(text), let file = argument["file"] {
        let path = try folders.path(file)
        _ = argument.take(["file"])
        argument.pairs.append(("file", path))
        words.append("--filter=\(argument.description)")
      } else {
        words.append("--filter=\(text)")
      }
    }
    return words
  }
}
