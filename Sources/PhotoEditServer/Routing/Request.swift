// SPDX-License-Identifier: Apache-2.0

/// A request that a route responds to.
struct Request: Sendable {
  let head: RequestHead
  let target: RequestTarget
  /// The values of the parameters in the path.
  var parameters: [String: String] = [:]
  var body: [UInt8] = []
  /// The file that is the body, instead of bytes.
  var upload: Upload?

  /// Returns a parameter of the path.
  subscript(name: String) -> String { parameters[name] ?? "" }
}
