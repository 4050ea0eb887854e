// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

extension HTTPResponse {
  /// The response, or the one that it waits for.
  var made: HTTPResponse {
    guard case .later(let make) = body else { return self }
    let made = LockedValue<HTTPResponse?>(nil)
    make { response in made.change { $0 = response } }
    return made.wait { $0 }
  }
}

/// A browser that has logged in, without a connection.
///
/// Every response is compared with the API description.
struct TestClient {
  private let router: Router
  private let described: DescribedAPI?

  init(_ service: WebService) {
    router = service.router
    described = try? DescribedAPI(router)
  }

  func send(
    _ method: String, _ path: String, _ body: String = "", _ fields: [(String, String?)] = []
  ) throws -> HTTPResponse {
    let request = try #require(TestRequests.request(method, path, fields, body: body))
    let (response, route) = router.response(to: request, isLoggedIn: true)
    let made = response.made
    let difference = try #require(described).difference(made, of: route)
    #expect(difference == nil, "\(method) \(path) differs from its description")
    return made
  }

  func json(_ response: HTTPResponse) throws -> [String: JSONValue] {
    guard case .bytes(let bytes) = response.body,
      case .object(let members) = try JSONValue(
        parsing: bytes, limits: JSONLimits(maximumBytes: 8 << 20))
    else { return [:] }
    return members
  }

  func json(_ method: String, _ path: String, _ body: String = "") throws -> [String: JSONValue] {
    try json(send(method, path, body))
  }
}
