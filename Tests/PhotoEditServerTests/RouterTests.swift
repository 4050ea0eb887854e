// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Router")
struct RouterTests {
  private let folder = try? TemporaryFolder()

  private func router(isReadOnly: Bool = false) throws -> Router {
    let folder = try #require(folder)
    return try TestRequests.service(
      PhotoFiles(photo: folder.path("photo.jpg")), in: folder.path, isReadOnly: isReadOnly
    ).router
  }

  @Test func `without a session every route but the page and the login is refused`() throws {
    let router = try router()
    for route in router.routes {
      let path = route.template.replacing("{file}", with: "x.js").replacing("{", with: "")
        .replacing("}", with: "")
      let request = try #require(TestRequests.request(route.method, path))
      let status = router.response(to: request, isLoggedIn: false).response.status
      #expect((status == 401) == (route.access == .session), "\(route.method) \(route.template)")
    }
    let unknown = try #require(TestRequests.request("GET", "/api/unknown"))
    #expect(router.response(to: unknown, isLoggedIn: false).response.status == 401)
    #expect(router.response(to: unknown, isLoggedIn: true).response.status == 404)
  }

  @Test func `the page names the scripts of its first screen, each of which exists`() throws {
    let request = try #require(TestRequests.request("GET", "/"))
    let response = try router().response(to: request, isLoggedIn: false).response
    let link = try #require(response.fields.first { $0.name == "Link" }?.value)
    let paths = link.matches(of: /<\/web\/([^>]+)>; rel=modulepreload/).map { String($0.1) }
    #expect(paths == ["js/bundle-common.js", "js/bundle-editor.js", "js/editor/editor.js"])
    for path in paths {
      let script = try #require(TestRequests.request("GET", "/web/" + path))
      #expect(try router().response(to: script, isLoggedIn: false).response.status == 200)
    }
  }

  @Test func `a read-only server has no route that changes photos`() throws {
    let all = try router().routes
    let left = try router(isReadOnly: true).routes
    #expect(all.contains { $0.writes })
    #expect(!left.contains { $0.writes })
    for route in all where ["PUT", "PATCH", "DELETE"].contains(route.method) {
      let keepsState = ["/api/session", "/api/editing/{session}", "/api/views/{view}"]
      #expect(route.writes || keepsState.contains(route.template), "\(route.template)")
    }
  }

  @Test func `another method of a known path is not allowed`() throws {
    let request = try #require(TestRequests.request("PUT", "/api/service"))
    #expect(try router().response(to: request, isLoggedIn: true).response.status == 405)
  }

  @Test func `files of the page are a fixed table`() throws {
    let router = try router()
    func status(_ path: String) throws -> Int {
      let request = try #require(TestRequests.request("GET", path))
      return router.response(to: request, isLoggedIn: false).response.status
    }
    #expect(try status("/") == 200)
    #expect(try status("/web/openapi.json") == 200)
    #expect(try status("/web/Package.swift") == 404)
    #expect(try status("/web/js/missing.js") == 404)
  }

  @Test func `a file that the client has is not sent again`() throws {
    let router = try router()
    let first = try #require(TestRequests.request("GET", "/"))
    let fields = router.response(to: first, isLoggedIn: false).response.fields
    let tag = try #require(fields.first { $0.name == "ETag" }?.value)
    let second = try #require(TestRequests.request("GET", "/", [("if-none-match", tag)]))
    #expect(router.response(to: second, isLoggedIn: false).response.status == 304)
  }

  @Test func `a response that does not say otherwise is not stored`() throws {
    let plain = HTTPResponse(status: 200).secured.fields.filter { $0.name == "Cache-Control" }
    #expect(plain.map(\.value) == ["no-store"])
    let own = HTTPResponse(status: 200, fields: [("Cache-Control", "no-cache")]).secured.fields
    #expect(own.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-cache"])
  }

  @Test func `every response has the security fields and no CORS field`() throws {
    let request = try #require(TestRequests.request())
    let fields = try router().response(to: request, isLoggedIn: false).response.secured.fields
    let names = Set(fields.map { $0.name.lowercased() })
    for name in [
      "content-security-policy", "x-content-type-options", "referrer-policy",
      "cross-origin-opener-policy", "cross-origin-resource-policy", "permissions-policy",
      "cache-control",
    ] { #expect(names.contains(name)) }
    #expect(!names.contains { $0.hasPrefix("access-control") })
    let policy = try #require(fields.first { $0.name == "Content-Security-Policy" }?.value)
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
  }
}
