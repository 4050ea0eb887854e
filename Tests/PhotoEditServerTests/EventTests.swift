// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

@Suite("Event stream")
struct EventTests {
  private let changes = ChangeStream(token: "t0")

  private func commit(_ token: String, _ views: [String] = []) {
    changes.send(
      commit: token, .object(["token": .string(token)]),
      views: views.map {
        ChangeStream.ViewEvent(
          view: $0, json: .object(["view": .string($0), "to": .string(token)]))
      })
  }

  private func received(
    views: Set<String> = [], after token: String?, then work: () -> Void = {}
  ) throws -> [String] {
    let stream = try changes.subscribe(views: views, after: token, TestRequests.head())
    work()
    return stream.pendingText.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("event:") || $0.hasPrefix("id:") }
  }

  @Test func `for each commit the lists precede the commit, whose id is its token`() throws {
    let lines = try received(views: ["v1", "v2"], after: "t0") {
      commit("t1", ["v1", "v2", "v3"])
      commit("t2")
    }
    #expect(
      lines == [
        "event: view", "event: view", "event: commit", "id: t1", "event: commit", "id: t2",
      ])
  }

  @Test func `an interrupted client gets everything after its last commit`() throws {
    for number in 1...5 { commit("t\(number)", ["v1"]) }
    #expect(
      try received(views: ["v1"], after: "t3") == [
        "event: view", "event: commit", "id: t4", "event: view", "event: commit", "id: t5",
      ])
    #expect(try received(views: ["v1"], after: "t5") == [])
    #expect(try received(after: "t0").count == 10)
  }

  @Test func `a new client gets the changes of lists that it may have missed`() throws {
    commit("t1", ["v1"])
    #expect(try received(views: ["v1"], after: nil) == ["event: view"])
    #expect(try received(views: ["v2"], after: nil) == [])
  }

  @Test func `a new stream of a tab ends the earlier one of the same login`() throws {
    func open(_ tab: String, cookie: String) throws -> EventStream {
      try changes.subscribe(
        views: [], after: nil, tab: tab,
        TestRequests.head("GET", "/api/events", [("cookie", cookie)]))
    }
    let first = try open("a", cookie: "c=1")
    let others = [try open("b", cookie: "c=1"), try open("a", cookie: "c=2")]
    for _ in 0..<ChangeStream.maximumStreams { _ = try open("a", cookie: "c=1") }
    commit("t1")
    #expect(!first.pendingText.contains("commit"))
    #expect(others.allSatisfy { $0.pendingText.contains("commit") })
  }

  @Test func `a token that is not kept is answered with a reset`() throws {
    #expect(try received(after: "other") == ["event: reset"])
    for number in 1...ChangeStream.keptCommits + 2 { commit("t\(number)") }
    #expect(try received(after: "t0") == ["event: reset"])
    #expect(try received(after: "t2").count == 2 * ChangeStream.keptCommits)
  }

  @Test func `the number of streams is limited, and a closed one makes room`() throws {
    let streams = try (0..<ChangeStream.maximumStreams).map { _ in
      try changes.subscribe(views: [], after: nil, TestRequests.head())
    }
    #expect(throws: Problem.self) {
      try changes.subscribe(views: [], after: nil, TestRequests.head())
    }
    streams[0].close()
    _ = try changes.subscribe(views: [], after: nil, TestRequests.head())
  }

  @Test func `a client that does not read is cut off`() {
    let stream = EventStream()
    let text = String(repeating: "x", count: 1 << 18)
    for _ in 0..<8 { stream.send(text) }
    #expect(stream.pendingText.contains("event: reset"))
    #expect(stream.pendingText.utf8.count < 1000)
  }
}
