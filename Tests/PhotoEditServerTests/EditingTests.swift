// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Editing over HTTP")
struct EditingTests {
  private let folder: TemporaryFolder
  private let photo: String
  private let router: Router
  private let asset: String

  init() throws {
    folder = try TemporaryFolder()
    photo = folder.path("photo.jpg")
    try FileSystem.copy(TestImages.path("inputs/photo-landscape.jpg"), to: photo)
    let service = try TestRequests.service(PhotoFiles(photo: photo), in: folder.path("state"))
    router = service.router
    asset = try #require(service.source.onlyAsset)
  }

  /// Starts another server for the photo, which stands for another program.
  private init(besides first: EditingTests) throws {
    (folder, photo) = (first.folder, first.photo)
    let service = try TestRequests.service(PhotoFiles(photo: photo), in: folder.path("other"))
    router = service.router
    asset = try #require(service.source.onlyAsset)
  }

  private func send(
    _ method: String, _ path: String, _ fields: [(String, String?)] = [], _ body: String = ""
  ) throws -> HTTPResponse {
    let request = try #require(TestRequests.request(method, path, fields, body: body))
    return router.response(to: request, isLoggedIn: true).response.made
  }

  private func json(_ response: HTTPResponse) throws -> [String: JSONValue] {
    guard case .bytes(let bytes) = response.body,
      case .object(let members) = try JSONValue(
        parsing: bytes, limits: JSONLimits(maximumBytes: 8 << 20))
    else { return [:] }
    return members
  }

  private func begin() throws -> (session: String, revision: String) {
    let response = try send("POST", "/api/assets/\(asset)/editing")
    #expect(response.status == 201)
    let members = try json(response)
    return (
      try #require(members["session"]?.stringValue), try #require(members["revision"]?.stringValue)
    )
  }

  private func graph(_ ev: Double) -> String {
    #"{"format":"org.photoedit.filter-graph","version":"1.0","nodes":[{"id":"n1","#
      + #""filter":"exposure","v":1,"params":{"ev":\#(ev),"black":0}}]}"#
  }

  private func save(_ session: String, _ revision: String, ev: Double) throws -> HTTPResponse {
    try send(
      "POST", "/api/editing/\(session)/save", [("if-match", "\"\(revision)\"")],
      "{\"graph\":\(graph(ev))}")
  }

  private func finished(_ response: HTTPResponse) throws -> [String: JSONValue] {
    #expect(response.status == 202)
    let job = try #require(try json(response)["job"]?.stringValue)
    return try json(send("GET", "/api/jobs/\(job)?wait=1"))
  }

  private func storedValue() throws -> JSONValue? {
    let record = try SidecarStore(path: photo).state().record
    return try record.flatMap { record in
      guard
        case .object(let node)? = try FilterGraph(json: Array(record.adjustment.data)).nodes
          .first?.json, case .object(let values)? = node["params"]
      else { return nil }
      return values["ev"]
    }
  }

  @Test func `a saved edit is stored as by the command line`() throws {
    let (session, revision) = try begin()
    let job = try finished(save(session, revision, ev: 0.5))
    #expect(job["state"]?.stringValue == "done")
    #expect(try storedValue() == .number(0.5))
    guard case .object(let result)? = job["result"] else {
      Issue.record("no result")
      return
    }
    let next = try #require(result["revision"]?.stringValue)
    #expect(next != revision)
    #expect(try finished(save(session, next, ev: 0.7))["state"]?.stringValue == "done")
    #expect(try storedValue() == .number(0.7))
  }

  @Test func `all sessions together keep a limited number of reduced pixels`() throws {
    let box = PixelSize(width: 200, height: 150)
    let store = SidecarStore(path: photo)
    func begin(_ sessions: EditingSessions) throws -> HeldEdit {
      try sessions.begin(asset: asset, store, HeldAttachments { _ in nil })
    }
    let one = try begin(EditingSessions())
    _ = try one.preview(FilterGraph(), fitting: box, precision: .still)
    #expect(one.keptBytes > 0)

    let sessions = EditingSessions(maximumKeptBytes: one.keptBytes * 3 / 2)
    let edits = try (0..<2).map { _ in try begin(sessions) }
    for edit in edits {
      _ = try edit.preview(FilterGraph(), fitting: box, precision: .still)
      sessions.discardPixels()
    }
    #expect(edits.reduce(0) { $0 + $1.keptBytes } == one.keptBytes)
    // Its pixels are decoded again.
    for edit in edits { _ = try edit.preview(FilterGraph(), fitting: box, precision: .still) }
  }

  @Test func `a preview is a JPEG of the requested size`() throws {
    let (session, _) = try begin()
    let response = try send(
      "POST", "/api/editing/\(session)/preview", [],
      "{\"graph\":\(graph(0.5)),\"width\":64,\"height\":64,\"sequence\":1,\"purpose\":\"drag\"}")
    #expect(response.status == 200)
    guard case .bytes(let jpeg) = response.body else { return }
    let image = try ImageSource(FileBytes(jpeg))
    #expect(max(image.size.width, image.size.height) == 64)
    #expect(response.fields.contains { $0.name == "X-Photoedit-Preview" && $0.value == "p1" })
    let statistics = try json(send("GET", "/api/editing/\(session)/statistics/p1"))
    guard case .object(let levels)? = statistics["levels"], case .array(let luma)? = levels["luma"]
    else {
      Issue.record("no levels")
      return
    }
    #expect(
      luma.compactMap(\.integerValue).reduce(0, +) == image.size.width * image.size.height)
    #expect(try send("GET", "/api/editing/\(session)/clipping/p1.png").status == 200)
    #expect(try send("GET", "/api/editing/\(session)/statistics/p2").status == 404)
  }

  @Test func `a preview brings its statistics if they are requested`() throws {
    let (session, _) = try begin()
    func preview(_ purpose: String) throws -> HTTPResponse {
      try send(
        "POST", "/api/editing/\(session)/preview", [],
        "{\"graph\":\(graph(2)),\"width\":64,\"height\":64,\"purpose\":\"\(purpose)\","
          + "\"statistics\":true}")
    }
    let response = try preview("drag")
    let type = try #require(response.fields.first { $0.name == "Content-Type" }?.value)
    let boundary = try #require(type.firstRange(of: "boundary=").map { type[$0.upperBound...] })
    guard case .bytes(let body) = response.body else { return }
    let parts = Array(body).split(separator: Array("--\(boundary)".utf8))
    #expect(parts.count == 3 && Array(parts[2]) == Array("--\r\n".utf8))
    let contents = try parts.prefix(2).map { part in
      let end = try #require(part.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
      return Array(part[end...].dropLast(2))
    }
    let statistics = try send("GET", "/api/editing/\(session)/statistics/p1")
    guard case .bytes(let expected) = statistics.body else { return }
    #expect(contents[0] == expected)
    #expect(try ImageSource(FileBytes(contents[1])).size.width == 64)
    #expect(try preview("original").status == 400)
  }

  @Test func `a session says whether its photo has colors outside of sRGB`() throws {
    #expect(try json(send("POST", "/api/assets/\(asset)/editing"))["wideGamut"] == .bool(false))
    let path = folder.path("p3.jpg")
    try FileSystem.copy(TestImages.path("inputs/jpeg-display-p3.jpg"), to: path)
    let service = try TestRequests.service(PhotoFiles(photo: path), in: folder.path("other"))
    let id = try #require(service.source.onlyAsset)
    let begun = try TestClient(service).json("POST", "/api/assets/\(id)/editing")
    #expect(begun["wideGamut"] == .bool(true))
  }

  @Test func `a change of an older revision is refused with the current state`() throws {
    let (session, revision) = try begin()
    // Without a suspension: on a busy machine, it could outlast the session.
    let other = try EditingTests(besides: self)
    let (another, first) = try other.begin()
    _ = try other.finished(other.save(another, first, ev: 0.1))
    let response = try save(session, revision, ev: 0.5)
    #expect(response.status == 412)
    guard case .object(let state)? = try json(response)["state"] else {
      Issue.record("no state")
      return
    }
    let current = try SidecarStore(path: photo).state().revision
    #expect(state["revision"]?.stringValue == current)
    #expect(try finished(save(session, current, ev: 0.5))["state"]?.stringValue == "done")
  }

  @Test func `a change needs a revision`() throws {
    let (session, revision) = try begin()
    let body = "{\"graph\":\(graph(1))}"
    let path = "/api/editing/\(session)/save"
    #expect(try send("POST", path, [], body).status == 428)
    for field in ["*", revision, "W/\"\(revision)\"", "\"a\", \"b\"", "\""] {
      #expect(try send("POST", path, [("if-match", field)], body).status == 400)
    }
  }

  @Test func `history lists values; revert, undo and redo move through it`() throws {
    let (session, revision) = try begin()
    _ = try finished(save(session, revision, ev: 0.2))
    let second = try SidecarStore(path: photo).state().revision
    _ = try finished(save(session, second, ev: 0.5))

    let history = try json(send("GET", "/api/assets/\(asset)/history"))
    #expect(history["current"] == .number(2))
    guard case .array(let states)? = history["states"], states.count == 3,
      case .object(let last) = states[2], case .array(let changes)? = last["changes"]
    else {
      Issue.record("no states")
      return
    }
    #expect(
      changes == [
        .object([
          "kind": "changed", "node": "n1", "filter": "exposure", "key": "ev", "from": .number(0.2),
          "to": .number(0.5),
        ])
      ])
    func change(_ word: String, _ body: String = "") throws -> Int {
      let revision = try SidecarStore(path: photo).state().revision
      return try send(
        "POST", "/api/assets/\(asset)/\(word)", [("if-match", "\"\(revision)\"")], body
      ).status
    }
    #expect(try change("undo", "{\"steps\":2}") == 200)
    #expect(try storedValue() == nil)
    #expect(try change("undo") == 409)
    #expect(try change("redo", "{\"steps\":2}") == 200)
    #expect(try storedValue() == .number(0.5))
    #expect(try change("revert") == 200)
    #expect(try storedValue() == nil)
    #expect(try send("POST", "/api/assets/\(asset)/revert").status == 428)
  }

  @Test func `without the right to write, sessions complete no change and remove no draft`() throws
  {
    let (first, revision) = try begin()
    _ = try finished(save(first, revision, ev: 0.5))
    let (session, _) = try begin()
    let draft = "{\"graph\":\(graph(0.3))}"
    #expect(try send("PUT", "/api/editing/\(session)/draft", [], draft).status == 204)
    // What an interrupted change leaves.
    let name = ".photoedit/photo.jpg/" + SHA256Digest(of: [1]).hex + ".jpg"
    try FileSystem.createFolder(folder.path(".photoedit"))
    try FileSystem.createFolder(folder.path(".photoedit/photo.jpg"))
    try folder.write([1], to: name)

    let client = TestClient(
      try TestRequests.service(
        PhotoFiles(photo: photo), in: folder.path("state"), isReadOnly: true))
    let served = try #require(try client.json("GET", "/api/service")["asset"]?.stringValue)
    let members = try client.json("POST", "/api/assets/\(served)/editing")
    let viewed = try #require(members["session"]?.stringValue)
    #expect(try client.send("DELETE", "/api/editing/\(viewed)?draft=discard").status == 204)
    #expect(FileSystem.itemExists(folder.path(name)))
    #expect(try json(send("POST", "/api/assets/\(asset)/editing"))["draft"] != .null)
    #expect(!FileSystem.itemExists(folder.path(name)))
  }

  @Test func `an automatic adjustment is that of the engine, and replaces the one before`() throws {
    let (session, _) = try begin()
    let path = "/api/editing/\(session)/auto"
    let first = try json(send("POST", path, [], "{\"graph\":\(graph(0.5))}"))
    let image = try ImageSource(FileBytes.reading(photo))
    var expected = try FilterGraph().appending([Exposure(ev: 0.5)])
    let adjustment = try Renderer.automaticAdjustment(of: image, after: expected)
    try expected.apply(adjustment)
    let filters = { (graph: JSONValue?) in
      (graph?["nodes"]?.arrayValue ?? []).map { $0["filter"]?.stringValue ?? "" }
    }
    #expect(filters(first["graph"]) == expected.nodes.map(\.filter))
    #expect(!adjustment.filters.isEmpty)
    #expect(first["unchanged"]?.arrayValue?.count == adjustment.unchanged.count)
    let again = String(
      decoding: try #require(first["graph"]).canonicalBytes(), as: UTF8.self)
    let second = try json(send("POST", path, [], "{\"graph\":\(again)}"))
    #expect(second["graph"] == first["graph"])
    #expect(try send("POST", path, [], "{\"graph\":{}}").status == 422)
  }

  @Test func `small images of many looks cancel no preview`() throws {
    let (session, _) = try begin()
    for ev in [0, 0.5, 1] {
      let response = try send(
        "POST", "/api/editing/\(session)/preview", [],
        "{\"graph\":\(graph(ev)),\"width\":96,\"height\":96,\"purpose\":\"look\"}")
      guard case .bytes(let bytes) = response.body else { continue }
      let image = try ImageSource(FileBytes(bytes))
      #expect(response.status == 200 && image.size.longEdge == 96)
    }
  }

  @Test func `a draft belongs to the photo at its place, not to a copy of it`() throws {
    let copy = folder.path("copy.jpg")
    try FileSystem.copy(photo, to: copy)
    let (session, _) = try begin()
    #expect(
      try send("PUT", "/api/editing/\(session)/draft", [], "{\"graph\":\(graph(1))}").status == 204)
    func draft(of photo: String) throws -> JSONValue? {
      let service = try TestRequests.service(PhotoFiles(photo: photo), in: folder.path("state"))
      let asset = try #require(service.source.onlyAsset)
      let request = try #require(TestRequests.request("POST", "/api/assets/\(asset)/editing"))
      return try json(service.router.response(to: request, isLoggedIn: true).response.made)["draft"]
    }
    #expect(try draft(of: photo)?.isNull == false)
    #expect(try draft(of: copy)?.isNull == true)
  }

  @Test func `a draft outlives its session and ends with Save`() throws {
    let (session, revision) = try begin()
    let path = "/api/editing/\(session)"
    #expect(try send("PUT", path + "/draft", [], "{\"graph\":\(graph(0.3))}").status == 204)
    #expect(try send("DELETE", path).status == 204)
    #expect(try send("DELETE", path).status == 404)

    let response = try send("POST", "/api/assets/\(asset)/editing")
    let beginning = try json(response)
    guard case .object(let draft)? = beginning["draft"] else {
      Issue.record("no draft")
      return
    }
    #expect(draft["revision"]?.stringValue == revision)
    let next = try #require(beginning["session"]?.stringValue)
    _ = try finished(save(next, revision, ev: 0.3))
    #expect(try json(send("POST", "/api/assets/\(asset)/editing"))["draft"] == .null)
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"graph\":1}", "{\"graph\":{}}", "{\"graph\":null,\"width\":1}",
    "{\"width\":1,\"width\":2}", "{\"unknown\":1}", "nonsense", "{\"width\":1e99}",
  ])
  func `an invalid body is refused with a problem`(body: String) throws {
    let (session, _) = try begin()
    for path in ["preview", "save"] {
      let response = try send(
        "POST", "/api/editing/\(session)/\(path)", [("if-match", "\"none:\"")], body)
      #expect([400, 412, 422].contains(response.status), "\(body) \(path) \(response.status)")
      #expect(
        response.fields.contains { $0 == ("Content-Type", "application/problem+json") })
    }
  }

  @Test func `a graph that cannot be rendered is a problem of the graph`() throws {
    let (session, _) = try begin()
    let nodes = #"{"nodes":[{"filter":"nosuch"}],"format":"org.photoedit.filter-graph","#
    let body = "{\"graph\":\(nodes)\"version\":\"1.0\"},\"width\":10,\"height\":10}"
    let response = try send("POST", "/api/editing/\(session)/preview", [], body)
    #expect(response.status == 422)
    #expect(try json(response)["code"] == .number(65))
  }
}
