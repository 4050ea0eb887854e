// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("mcp", .runsPrograms)
struct AssistantTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "in/photo.jpg")
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "secret.jpg")
  }

  /// Runs the command on requests and returns its answers.
  private func ask(_ requests: [String], _ arguments: String...) throws -> [JSONValue] {
    let result = try Tool.run(
      ["mcp"] + arguments + ["in"], in: folder.path,
      input: Array(requests.map { $0 + "\n" }.joined().utf8))
    #expect(result.exitCode == 0, "\(result.errors)")
    return try result.jsonLines()
  }

  private func call(_ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  /// Calls one tool and returns its result.
  private func result(
    _ tool: String, _ arguments: String = "{}", edits: Bool = false
  ) throws -> JSONValue {
    let options = edits ? ["--allow-edits"] : []
    let answer = try Tool.run(
      ["mcp"] + options + ["in"], in: folder.path,
      input: Array((call(tool, arguments) + "\n").utf8)
    ).jsonLines().first
    return try #require(answer?["result"], "\(String(describing: answer))")
  }

  private func text(_ result: JSONValue) -> String {
    result["content"]?.arrayValue?.compactMap { $0["text"]?.stringValue }.joined() ?? ""
  }

  @Test func `it introduces itself in the revision of the client, if it knows that`() throws {
    for (asked, spoken) in [
      ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-11-25"), ("1999-01-01", "2025-11-25"),
    ] {
      let answers = try ask([
        #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "",
        #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
      ])
      #expect(answers.count == 2, "a notification has no answer")
      #expect(answers[0]["id"]?.stringValue == "a")
      #expect(answers[0]["result"]?["protocolVersion"]?.stringValue == spoken)
      #expect(answers[0]["result"]?["capabilities"]?["tools"] != nil)
      #expect(answers[1]["result"] == [:])
    }
  }

  @Test func `a line that is not a request is refused with the code of the protocol`() throws {
    let lines = [
      "not JSON", "[]", #"{"jsonrpc":"2.0","id":1}"#, #"{"id":1,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["list"]}"#,
      call("nothing"), call("revert"), String(repeating: " ", count: (1 << 20) + 1),
      #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ]
    let codes = try ask(lines).map { $0["error"]?["code"]?.integerValue }
    #expect(
      codes == [
        -32700, -32600, -32600, -32600, -32600, -32601, -32602, -32602, -32602, -32600,
      ])
  }

  @Test func `tools that edit are offered only if edits are allowed`() throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    for (arguments, writes) in [([], false), (["--allow-edits"], true)] as [([String], Bool)] {
      let answer = try Tool.run(
        ["mcp"] + arguments + ["in"], in: folder.path, input: Array((list + "\n").utf8)
      ).jsonLines().first
      let tools = try #require(answer?["result"]?["tools"]?.arrayValue)
      let writers = tools.filter { $0["annotations"]?["readOnlyHint"]?.boolValue == false }
      #expect(writers.isEmpty != writes && tools.count > 8)
      for tool in tools {
        let schema = try #require(tool["inputSchema"])
        let properties = try #require(schema["properties"]?.objectValue)
        for name in schema["required"]?.arrayValue ?? [] {
          #expect(properties[name.stringValue ?? ""] != nil)
        }
      }
    }
  }

  @Test func `a photo is listed, inspected and previewed, and nothing is written`() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(try result("list")["structuredContent"]?["files"] == ["photo.jpg"])
    let facts = try result("inspect", #"{"path":"photo.jpg"}"#)["structuredContent"]
    #expect(facts?["width"]?.integerValue == 512 && facts?["jpeg"] == nil)
    #expect(text(try result("list_filters")).contains("exposure"))
    #expect(text(try result("describe_filter", #"{"name":"exposure"}"#)).contains("ev"))
    let parts = try #require(
      try result("preview", #"{"path":"photo.jpg","filters":["sepia"],"size":200}"#)["content"]?
        .arrayValue)
    #expect(parts[0]["mimeType"]?.stringValue == "image/jpeg")
    let data = try #require(Data(base64Encoded: parts[0]["data"]?.stringValue ?? ""))
    let expected = try Tool.run(
      ["apply", "in/photo.jpg", "--filter", "sepia", "--fit", "200", "--srgb", "--strip", "all"]
        + ["-o", "-"], in: folder.path)
    #expect(Array(data) == expected.outputBytes)
    let both = try #require(
      try result("compare", #"{"path":"photo.jpg","filters":["sepia"],"size":200}"#)["content"]?
        .arrayValue)
    #expect(both.map { $0["type"]?.stringValue } == ["text", "image", "text", "image"])
    #expect(both[3]["data"] == parts[0]["data"] && both[1]["data"] != both[3]["data"])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == names)
  }

  @Test func `an edit is applied, adjusted, undone and reverted`() throws {
    func edit(_ tool: String, _ more: String = "") throws -> JSONValue {
      try result(tool, #"{"path":"photo.jpg"\#(more)}"#, edits: true)
    }
    let original = try FileBytes.reading(folder.path("in/photo.jpg")).array
    let applied = try edit("apply", #","filters":["exposure:ev=0.5"]"#)
    #expect(applied["isError"]?.boolValue == false, "\(applied)")
    #expect(applied["structuredContent"]?["outcome"]?.stringValue == "created")
    #expect(try edit("adjust", #","set":["exposure.ev=1"]"#)["isError"]?.boolValue == false)
    let shown = try edit("show_edit")["structuredContent"]
    let node = shown?["graph"]?["nodes"]?.arrayValue?.first
    #expect(node?["params"]?["ev"]?.numberValue == 1)
    #expect(try edit("undo")["isError"]?.boolValue == false)
    #expect(text(try edit("history")).contains("0.5"))
    #expect(try edit("revert")["isError"]?.boolValue == false)
    #expect(try edit("show_edit")["structuredContent"]?["edited"]?.boolValue == false)
    #expect(try FileBytes.reading(folder.path("in/photo.jpg")).array == original)
  }

  @Test func `files outside of the folders are refused, also through links and filters`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/link.jpg"), withDestinationPath: "../secret.jpg")
    try folder.write(Array("LUT_3D_SIZE 2\n".utf8), to: "secret.cube")
    for (tool, arguments) in [
      ("inspect", #"{"path":"../secret.jpg"}"#), ("preview", #"{"path":"/etc/hostname"}"#),
      ("inspect", #"{"path":"/etc/missing"}"#), ("inspect", #"{"path":"missing.jpg"}"#),
      ("preview", #"{"path":"link.jpg"}"#), ("list", #"{"folder":".."}"#),
      ("find", #"{"library":".."}"#), ("show_edit", #"{"path":"A","library":"/"}"#),
      ("preview", #"{"path":"photo.jpg","filters":["lut3d:file=../secret.cube"]}"#),
      ("compare", #"{"path":"../secret.jpg"}"#),
    ] {
      let refused = try result(tool, arguments)
      #expect(refused["isError"]?.boolValue == true, "\(tool) \(arguments)")
      #expect(text(refused).contains("is not in the folders"), "\(text(refused))")
    }
  }

  @Test func `an edit that names a file outside of the folders is refused`() throws {
    #expect(
      try Tool.run(["apply", "in/photo.jpg", "--filter", "sepia"], in: folder.path).exitCode == 0)
    let path = folder.path("in/photo.jpg.aae")
    let sidecar = String(decoding: try FileBytes.reading(path).array, as: UTF8.self)
    for rendering in ["/etc/passwd", "../secret.jpg", "/etc/missing"] {
      try folder.write(
        Array(sidecar.replacing(">photo.edited.jpg<", with: ">\(rendering)<").utf8),
        to: "in/photo.jpg.aae")
      for tool in ["show_edit", "history", "preview"] {
        #expect(text(try result(tool, #"{"path":"photo.jpg"}"#)).contains("is not in the folders"))
      }
    }
    try folder.write(Array(sidecar.utf8), to: "elsewhere.aae")
    try FileSystem.remove(path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "../elsewhere.aae")
    #expect(
      text(try result("show_edit", #"{"path":"photo.jpg"}"#)).contains("is not in the folders"))
  }

  @Test(.enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
  func `a video is previewed with a frame`() throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let words = "-v error -f lavfi -i testsrc=size=64x48:rate=25:duration=0.4 -c:v mjpeg"
    try #require(
      Program.run(
        ffmpeg, words.split(separator: " ").map(String.init) + [folder.path("in/clip.mov")],
        output: folder.path("log")) == 0)
    let images = try result("compare", #"{"path":"clip.mov","size":64}"#)["content"]?.arrayValue
    #expect(images?.map { $0["type"]?.stringValue } == ["text", "image", "text", "image"])
    let refused = try result("preview", #"{"path":"clip.mov","filters":["sepia"]}"#)
    #expect(text(refused).contains("not previewed on a video"))
  }

  @Test func `an argument of another kind is an error that the assistant sees`() throws {
    for (tool, arguments, reason) in [
      ("preview", #"{"path":"photo.jpg","size":"big"}"#, "size: expected a whole number"),
      ("preview", #"{"path":"photo.jpg","size":9999}"#, "range of the schema"),
      ("preview", #"{"path":"photo.jpg\u0000"}"#, "without zeros"),
      ("preview", #"{"path":"photo.jpg","filter":"sepia"}"#, "filter: unknown argument"),
      ("preview", #"{"path":"photo.jpg","filters":"sepia"}"#, "filters: expected an array"),
      ("preview", #"{"path":"photo.jpg","filters":["sepai"]}"#, "sepia"),
      ("preview", #"{"path":"photo.jpg","filters":["--help"]}"#, "--help"),
      ("inspect", "{}", "path: expected a string"), ("inspect", #"{"path":"-"}"#, "-"),
      ("describe_filter", #"{"name":"--json"}"#, "unknown filter"),
    ] {
      let refused = try result(tool, arguments)
      #expect(refused["isError"]?.boolValue == true && text(refused).contains(reason), "\(refused)")
    }
  }

  @Test func `assets of a library are found and previewed`() throws {
    for arguments in [
      ["library", "create", "in/library", "-q"],
      ["asset", "import", "in/photo.jpg", "-L", "in/library", "-q"],
    ] { #expect(try Tool.run(arguments, in: folder.path).exitCode == 0) }
    let found = try result("find", #"{"library":"library","terms":"photo"}"#)["structuredContent"]
    let asset = try #require(found?["assets"]?.arrayValue?.first?["identifier"]?.stringValue)
    let target = #""path":"\#(asset)","library":"library""#
    let images = try result("compare", "{\(target),\"filters\":[\"invert\"],\"size\":100}")
    #expect(images["content"]?.arrayValue?.count == 4, "\(text(images))")
    #expect(
      try result("apply", "{\(target),\"filters\":[\"invert\"]}", edits: true)["isError"] == false)
    #expect(text(try result("show_edit", "{\(target)}")).contains("invert"))
    let edited = try result("compare", "{\(target),\"size\":100}")["content"]?.arrayValue
    #expect(edited?[3]["data"] == images["content"]?.arrayValue?[3]["data"])
  }
}
