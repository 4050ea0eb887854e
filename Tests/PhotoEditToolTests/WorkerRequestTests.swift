// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("worker: requests of other programs", .runsPrograms)
struct WorkerRequestTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeLook(["sepia"], to: "sepia.json")
    let look = try JSONValue(parsing: FileBytes.reading(folder.path("sepia.json")).array)
    graph = String(decoding: try look.canonicalBytes(), as: UTF8.self)
    for name in ["photo-64.jpg", "photo-1024.jpg"] {
      try folder.write(try TestImages.bytes("inputs/\(name)"), to: name)
    }
  }

  /// Runs a worker on lines and returns the answers without its description.
  private func answers(to lines: [String], _ arguments: String...) throws -> [JSONValue] {
    let result = try Tool.run(
      ["worker"] + arguments, in: folder.path,
      input: Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(result.exitCode == 0, "\(result.errors)")
    return Array(try result.jsonLines().dropFirst())
  }

  private func request(
    _ output: String, id: String = "1", input: String = #""input":"photo-64.jpg""#,
    _ look: String, _ more: String = ""
  ) -> String {
    #"{"id":\#(id),\#(input),"output":"\#(output)",\#(look)\#(more)}"#
  }

  @Test func `an inline graph gives the result of its file`() throws {
    let answers = try answers(to: [
      request("file.out", #""look":"sepia.json""#), request("inline.out", #""graph":\#(graph)"#),
    ])
    for field in ["key", "look", "rendering", "status"] {
      #expect(answers[0][field] == answers[1][field], "\(field)")
    }
    #expect(answers[1]["status"] == "rendered")
    #expect(
      try FileBytes.reading(folder.path("file.out")).array
        == FileBytes.reading(folder.path("inline.out")).array)
  }

  /// Runs a worker on bytes; returns its answers, each with the bytes that follow it.
  private func exchange(
    _ input: [UInt8], _ arguments: String...
  ) throws -> [(answer: JSONValue, payload: [UInt8])] {
    let result = try Tool.run(["worker"] + arguments, in: folder.path, input: input)
    #expect(result.exitCode == 0, "\(result.errors)")
    var rest = result.outputBytes[...]
    var found: [(JSONValue, [UInt8])] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let answer = try JSONValue(parsing: Array(rest[..<end]))
      rest = rest[(end + 1)...]
      let payload = rest.prefix(answer["payload"]?.integerValue ?? 0)
      found.append((answer, Array(payload)))
      rest = rest[payload.endIndex...]
    }
    #expect(rest.isEmpty)
    return Array(found.dropFirst())
  }

  @Test func `bytes follow a request and an answer`() throws {
    let photo = try TestImages.bytes("inputs/photo-64.jpg")
    let look = #""look":"sepia.json""#
    func line(_ input: String, _ output: String) -> [UInt8] {
      Array((request(output, input: input, look) + "\n").utf8)
    }
    let sized = #""input":"-","payload":\#(photo.count)"#
    let found = try exchange(
      line(sized, "-") + photo + line(sized, "written.jpg") + photo
        + line(#""input":"photo-64.jpg""#, "-"))
    try #require(found.count == 3)
    let expected = try FileBytes.reading(folder.path("written.jpg")).array
    #expect(
      found.map(\.answer["rendering"]) == Array(repeating: found[1].answer["rendering"], count: 3))
    #expect(found.map(\.payload) == [expected, [], expected])
    #expect(found[1].answer["payload"] == nil)
  }

  @Test func `a failed request with bytes does not disturb the next one`() throws {
    let photo = try TestImages.bytes("inputs/photo-64.jpg")
    let damaged = Array("{\"id\":9}\n".utf8) + [UInt8](repeating: 10, count: 200_000)
    let next = Array((request("next.jpg", #""look":"sepia.json""#) + "\n").utf8)
    func line(_ count: Int, _ more: String = #""output":"-","look":"sepia.json""#) -> [UInt8] {
      Array((#"{"id":1,"input":"-","payload":\#(count),\#(more)}"# + "\n").utf8)
    }
    let found = try exchange(
      line(damaged.count) + damaged + next + line(photo.count, #""unknown":1"#) + photo
        + line(9_000_000) + [UInt8](repeating: 10, count: 9_000_000)
        + Array(#"{"id":1,"input":"-","output":"-","look":"sepia.json"}"#.utf8) + [10]
        + Array(#"{"id":1,"input":"a","payload":1,"output":"-","look":"sepia.json"}"#.utf8)
        + [10, 65] + line(10) + photo.prefix(9), "--max-memory", "8M")
    #expect(
      found.map { $0.answer["code"]?.stringValue }
        == ["notAnImage", nil, "badLine", "limitExceeded", "badLine", "badLine", "badLine"])
    #expect(
      found.last?.answer["message"] == "payload: the input ended after 9 of 10 bytes")
    #expect(found.allSatisfy { $0.payload.isEmpty })
  }

  @Test(arguments: [#"{"payload":99,}"#, String(repeating: " ", count: 3 << 20)])
  func `a line that cannot be read and may precede bytes ends the worker`(line: String) throws {
    let next = request("next.jpg", #""look":"sepia.json""#)
    let result = try Tool.run(
      ["worker"], in: folder.path, input: Array("\(line)\n\(next)\n".utf8))
    #expect(result.exitCode == 65)
    let answers = try result.jsonLines().dropFirst()
    #expect(answers.map { $0["code"]?.stringValue } == ["badLine"])
    #expect(!FileSystem.itemExists(folder.path("next.jpg")))
  }

  @Test func `an id is any JSON and is repeated`() throws {
    let ids = [#""a""#, "7", "1.5", "null", "false", #"{"photo":[1,"x"]}"#]
    let lines = ids.enumerated().map {
      request("\($0).out", id: $1, #""look":"sepia.json""#)
    }
    let failing = ids.map { request("0.out", id: $0, #""look":"sepia.json""#) }
    let answers = try answers(to: lines + failing)
    try #require(answers.count == 2 * ids.count)
    for (answer, id) in zip(answers, ids + ids) {
      #expect(answer["id"] == (try JSONValue(parsing: Array(id.utf8))))
    }
    #expect(
      answers.map { $0["code"]?.stringValue } == ids.map { _ in nil } + ids.map { _ in "exists" })
  }

  @Test func `options of a line are those of a process`() throws {
    let options = #","options":{"quality":60,"strip":"all","dither":"tpdf","lenient":true}"#
    let line = try answers(to: [
      request("line.out", #""look":"sepia.json""#, options),
      request("next.out", #""look":"sepia.json""#),
    ])
    let process = try answers(
      to: [request("process.out", #""look":"sepia.json""#)], "--quality", "60", "--strip", "all",
      "--dither", "tpdf", "--lenient")
    #expect(line[0]["rendering"] == process[0]["rendering"] && line[0]["key"] == process[0]["key"])
    #expect(line[1]["key"] != line[0]["key"] && line[1]["rendering"] != line[0]["rendering"])
  }

  @Test func `a limit of a line can only be lower than that of the process`() throws {
    let large = #""input":"photo-1024.jpg""#
    func line(_ number: Int, _ pixels: Int) -> String {
      request(
        "\(number).out", input: large, #""look":"sepia.json""#,
        #","options":{"max-pixels":\#(pixels)}"#)
    }
    let own = try answers(to: [line(1, 1000), line(2, 1_000_000)])
    #expect(own.map { $0["code"]?.stringValue } == ["limitExceeded", nil])
    let process = try answers(to: [line(3, 1_000_000)], "--max-pixels", "1000")
    #expect(process.map { $0["code"]?.stringValue } == ["limitExceeded"])
  }

  @Test func `the original of an asset is rendered`() throws {
    for arguments in [
      ["library", "create", "Photos"], ["asset", "import", "-L", "Photos", "photo-64.jpg"],
    ] {
      let result = try Tool.run(arguments, in: folder.path)
      try #require(result.exitCode == 0, "\(result.errors)")
    }
    let list = try Tool.run(["asset", "list", "-L", "Photos", "--json"], in: folder.path)
    let asset = try #require(try list.jsonLines().first?["identifier"]?.stringValue)
    func input(_ asset: String) -> String { #""library":"Photos","asset":"\#(asset)""# }
    let answers = try answers(to: [
      request("file.out", #""look":"sepia.json""#),
      request("asset.out", input: input(asset), #""look":"sepia.json""#),
      request("prefix.out", input: input(String(asset.prefix(8))), #""look":"sepia.json""#),
      request("none.out", input: input("none"), #""look":"sepia.json""#),
    ])
    #expect(answers[0]["status"] == "rendered")
    #expect(answers[1]["rendering"] == answers[0]["rendering"])
    #expect(answers[2]["key"] == answers[0]["key"])
    #expect(answers[3]["exit"]?.integerValue == 66)
  }

  @Test(arguments: [
    #""graph":7"#, #""graph":"sepia.json""#, #""look":"sepia.json","options":[]"#,
    #""look":"sepia.json","options":{"quality":101}"#,
    #""look":"sepia.json","options":{"quality":[80]}"#,
    #""look":"sepia.json","options":{"nosuch":1}"#,
    #""look":"sepia.json","options":{"threads":2}"#,
    #""look":"sepia.json","graph":{}"#, #""look":"sepia.json","library":"Photos""#,
  ])
  func `a request that is not understood is refused`(part: String) throws {
    let answers = try answers(to: [request("a.out", part)])
    #expect(answers.count == 1)
    #expect(answers.first?["status"] == "failed")
    #expect(answers.first?["id"]?.integerValue == 1 && answers.first?["line"]?.integerValue == 1)
    #expect(answers.first?["exit"]?.integerValue == 65, "\(String(describing: answers.first))")
    #expect(!FileSystem.itemExists(folder.path("a.out")))
  }

  @Test func `a graph may be longer than other requests`() throws {
    let words = [String](repeating: #""note""#, count: 20_000).joined(separator: ",")
    let notes = #","options":{},"x-notes":[\#(words)]"#
    let answers = try answers(to: [
      request("a.out", #""graph":\#(graph)"#, notes),
      request("b.out", #""look":"sepia.json""#, notes),
    ])
    #expect(answers.map { $0["status"]?.stringValue } == ["rendered", "failed"])
    #expect(answers.last?["code"] == "badLine")
  }
}
