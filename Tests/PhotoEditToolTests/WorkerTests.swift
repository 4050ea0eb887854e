// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("worker", .runsPrograms)
struct WorkerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array(Self.cube.utf8), to: "warm.cube")
    try folder.writeLook(["sepia"], to: "sepia.json")
    try folder.writeLook(["lut3d:file=warm.cube", "contrast:amount=0.2"], to: "warm.json")
  }

  private static let cube = """
    LUT_3D_SIZE 2
    0 0 0
    1 0 0
    0 0.9 0
    1 0.9 0
    0 0 0.8
    1 0 0.8
    0 0.9 0.8
    1 0.9 0.8

    """

  /// Runs a worker on lines; the first answer is its description.
  private func work(_ lines: [String], _ arguments: String...) throws -> [JSONValue] {
    let result = try Tool.run(
      ["worker"] + arguments, in: folder.path,
      input: Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(result.exitCode == 0, "\(result.errors)")
    return try result.jsonLines()
  }

  private func request(
    _ id: String, _ input: String, _ output: String, look: String = "sepia.json",
    _ more: String = ""
  ) -> String {
    #"{"id":"\#(id)","input":"\#(input)","output":"\#(output)","look":"\#(look)"\#(more)}"#
  }

  private func photos(_ names: [String]) throws {
    for name in names { try folder.write(try TestImages.bytes("inputs/\(name)"), to: name) }
  }

  @Test func `damage that is accepted is reported`() throws {
    let whole = try TestImages.bytes("inputs/photo-1024.jpg")
    try folder.write(Array(whole.prefix(whole.count / 2)), to: "half.jpg")
    let answer = try work([request("1", "half.jpg", "out.jpg")], "--lenient").last
    #expect(answer?["status"]?.stringValue == "rendered")
    #expect(answer?["notices"]?.arrayValue?.isEmpty == false, "\(String(describing: answer))")
  }

  @Test(arguments: [[], ["--quality", "60", "--strip", "all"]])
  func `the bytes are those of render`(_ options: [String]) throws {
    let names = ["photo-1024.jpg", "jpeg-cmyk.jpg", "jpeg-display-p3.jpg", "png-rgb-8.png"]
    try photos(names)
    let looks = ["sepia.json", "warm.json"]
    var lines: [String] = []
    for name in names {
      for look in looks { lines.append(request(name, name, "\(look).\(name).out", look: look)) }
    }
    let result = try Tool.run(
      ["worker"] + options, in: folder.path, input: Array(lines.joined(separator: "\n").utf8))
    #expect(result.exitCode == 0, "\(result.errors)")
    let answers = try result.jsonLines()
    try #require(answers.count == lines.count + 1)
    var keys: Set<String> = []
    for (index, answer) in answers.dropFirst().enumerated() {
      let (name, look) = (names[index / 2], looks[index % 2])
      try #require(answer["status"]?.stringValue == "rendered", "\(answer)")
      let rendered = try Tool.run(
        ["render", name, "--graph", look, "-o", "expected.jpg", "--force", "--json"] + options,
        in: folder.path)
      let report = try #require(try rendered.jsonLines().first)
      let bytes = try FileBytes.reading(folder.path("expected.jpg"))
      #expect(try FileBytes.reading(folder.path("\(look).\(name).out")).array == bytes.array)
      #expect(answer["rendering"]?.stringValue == bytes.digest().hex)
      #expect(answer["original"]?.stringValue == (try FileBytes.digest(of: folder.path(name)).hex))
      for field in ["width", "height", "bytes", "path", "losses", "notices"] {
        #expect(answer[field] == report[field], "\(field)")
      }
      #expect(report["look"]?.stringValue == "sha256:" + (answer["look"]?.stringValue ?? ""))
      keys.insert(try #require(answer["key"]?.stringValue))
    }
    #expect(keys.count == lines.count)
  }

  @Test func `a key is the digest of the original, the look, the engine and the options`() throws {
    try photos(["photo-64.jpg"])
    let answers = try work([request("a", "photo-64.jpg", "a.out")], "--quality", "60")
    let (description, answer) = (answers[0], answers[1])
    let options = #"{"dither":"none","lenient":false,"quality":"60","strip":""}"#
    #expect(description["options"] == (try JSONValue(parsing: Array(options.utf8))))
    let parts = [
      "photoedit-result 1", answer["original"]?.stringValue, answer["look"]?.stringValue,
      description["engine"]?.integerValue.map(String.init), options,
    ]
    let text = parts.map { ($0 ?? "") + "\n" }.joined()
    #expect(answer["key"]?.stringValue == SHA256Digest(of: Array(text.utf8)).hex)
    #expect(description["worker"] == 1)
    #expect(description["components"]?["libjpeg-turbo"]?.stringValue?.isEmpty == false)
  }

  @Test func `a look is the same with its attachment embedded or next to it`() throws {
    try photos(["photo-64.jpg"])
    let embedded = try JSONValue(parsing: FileBytes.reading(folder.path("warm.json")).array)
    let digest = try FileBytes.digest(of: folder.path("warm.cube"))
    var graph = try #require(embedded.objectValue)
    let name = try #require(graph["assets"]?.objectValue?.keys.first)
    var attachment = try #require(graph["assets"]?[name]?.objectValue)
    try #require(attachment["digest"]?.stringValue == digest.description)
    attachment["data"] = nil
    graph["assets"] = .object([name: .object(attachment)])
    try folder.write(try JSONValue.object(graph).canonicalBytes(), to: "external.json")
    let answers = try work([
      request("a", "photo-64.jpg", "a.out", look: "warm.json"),
      request("b", "photo-64.jpg", "b.out", look: "external.json"),
    ])
    #expect(answers[1]["key"] == answers[2]["key"])
    #expect(answers[1]["rendering"] == answers[2]["rendering"])
  }

  @Test func `failures are answered with their exit codes, and the next line is processed`() throws
  {
    try photos(["photo-64.jpg", "photo-1024.jpg"])
    try folder.write(Array(repeating: 7, count: 5000), to: "noise.jpg")
    try folder.write(
      Array(try TestImages.bytes("inputs/jpeg-581x387.jpg").prefix(9000)), to: "short.jpg")
    try folder.write([1], to: "taken.out")
    let zeros = String(repeating: "0", count: 64)
    let cases: [(String, Int, String)] = [
      (request("1", "noise.jpg", "1.out"), 65, "notAnImage"),
      (request("2", "short.jpg", "2.out"), 65, "damaged"),
      (request("3", "none.jpg", "3.out"), 66, "missing"),
      (request("4", "photo-64.jpg", "taken.out"), 73, "exists"),
      (request("5", "photo-64.jpg", "none/5.out"), 73, "noPlace"),
      (request("6", "photo-64.jpg", "6.out", look: "none.json"), 66, "missing"),
      (request("7", "photo-64.jpg", "7.out", #","sha256":"\#(zeros)""#), 65, "changed"),
      (request("8", "photo-1024.jpg", "8.out"), 65, "limitExceeded"),
      (request("9", "photo-64.jpg", "9.out", look: "noise.jpg"), 65, "graph"),
      (request("10", ".", "10.out"), 65, "notRegular"),
    ]
    let before = try FileSystem.names(in: folder.path)
    let answers = try work(
      cases.map(\.0) + [request("good", "photo-64.jpg", "good.out")], "--max-pixels", "500000")
    try #require(answers.count == cases.count + 2)
    for (answer, expected) in zip(answers.dropFirst(), cases) {
      #expect(answer["status"] == "failed", "\(answer)")
      #expect(answer["exit"]?.integerValue == expected.1, "\(answer)")
      #expect(answer["code"]?.stringValue == expected.2, "\(answer)")
      #expect(answer["message"]?.stringValue?.isEmpty == false)
    }
    #expect(answers.last?["status"] == "rendered")
    #expect(try FileSystem.names(in: folder.path) == (before + ["good.out"]).sorted())
    #expect(try FileBytes.reading(folder.path("taken.out")).array == [1])
  }

  @Test func `lines that are not requests are answered by their number`() throws {
    try photos(["photo-64.jpg"])
    let lines = [
      "{", "[]", "7", #"{"id":"a"}"#, #"{"id":"","input":"x","output":"y","look":"z"}"#,
      #"{"id":"a","id":"b"}"#, request("a", "photo-64.jpg", "a.out", #","speed":1"#),
      request("a", "photo-64.jpg", "a.out", #","sha256":"short""#),
      #"{"id":""# + String(repeating: "x", count: 70_000) + #""}"#,
      #"{"id":"a","input":"\u0000","output":"y","look":"z"}"#,
      String(repeating: "[", count: 60_000),
    ]
    let answers = try work(
      lines + ["", request("last", "photo-64.jpg", "last.out", #","x-note":"allowed""#)])
    try #require(answers.count == lines.count + 2)
    for (index, answer) in answers[1...lines.count].enumerated() {
      #expect(answer["code"] == "badLine" && answer["exit"] == 65, "\(answer)")
      #expect(answer["line"]?.integerValue == index + 1)
    }
    #expect(answers.last?["id"] == "last" && answers.last?["status"] == "rendered")
  }

  @Test func `a text of an inline graph gets its font`() throws {
    try photos(["photo-64.jpg"])
    let lines = ["sans-serif", "No Such Font"].map { font in
      #"{"id":"\#(font)","input":"photo-64.jpg","output":"\#(font).jpg","graph":{"#
        + #""format":"org.photoedit.filter-graph","version":"1.0","nodes":[{"id":"n1","#
        + #""filter":"text","params":{"text":"A","font":"\#(font)"}}]}}"#
    }
    let answers = try work(lines)
    #expect(answers[1]["status"] == "rendered", "\(answers[1])")
    #expect(answers[2]["message"]?.stringValue?.contains("'No Such Font'") == true)
  }

  @Test func `a look that has changed is read again`() throws {
    try photos(["photo-64.jpg"])
    let child = try Tool.start(["worker"], in: folder.path)
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    var rest: [UInt8] = []
    _ = child.line(&rest, until: deadline)
    var looks: Set<JSONValue> = []
    for (index, source) in ["sepia.json", "warm.json"].enumerated() {
      try StagedFile.copyOver(folder.path(source), folder.path("look.json"))
      child.writeLine(request("\(index)", "photo-64.jpg", "\(index).out", look: "look.json"))
      let line = try #require(child.line(&rest, until: deadline))
      looks.insert(try #require(try JSONValue(parsing: Array(line.utf8))["look"]))
    }
    #expect(looks.count == 2)
    child.writeLine(#"{"ping":1}"#)
    let answer = try JSONValue(
      parsing: Array(try #require(child.line(&rest, until: deadline)).utf8))
    #expect(answer["ping"] == 1 && answer["engine"]?.integerValue != nil)
    // A reader that is gone ends a worker that waits for requests.
    child.closeOutput()
    #expect(child.wait() == 141)
  }

  @Test func `a signal ends a waiting worker`() throws {
    let child = try Tool.start(["worker"], in: folder.path)
    var rest: [UInt8] = []
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    #expect(child.line(&rest, until: deadline) != nil)
    child.send(SIGTERM)
    #expect(child.wait() == 143)
  }

  @Test func `a worker ends with its parent although its input stays open`() throws {
    let script = "mkfifo in && exec 3<>in && { photoedit worker <&3 & wait; }"
    let parent = try Tool.startScript(script, in: folder.path)
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    var rest: [UInt8] = []
    #expect(parent.line(&rest, until: deadline)?.contains("worker") == true)
    parent.kill()
    // The worker holds the other end of this pipe until it ends.
    #expect(parent.line(&rest, until: deadline) == nil)
    #expect(ContinuousClock.now < deadline)
  }

  @Test func `an image that takes too much processor time ends the worker`() throws {
    try photos(["photo-1024.jpg"])
    try folder.writeLook(
      (0..<100).map { "gaussianBlur:sigma=\(3 + Double($0) / 100)" }, to: "slow.json")
    let lines = (0..<40).map { request("\($0)", "photo-1024.jpg", "\($0).out", look: "slow.json") }
    let result = try Tool.run(
      ["worker", "--max-seconds", "1"], in: folder.path,
      input: Array(lines.joined(separator: "\n").utf8))
    #expect(result.exitCode == 128 + SIGXCPU)
    #expect(try FileSystem.names(in: folder.path).allSatisfy { !$0.hasPrefix(".photoedit") })
  }
}

extension TemporaryFolder {
  /// Writes a look made of filters, as a user does: the edit of a photo as a preset.
  func writeLook(_ filters: [String], to name: String) throws {
    let photo = "\(name).jpg"
    try write(try TestImages.bytes("inputs/photo-64.jpg"), to: photo)
    for arguments in [
      ["apply", photo] + filters.flatMap { ["--filter", $0] }, ["preset", photo, "-o", name],
    ] {
      let result = try Tool.run(arguments, in: path)
      try #require(result.exitCode == 0, "\(result.errors)")
    }
    for ending in ["", ".aae"] { try FileSystem.remove(path(photo + ending)) }
    try FileSystem.remove(path("\(name).edited.jpg"))
  }
}

extension StagedFile {
  /// Replaces a file by a copy of another one.
  fileprivate static func copyOver(_ source: String, _ target: String) throws {
    let staged = try StagedFile(for: target)
    try staged.file.write(try FileBytes.reading(source).array)
    try staged.publish(replacing: true)
  }
}
