// SPDX-License-Identifier: Apache-2.0

/// The arguments of a call by an assistant, whose files are in the folders that it may use.
struct AssistantArguments: Sendable {
  private let fields: [String: JSONValue]
  private let tool: AssistantTool
  private let folders: AssistantFolders
  private let cancellation: Cancellation

  /// Checks that there are no other arguments than those of the tool.
  init(
    _ fields: [String: JSONValue], of tool: AssistantTool, _ folders: AssistantFolders,
    _ cancellation: Cancellation
  ) throws(CommandFailure) {
    self.fields = fields.filter { !$0.value.isNull }
    (self.tool, self.folders, self.cancellation) = (tool, folders, cancellation)
    let names = tool.parameters.map(\.name)
    if let other = self.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw .usage(
        "\(other): unknown argument",
        hint: names.isEmpty ? "omit it" : "use \(names.joined(separator: ", "))")
    }
  }

  private static func expected(_ name: String, _ what: String) -> CommandFailure {
    .usage("\(name): expected \(what)", hint: "see the schema of the tool")
  }

  /// The maximum number of filters and values, of which a person would give a few.
  private static let maximumCount = 64

  func text(_ name: String) throws(CommandFailure) -> String? {
    guard let value = fields[name] else { return nil }
    guard let text = value.stringValue, !text.utf8.contains(0) else {
      throw Self.expected(name, "a string without zeros")
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
      texts.count <= Self.maximumCount, !texts.contains(where: { $0.utf8.contains(0) })
    else { throw Self.expected(name, "an array of at most \(Self.maximumCount) strings") }
    return texts
  }

  func flag(_ name: String) throws(CommandFailure) -> Bool {
    guard let value = fields[name] else { return false }
    guard let flag = value.boolValue else { throw Self.expected(name, "true or false") }
    return flag
  }

  func whole(_ name: String, default number: Int) throws(CommandFailure) -> Int {
    guard let value = fields[name] else { return number }
    guard case .whole(let range)? = tool.parameters.first(where: { $0.name == name })?.kind,
      let number = value.integerValue, range.contains(number)
    else { throw Self.expected(name, "a whole number in the range of the schema") }
    return number
  }

  // MARK: Files

  /// Returns the path of a file in the folders.
  func path(_ name: String) throws(CommandFailure) -> String { try folders.path(required(name)) }

  /// Returns the folder to list; the first one by default.
  func folder() throws(CommandFailure) -> String {
    try folders.path(text("folder") ?? folders.paths[0])
  }

  /// Returns the last words of a command that name a photo, or an asset of a library.
  func target() throws(CommandFailure) -> [String] {
    guard try text("library") != nil else {
      let photo = try path("path")
      try folders.checkEdit(of: photo)
      return ["--", photo]
    }
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
      // The command reports an argument that cannot be parsed.
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

  // MARK: Commands

  /// The maximum duration of a command.
  private static let maximumSeconds = 120.0

  /// Runs a command and returns its standard output.
  func command(_ words: [String], input: [UInt8] = []) throws(CommandFailure) -> [UInt8] {
    let (clock, outer) = (Stopwatch(), cancellation)
    let inner = Cancellation {
      outer.isCancelled || clock.milliseconds > Self.maximumSeconds * 1000
    }
    let outcome = EmbeddedProgram.run(words, input: input, cancellation: inner)
    guard var failure = outcome.failure else { return outcome.output }
    if inner.isCancelled, !outer.isCancelled {
      throw CommandFailure(
        .busy, "takes longer than \(Int(Self.maximumSeconds)) s",
        hint: "use a smaller size or fewer filters")
    }
    // Options and commands are of no use to an assistant.
    failure.message = failure.message.replacing("--filter ", with: "")
      .replacing("photoedit filters ", with: "describe_filter ")
    if let hint = failure.hint, ["--", "photoedit", "-o"].contains(where: { hint.contains($0) }) {
      failure.hint = nil
    }
    throw failure
  }

  func text(of words: [String]) throws(CommandFailure) -> String {
    String(decoding: try command(words), as: UTF8.self)
  }

  func object(of words: [String]) throws(CommandFailure) -> [String: JSONValue] {
    try Self.json(try command(words)).objectValue ?? [:]
  }

  /// Returns one value for each line.
  func values(of words: [String]) throws(CommandFailure) -> [JSONValue] {
    var values: [JSONValue] = []
    for line in try command(words).split(separator: UInt8(ascii: "\n")) {
      values.append(try Self.json(Array(line)))
    }
    return values
  }

  private static func json(_ bytes: [UInt8]) throws(CommandFailure) -> JSONValue {
    try translating(
      { CommandFailure(.badData, "\($0 as JSONError)") }, JSONValue(parsing: bytes))
  }
}
