// SPDX-License-Identifier: Apache-2.0

/// A command that offers tools to an AI assistant, by the Model Context Protocol.
struct MCPCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "mcp", "Serve tools to an AI assistant (Model Context Protocol).",
    discussion: """
      The program of an assistant starts this command and writes requests to its standard input. \
      The assistant can list, inspect and compare the photos in the folders, and see previews of \
      edits before they are made. Nothing is written, and files outside of the folders are \
      refused.

      With --allow-edits, the assistant can also apply, adjust, undo, redo and revert edits. The \
      originals are never changed, and 'photoedit undo' goes back.
      """,
    examples: [
      CommandExample("mcp ~/Pictures", "let an assistant look at the photos in a folder"),
      CommandExample("mcp --allow-edits holiday", "let it edit them as well"),
    ],
    stopsCleanly: true,
    arguments: [
      .positional(
        "FOLDER", \.folders, isRequired: false,
        "Folders whose photos and libraries may be used (default: the current one)."),
      .flag("allow-edits", \.allowsEdits, "Let the assistant edit photos."),
    ])

  var folders: [String] = []
  var allowsEdits = false

  /// The maximum number of bytes of a request.
  private static let maximumBytes = 1 << 20

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try environment.requireProcess(for: "mcp")
    let session = AssistantSession(
      folders: try AssistantFolders(folders.isEmpty ? ["."] : folders), allowsEdits: allowsEdits,
      cancellation: environment.cancellation)
    var lines = LineReader(environment, limit: Self.maximumBytes)
    while let line = try lines.next() {
      let answer: JSONValue?
      switch line {
      case .bytes(let bytes): answer = session.answer(to: bytes)
      case .tooLong:
        answer = AssistantSession.failure(
          .null, .invalidRequest, "the line is longer than \(Self.maximumBytes) bytes")
      }
      guard let answer else { continue }
      environment.output.write(try answer.canonicalText() + "\n")
      environment.output.flush()
    }
    try environment.checkCancellation()
  }
}

/// The requests of an assistant's program, in JSON-RPC 2.0.
///
/// - Source: Model Context Protocol, revision 2025-11-25, "Base Protocol", "Lifecycle" and "Tools".
struct AssistantSession: Sendable {
  let folders: AssistantFolders
  let allowsEdits: Bool
  let cancellation: Cancellation

  /// The codes of errors of the protocol.
  enum ErrorCode: Int {
    case notJSON = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
  }

  /// The revisions that are spoken, the newest first; they do not differ in what is used here.
  ///
  /// That of 2025-03-26 demands several requests in one message, which the others do not have.
  private static let revisions = ["2025-11-25", "2025-06-18", "2024-11-05"]

  /// Returns the answer to a line; nil to one that needs none.
  func answer(to line: [UInt8]) -> JSONValue? {
    if line.allSatisfy({ $0 <= 0x20 }) { return nil }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: line) } catch {
      return Self.failure(.null, .notJSON, "\(error)")
    }
    guard let message = value.objectValue else {
      return Self.failure(.null, .invalidRequest, "expected an object")
    }
    let id = message["id"]
    let isIdentifier = id.map { $0.stringValue != nil || $0.integerValue != nil } ?? true
    guard isIdentifier, message["jsonrpc"]?.stringValue == "2.0" else {
      return Self.failure(
        isIdentifier ? id ?? .null : .null, .invalidRequest,
        "expected \"jsonrpc\": \"2.0\" and an id that is a string or a whole number")
    }
    guard let method = message["method"]?.stringValue else {
      // The answer to a request, of which this program sends none.
      if message["result"] != nil || message["error"] != nil { return nil }
      return Self.failure(id ?? .null, .invalidRequest, "method: expected a string")
    }
    // A notification.
    guard let id else { return nil }
    guard let parameters = (message["params"] ?? [:]).objectValue else {
      return Self.failure(id, .invalidParameters, "params: expected an object")
    }
    switch method {
    case "initialize":
      return Self.result(id, introduction(parameters["protocolVersion"]?.stringValue))
    case "ping": return Self.result(id, [:])
    case "tools/list":
      return Self.result(id, ["tools": .array(tools.map { .object($0.json) })])
    case "tools/call": return call(id, parameters)
    default: return Self.failure(id, .unknownMethod, "unknown method '\(method)'")
    }
  }

  private var tools: [AssistantTool] {
    AssistantTool.viewing + (allowsEdits ? AssistantTool.editing : [])
  }

  private func introduction(_ revision: String?) -> JSONValue {
    let spoken = Self.revisions.first { $0 == revision } ?? Self.revisions[0]
    let photos = folders.paths.joined(separator: ", ")
    return [
      "protocolVersion": .string(spoken), "capabilities": ["tools": [:]],
      "serverInfo": [
        "name": "photoedit", "title": "photoedit", "version": .string(Program.version),
      ],
      "instructions": .string(
        "Photos are in: \(photos). Paths are absolute or relative to the first folder. Start with "
          + "list and preview; find filters with list_filters and describe_filter, and try them "
          + "with preview before they are applied. Originals are never changed. "
          + (allowsEdits
            ? "An edit can be adjusted, undone and reverted."
            : "Edits are not allowed; the user can start 'photoedit mcp --allow-edits'.")),
    ]
  }

  private func call(_ id: JSONValue, _ parameters: [String: JSONValue]) -> JSONValue {
    guard let name = parameters["name"]?.stringValue,
      let fields = (parameters["arguments"] ?? [:]).objectValue
    else {
      return Self.failure(id, .invalidParameters, "expected a name and an object of arguments")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      let isEdit = AssistantTool.editing.contains { $0.name == name }
      return Self.failure(
        id, .invalidParameters,
        isEdit
          ? "edits are not allowed; the user can start 'photoedit mcp --allow-edits'"
          : "unknown tool '\(name)'")
    }
    do throws(CommandFailure) {
      let arguments = try AssistantArguments(fields, of: tool, folders, cancellation)
      let parts = try tool.run(arguments)
      return Self.result(id, .object(try AssistantContent.json(parts)))
    } catch {
      // An assistant can mend its own mistakes, but does not see errors of the protocol.
      let text = error.message + (error.hint.map { "\n" + $0 } ?? "")
      return Self.result(
        id, ["content": [["type": "text", "text": .string(text)]], "isError": true])
    }
  }

  private static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  static func failure(_ id: JSONValue, _ code: ErrorCode, _ message: String) -> JSONValue {
    [
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .whole(code.rawValue), "message": .string(message)],
    ]
  }
}

/// The folders that an assistant may use.
struct AssistantFolders: Sendable {
  /// The folders without links.
  let paths: [String]

  init(_ names: [String]) throws(CommandFailure) {
    var paths: [String] = []
    for name in names {
      let path = try mapFileErrors(FileSystem.resolved(name))
      guard FileSystem.isFolder(path) else {
        throw CommandFailure(.inputMissing, "\(name): not a folder", hint: "name a folder")
      }
      paths.append(path)
    }
    self.paths = paths
  }

  /// Returns the path without links of an existing file or folder in one of the folders.
  ///
  /// Nothing distinguishes what is missing from what is elsewhere.
  func path(_ name: String) throws(CommandFailure) -> String {
    let isAbsolute = name.utf8.first == UInt8(ascii: "/")
    guard let real = try? FileSystem.resolved(isAbsolute ? name : paths[0] + "/" + name),
      contains(real)
    else {
      throw CommandFailure(
        .inputMissing, "\(name): is not in the folders",
        hint: "list returns what is; the user can name further folders: 'photoedit mcp FOLDER…'",
        code: "outside")
    }
    return real
  }

  private func contains(_ real: String) -> Bool {
    paths.contains {
      real.utf8.elementsEqual($0.utf8) || real.utf8.starts(with: ($0 == "/" ? "/" : $0 + "/").utf8)
    }
  }

  /// Throws if the edit of a photo is stored in a file that is not in the folders, or names one.
  func checkEdit(of photo: String) throws(CommandFailure) {
    let sidecar = photo + ".aae"
    guard FileSystem.itemExists(sidecar) else { return }
    let file = try path(sidecar)
    guard let rendering = EditFile.rendering(namedBy: file) else { return }
    let isAbsolute = rendering.utf8.first == UInt8(ascii: "/")
    let named = isAbsolute ? rendering : FileSystem.folder(of: photo) + "/" + rendering
    _ = try path(FileSystem.folder(of: named))
    if FileSystem.itemExists(named) { _ = try path(named) }
  }
}
