// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Gate")
struct GateTests {
  private func refusal(_ head: RequestHead) -> Problem.Kind? {
    do throws(Problem) {
      _ = try TestRequests.gate.admit(head)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a request of the page passes`() {
    #expect(refusal(TestRequests.head()) == nil)
    #expect(
      refusal(TestRequests.head("GET", "/api/service", [("sec-fetch-site", "same-origin")])) == nil)
    #expect(
      refusal(
        TestRequests.head(
          "POST", "/api/session",
          [
            ("origin", "http://" + TestRequests.host), ("x-photoedit", "1"),
            ("content-type", "application/json"), ("content-length", "12"),
          ])) == nil)
  }

  @Test(arguments: [
    "evil.example", "127.9.8.7", "127.9.8.7:80", "localhost:8737", "127.9.8.7:8737.evil.example",
    "", "127.9.8.7:08737",
  ])
  func `a request for another host is refused`(host: String) {
    #expect(refusal(TestRequests.head("GET", "/", [("host", host)])) == .forbiddenHost)
  }

  @Test func `a message that can be read in two ways is refused`() {
    func kind(_ fields: [(String, String?)], _ version: String = "HTTP/1.1") -> Problem.Kind? {
      refusal(TestRequests.head("POST", "/api/session", version: version, fields))
    }
    #expect(kind([("host", nil)]) == .badRequest)
    #expect(kind([("host", nil)], "HTTP/1.0") == .badRequest)
    #expect(
      refusal(
        TestRequests.head(
          "GET", "/", [("host", TestRequests.host), ("x", "1"), ("host", "evil.example")])
      ) == .forbiddenHost)
    #expect(kind([("content-length", "1"), ("content-length", "2")]) == .badRequest)
    #expect(kind([("content-length", "1"), ("transfer-encoding", "chunked")]) == .badRequest)
    #expect(kind([("transfer-encoding", "chunked")]) == .lengthRequired)
    #expect(kind([("cookie", "a=1"), ("cookie", "a=2")]) == .badRequest)
    for length in ["-1", "+1", "0x10", "1e3", " 1", "", "99999999999999999999"] {
      #expect(kind([("content-length", length)]) == .badRequest)
    }
    #expect(kind([("content-length", "999999999")]) == .tooLarge)
    #expect(kind([("bad name", "1")]) == .badRequest)
    #expect(kind([("x", "a\u{7f}")]) == .badRequest)
    #expect(refusal(TestRequests.head("GET", "/", version: "HTTP/0.9")) == .badRequest)
  }

  @Test func `two host fields are refused`() {
    let fields = [TestRequests.host, TestRequests.host].map {
      RequestHead.Field(name: "host", value: $0)
    }
    let head = RequestHead(
      method: "GET", target: "/", version: "HTTP/1.1", fields: fields, byteCount: 0)
    let sized = RequestHead(
      method: "GET", target: "/", version: "HTTP/1.1", fields: fields,
      byteCount: head.expectedByteCounts.upperBound)
    #expect(refusal(sized) == .badRequest)
  }

  @Test func `a folded field is noticed by the length of the head`() {
    let length = TestRequests.head("GET", "/", [("x", "ab")]).byteCount
    #expect(
      refusal(TestRequests.head("GET", "/", [("x", "ab")], byteCount: length + 3))
        == .badRequest)
    #expect(
      refusal(TestRequests.head("GET", "/", [("x", "ab")], byteCount: length - 1))
        == .badRequest)
    #expect(refusal(TestRequests.head("GET", "/", [("x", "")], byteCount: length - 3)) == nil)
  }

  @Test(arguments: [
    [("origin", "http://evil.example")], [("origin", "null")], [("sec-fetch-site", "cross-site")],
    [("sec-fetch-site", "same-site")], [("sec-fetch-site", "none")],
    [
      ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"),
      ("sec-fetch-dest", "document"),
    ],
  ])
  func `a request of another page is refused`(fields: [(String, String)]) {
    #expect(
      refusal(TestRequests.head("GET", "/api/service", fields.map { ($0.0, $0.1) }))
        == .forbiddenOrigin)
  }

  @Test func `the page itself can be opened from anywhere, but not embedded`() {
    func kind(_ mode: String, _ destination: String) -> Problem.Kind? {
      refusal(
        TestRequests.head(
          "GET", "/",
          [
            ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", mode),
            ("sec-fetch-dest", destination),
          ]))
    }
    #expect(kind("navigate", "document") == nil)
    #expect(kind("navigate", "iframe") == .forbiddenOrigin)
    #expect(kind("no-cors", "image") == .forbiddenOrigin)
  }

  @Test func `a change without the field of the page is refused`() {
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      #expect(refusal(TestRequests.head(method, "/api/session")) == .forbiddenOrigin)
      #expect(
        refusal(
          TestRequests.head(
            method, "/api/session",
            [("x-photoedit", "1"), ("content-type", "text/plain"), ("content-length", "2")]))
          == .unsupportedType)
    }
    #expect(refusal(TestRequests.head("TRACE", "/")) == .methodNotAllowed)
  }

  @Test func `the body of a refused request is read where its end is certain`() {
    func count(_ fields: [(String, String?)]) -> Int {
      TestRequests.gate.discardedByteCount(TestRequests.head("POST", "/api/session", fields))
    }
    #expect(count([("content-length", "3000000")]) == 3_000_000)
    #expect(count([]) == 0)
    #expect(count([("content-length", "99999999999")]) == 0)
    #expect(count([("content-length", "1"), ("content-length", "2")]) == 0)
    #expect(count([("content-length", "1"), ("transfer-encoding", "chunked")]) == 0)
    #expect(count([("content-length", "3000000"), ("expect", "100-continue")]) == 0)
  }

  @Test func `a file can be larger than other bodies, but only as an upload`() {
    func kind(_ path: String, _ type: String, _ length: Int) -> Problem.Kind? {
      refusal(
        TestRequests.head(
          "PUT", path,
          [("x-photoedit", "1"), ("content-type", type), ("content-length", "\(length)")]))
    }
    let type = "application/octet-stream"
    #expect(kind("/api/uploads/a.jpg", type, 1 << 30) == nil)
    #expect(kind("/api/uploads/a.jpg", type, 5 << 30) == .tooLarge)
    #expect(kind("/api/uploads/a.jpg", "application/json", 10) == .unsupportedType)
    #expect(kind("/api/uploads/a.jpg", "text/plain", 10) == .unsupportedType)
    #expect(kind("/api/presets/a", type, 10) == .unsupportedType)
    #expect(kind("/api/presets/a", "application/json", 1 << 30) == .tooLarge)
  }

  @Test func `large heads and targets are refused`() {
    let long = String(repeating: "a", count: 33 << 10)
    #expect(refusal(TestRequests.head("GET", "/", [("x", long)])) == .headTooLarge)
    #expect(refusal(TestRequests.head("GET", "/" + long.prefix(5000))) == .targetTooLong)
  }

  @Test(arguments: [
    "http://name/", "*", "", "api", "/a%00b", "/%", "/%2", "/%zz", "/a b", "/a\\b",
    "/../etc/passwd", "/web/%2e%2e/x", "/web/..%2fx", "/web/%2E%2E", "/a//b", "/a/", "/a?x=1&x=2",
    "/a#b", "/%ff", "/a%0d%0ax", "/web/a%5cb", "//evil.example/",
  ])
  func `a target that could name something else is refused`(target: String) {
    #expect(refusal(TestRequests.head("GET", target)) == .badRequest)
  }

  @Test(arguments: ["/", "\\"])
  func `a separator with a combining mark is one as well`(separator: Character) {
    let escape = separator == "/" ? "%2F" : "%5C"
    #expect(RequestTarget("/api/presets/..\(escape)%CC%81x") == nil)
    #expect(RequestTarget("/api/presets/..%CC%81x")?.path.last == "..\u{301}x")
  }

  @Test func `a target is decoded once`() {
    let target = RequestTarget("/api/assets/a%2520b%C3%A9?from=1&text=%26x")
    #expect(target?.path == ["api", "assets", "a%20bé"])
    #expect(target?.query == ["from": "1", "text": "&x"])
  }

  @Test func `random heads are accepted or refused, never a crash`() {
    var numbers = SeededNumbers()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &numbers)).map { _ in
        UInt8.random(in: 0...255, using: &numbers)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = RequestTarget("/" + text)
      _ = ByteRange("bytes=" + text, size: 10)
      _ = Cookies.value(of: "a", in: text)
      _ = refusal(TestRequests.head("GET", "/" + text, [("range", text), ("cookie", text)]))
    }
  }
}
