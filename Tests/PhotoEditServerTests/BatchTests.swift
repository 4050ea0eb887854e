// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Batches and presets over HTTP")
struct BatchTests {
  private let folder: TemporaryFolder
  private let client: TestClient

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder(folder.path("photos"))
    for name in ["a.jpg", "b.jpg"] {
      try FileSystem.copy(
        TestImages.path("inputs/jpeg-444.jpg"), to: folder.path("photos/" + name))
    }
    client = TestClient(
      try TestRequests.service(
        PhotoFiles(folder: folder.path("photos")), in: folder.path("state")))
  }

  private let graph =
    #"{"format":"org.photoedit.filter-graph","version":"1.0","nodes":[{"filter":"sepia"}]}"#

  private func state(_ name: String) throws -> EditState {
    try SidecarStore(path: folder.path("photos/" + name)).state()
  }

  private func result(_ response: HTTPResponse) throws -> [String: JSONValue] {
    #expect(response.status == 202)
    let job = try #require(try client.json(response)["job"]?.stringValue)
    guard case .object(let result)? = try client.json("GET", "/api/jobs/\(job)?wait=1")["result"]
    else { return [:] }
    return result
  }

  @Test func `a preset is stored, listed and removed`() throws {
    let path = "/api/presets/warm%20evening"
    #expect(try client.send("PUT", path, "{\"graph\":\(graph)}").status == 201)
    #expect(try client.send("PUT", path, "{\"graph\":\(graph)}").status == 200)
    guard case .array(let presets)? = try client.json("GET", "/api/presets")["presets"] else {
      return
    }
    #expect(presets.count == 1)
    for name in [
      "%2e%2e", ".hidden", "a%3ab", "a%5cb", "a%0ab", "%20a", "%E2%80%AEa",
      String(repeating: "a", count: 65),
    ] {
      // The gate refuses the first one.
      guard TestRequests.request("PUT", "/api/presets/" + name) != nil else { continue }
      let response = try client.send("PUT", "/api/presets/" + name, "{\"graph\":\(graph)}")
      #expect(response.status == 400)
    }
    #expect(try client.send("DELETE", path).status == 204)
    #expect(try client.send("DELETE", path).status == 404)
    // Names are those of people: accents, other scripts, joined emoji.
    for name in ["%C3%89vening%20%E2%80%94%20%E5%A4%9C", "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"] {
      let path = "/api/presets/" + name
      #expect(try client.send("PUT", path, "{\"graph\":\(graph)}").status == 201)
      #expect(try client.send("DELETE", path).status == 204)
    }
  }

  @Test func `an attachment stays while a preset that may have it cannot be read`() throws {
    let presets = Presets { $0 == "XDG_DATA_HOME" ? folder.path : nil }
    let bytes = [UInt8](repeating: 7, count: GraphAttachment.maximumInlineBytes + 1)
    let digest = SHA256Digest(of: bytes)
    var graph = FilterGraph()
    _ = try graph.addAsset(GraphAttachment(bytes, mediaType: "text/x-cube"), named: "film")
    _ = try presets.put(graph, as: "film", [digest: bytes])
    let other = try folder.write([0], to: "photoedit/presets/other.json")
    try presets.remove("film")
    #expect(presets.attachment(digest) == bytes)
    _ = try presets.put(graph, as: "film", [:])
    try FileSystem.remove(other)
    try presets.remove("film")
    #expect(presets.attachment(digest) == nil)
  }

  @Test func `a plan says what cannot be rendered on a video or a photo`() throws {
    try folder.write(MovieFile().bytes, to: "photos/clip.mov")
    let view = try #require(try client.json("POST", "/api/views", "{}")["view"]?.stringValue)
    func blockedRows(_ nodes: String) throws -> Int {
      let graph = graph.replacing(#"[{"filter":"sepia"}]"#, with: nodes)
      let plan = try result(
        client.send("POST", "/api/batches", "{\"view\":\"\(view)\",\"graph\":\(graph)}"))
      guard case .array(let rows)? = plan["rows"] else { return -1 }
      #expect(rows.count == 3)
      return rows.count { row in
        let isBlocked = row["obstacle"]?.stringValue?.isEmpty == false
        let type = row["problem"]?["type"]?.stringValue
        #expect((type == "urn:photoedit:not-editable") == isBlocked)
        return isBlocked
      }
    }
    #expect(try blockedRows(#"[{"filter":"rotate90","params":{"turns":1}}]"#) == 0)
    #expect(try blockedRows(#"[{"filter":"mute"}]"#) == 2)
    #expect(try blockedRows(#"[{"filter":"sepia"},{"filter":"mute"}]"#) == 2)
  }

  @Test func `a run returns the revisions with which it is undone`() throws {
    let view = try #require(try client.json("POST", "/api/views", "{}")["view"]?.stringValue)
    let plan = try result(
      client.send("POST", "/api/batches", "{\"view\":\"\(view)\",\"graph\":\(graph)}"))
    let name = try #require(plan["plan"]?.stringValue)
    let run = try result(client.send("POST", "/api/batches/\(name)/run", "{}"))
    guard case .array(let results)? = run["results"] else { return }
    #expect(results.count == 2)
    for result in results {
      let (id, revision) = (
        result["id"]?.stringValue ?? "", try #require(result["revision"]?.stringValue)
      )
      let undo = "/api/assets/\(id)/undo"
      #expect(try client.send("POST", undo, "{}", [("if-match", "\"x\"")]).status == 412)
      #expect(try client.send("POST", undo, "{}", [("if-match", "\"\(revision)\"")]).status == 200)
    }
    #expect(try !state("a.jpg").isEdited && !state("b.jpg").isEdited)
  }

  @Test func `a plan changes nothing, and its run skips a photo that has changed`() async throws {
    let view = try #require(try client.json("POST", "/api/views", "{}")["view"]?.stringValue)
    let plan = try result(
      client.send("POST", "/api/batches", "{\"view\":\"\(view)\",\"graph\":\(graph)}"))
    let name = try #require(plan["plan"]?.stringValue)
    guard case .array(let rows)? = plan["rows"] else { return }
    #expect(rows.count == 2)
    #expect(try !state("a.jpg").isEdited && !state("b.jpg").isEdited)

    try await PhotoEditor(SidecarStore(path: folder.path("photos/b.jpg"))).apply([Grayscale()])
    let revision = try state("b.jpg").revision
    let run = try result(client.send("POST", "/api/batches/\(name)/run", "{}"))
    guard case .array(let results)? = run["results"] else { return }
    let outcomes = results.compactMap { result in
      if case .object(let members) = result { members["outcome"]?.stringValue } else { nil }
    }
    #expect(outcomes.sorted() == ["applied", "skipped"])
    #expect(try state("a.jpg").isEdited)
    #expect(try state("b.jpg").revision == revision)
    #expect(try client.send("POST", "/api/batches/\(name)/run", "{}").status == 404)
  }
}
