// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("API description")
struct DescriptionTests {
  private let folder = try? TemporaryFolder()

  private func router(isReadOnly: Bool = false) throws -> Router {
    let folder = try #require(folder)
    return try TestRequests.service(
      PhotoFiles(photo: folder.path("photo.jpg")), in: folder.path, isReadOnly: isReadOnly
    ).router
  }

  @Test func `it has exactly the routes, also those that a read-only server lacks`() throws {
    let routes = try router().routes
    let names = routes.map { $0.method + " " + $0.template }
    #expect(names.count == Set(names).count && names.contains("GET /web/openapi.json"))
    for router in [try router(), try router(isReadOnly: true)] {
      #expect(Set(try DescribedAPI(router).operations.keys) == Set(names))
    }
  }

  @Test func `every field of a route is in it`() throws {
    let router = try router()
    let operations = try DescribedAPI(router).operations
    for route in router.routes {
      let operation = try #require(operations[route.method + " " + route.template])
      let body = operation["requestBody"]["content"]["application/json"]["schema"]
      let members = route.fields.filter { $0.place == .body }.map(\.name)
      #expect(Set(body["properties"].members.keys) == Set(members))
      #expect(members.isEmpty || body["additionalProperties"] == false)
      let parameters = operation["parameters"].elements
      let named = parameters.compactMap { parameter -> String? in
        parameter["in"] == "path" ? nil : parameter["name"].text
      }
      let marker = route.method == "GET" ? [] : ["X-Photoedit"]
      #expect(named == route.fields.filter { $0.place != .body }.map(\.name) + marker)
      for status in route.responses.map(\.status) + route.failures.map(\.status) {
        #expect(operation["responses"]["\(status)"] != nil)
      }
    }
  }

  /// The rules of OpenAPI 3.1 for the objects that the description uses.
  @Test func `it is valid`() throws {
    let described = try DescribedAPI(router())
    #expect(described.document["openapi"] == "3.1.0")
    #expect(described.document["info"]["title"].text != nil)
    #expect(described.document["info"]["version"].text != nil)
    let identifiers = described.operations.values.compactMap { $0["operationId"].text }
    #expect(Set(identifiers).count == described.operations.count)
    for (name, operation) in described.operations {
      let path = try #require(name.split(separator: " ").last)
      let parameters = operation["parameters"].elements
      let keys = parameters.map { "\($0["in"].text ?? "") \($0["name"].text ?? "")" }
      #expect(Set(keys).count == keys.count, "\(name)")
      let templated = path.matches(of: /{([a-z]+)}/).map { String($0.1) }
      let declared = parameters.filter { $0["in"] == "path" && $0["required"] == true }
      #expect(declared.compactMap { $0["name"].text } == templated, "\(name)")
      #expect(parameters.allSatisfy { $0["schema"] != nil }, "\(name)")
      #expect(operation["responses"].members.keys.contains { $0.hasPrefix("2") }, "\(name)")
      for (status, response) in operation["responses"].members {
        #expect(response["description"].text != nil, "\(name) \(status)")
      }
      #expect(operation["summary"].text?.hasSuffix(".") == true, "\(name)")
    }
  }

  @Test func `a default is the initial value of the property`() throws {
    let operation = try #require(DescribedAPI(router()).operations["POST /api/exports"])
    let members = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
    #expect(members["metadata"]["default"] == true && members["version"]["default"] == "current")
    #expect(members["version"]["enum"] == ["original", "current", "all"])
    #expect(members["root"]["default"] == nil)
  }

  @Test func `a client that has the description receives it once`() throws {
    let router = try router()
    let first = try #require(TestRequests.request("GET", "/web/openapi.json"))
    let fields = router.response(to: first, isLoggedIn: false).response.fields
    let tag = try #require(fields.first { $0.name == "ETag" }?.value)
    let again = TestRequests.request("GET", "/web/openapi.json", [("if-none-match", tag)])
    #expect(router.response(to: try #require(again), isLoggedIn: false).response.status == 304)
  }
}
