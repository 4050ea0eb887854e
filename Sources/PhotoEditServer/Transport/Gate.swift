// SPDX-License-Identifier: Apache-2.0

/// The checks that every request passes before its body is read and before any route sees it.
///
/// libmicrohttpd accepts messages that other programs could read differently; these are refused
/// here, as are requests that a page of another origin can cause.
struct Gate: Sendable {
  /// The largest size of a request line with its header fields.
  static let maximumHeadBytes = 32 << 10
  /// The largest size of a request target.
  static let maximumTargetBytes = 4 << 10
  /// The largest JSON body: the limit of a graph, and what surrounds it.
  static let maximumBodyBytes = 2 << 20 + 64 << 10
  /// The largest body of a refused request that is read, so that the client gets the response.
  static let maximumDiscardedBytes = 16 << 20
  /// The methods that change nothing.
  static let safeMethods: Set = ["GET", "HEAD"]
  private static let methods = safeMethods.union(["POST", "PUT", "PATCH", "DELETE"])

  /// The value that the Host field must have.
  let host: String
  /// The value that the Origin field must have, if it is present.
  let origin: String

  /// A request that passed the gate.
  struct Admission: Sendable {
    let target: RequestTarget
    /// The length of the body that follows.
    let bodyByteCount: Int
    /// Indicates whether the body is a file, which is not kept in memory.
    let isUpload: Bool
  }

  /// Checks a request; its body has not been read yet.
  ///
  /// - Throws: The response; the connection is closed after it.
  func admit(_ head: RequestHead) throws(Problem) -> Admission {
    try checkForm(head)
    try checkHost(head)
    guard let target = RequestTarget(head.target) else {
      throw Problem(.badRequest, "the request target is invalid")
    }
    try checkOrigin(head, target)
    let isUpload = head.method == "PUT" && target.path.starts(with: ["api", "uploads"])
    let count = try bodyByteCount(
      head, maximum: isUpload ? Uploads.maximumBytes : Self.maximumBodyBytes)
    if !Self.safeMethods.contains(head.method) {
      try checkWrite(
        head, bodyByteCount: count,
        type: isUpload ? "application/octet-stream" : "application/json")
    }
    return Admission(target: target, bodyByteCount: count, isUpload: isUpload)
  }

  /// Refuses messages that can be read in several ways.
  private func checkForm(_ head: RequestHead) throws(Problem) {
    guard head.byteCount <= Self.maximumHeadBytes else {
      throw Problem(.headTooLarge, "the header fields exceed \(Self.maximumHeadBytes) bytes")
    }
    guard head.target.utf8.count <= Self.maximumTargetBytes else {
      throw Problem(.targetTooLong, "the request target exceeds \(Self.maximumTargetBytes) bytes")
    }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(head.version) else {
      throw Problem(.badRequest, "the HTTP version is not supported")
    }
    guard Self.methods.contains(head.method) else {
      throw Problem(.methodNotAllowed, "the method is not supported")
    }
    guard head.expectedByteCounts.contains(head.byteCount) else {
      throw Problem(.badRequest, "a header field is folded or surrounded by whitespace")
    }
    for field in head.fields {
      guard Self.isToken(field.name),
        field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 })
      else { throw Problem(.badRequest, "a header field contains invalid characters") }
    }
    for name in ["host", "content-length", "origin", "cookie", "content-type", "if-match", "range"]
    where head.values(of: name).count > 1 {
      throw Problem(.badRequest, "the header field \(name) occurs more than once")
    }
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  private func checkHost(_ head: RequestHead) throws(Problem) {
    guard let found = head["host"] else {
      throw Problem(.badRequest, "the header field host is missing")
    }
    guard found == host else {
      throw Problem(.forbiddenHost, "the host is not a name of this server")
    }
  }

  /// Refuses requests that pages of other origins cause; a navigation to the page is allowed.
  private func checkOrigin(_ head: RequestHead, _ target: RequestTarget) throws(Problem) {
    if let found = head["origin"], found != origin {
      throw Problem(.forbiddenOrigin, "requests from other origins are rejected")
    }
    let sites = head.values(of: "sec-fetch-site")
    guard sites.count <= 1 else {
      throw Problem(.badRequest, "the header field sec-fetch-site occurs more than once")
    }
    guard let site = sites.first, site != "same-origin" else { return }
    let isNavigation =
      head["sec-fetch-dest"] == "document" && head["sec-fetch-mode"] == "navigate"
    guard target.path.isEmpty, Self.safeMethods.contains(head.method),
      site == "none" || isNavigation
    else { throw Problem(.forbiddenOrigin, "requests from other origins are rejected") }
  }

  private func bodyByteCount(_ head: RequestHead, maximum: Int) throws(Problem) -> Int {
    let length = head["content-length"]
    if !head.values(of: "transfer-encoding").isEmpty {
      guard length == nil else {
        throw Problem(.badRequest, "the length of the body is specified in two ways")
      }
      throw Problem(.lengthRequired, "the length of the body is not specified")
    }
    guard let length else { return 0 }
    guard let count = Self.number(length) else {
      throw Problem(.badRequest, "the header field content-length is not a number")
    }
    guard count <= maximum else {
      throw Problem(.tooLarge, "the body exceeds \(maximum) bytes")
    }
    return count
  }

  private static func number(_ length: String) -> Int? {
    guard !length.isEmpty, length.utf8.count <= 15,
      length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(length)
  }

  /// The length of the body of a refused request that is read before its response.
  ///
  /// It is 0 where the end of the message is uncertain, where the body is too long, and where the
  /// client waits for permission to send it.
  func discardedByteCount(_ head: RequestHead) -> Int {
    let lengths = head.values(of: "content-length")
    guard lengths.count == 1, let count = Self.number(lengths[0]),
      count <= Self.maximumDiscardedBytes, head.values(of: "transfer-encoding").isEmpty,
      head.values(of: "expect").isEmpty
    else { return 0 }
    return count
  }

  /// Refuses changes that a form or a navigation could request.
  private func checkWrite(
    _ head: RequestHead, bodyByteCount: Int, type expected: String
  ) throws(Problem) {
    guard head["x-photoedit"] == "1" else {
      throw Problem(.forbiddenOrigin, "the header field x-photoedit is missing")
    }
    guard bodyByteCount > 0 else { return }
    let type = head["content-type"]?.split(separator: ";").first.map { $0.lowercased() }
    guard type == expected else {
      throw Problem(.unsupportedType, "the body is not \(expected)")
    }
  }
}
