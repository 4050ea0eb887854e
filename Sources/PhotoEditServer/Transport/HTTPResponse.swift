// SPDX-License-Identifier: Apache-2.0

/// The response to a request.
struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file; the server closes the descriptor.
    case file(descriptor: Int32, Range<Int>)
    case stream(any ResponseStream)
    /// Another response, which a function passes on as soon as it exists; no thread waits for it.
    case later(@Sendable (@escaping @Sendable (HTTPResponse) -> Void) -> Void)
  }

  var status: Int
  /// Names and values, in order.
  var fields: [(name: String, value: String)] = []
  var body = Body.bytes([])

  static let noContent = HTTPResponse(status: 204)

  /// Creates a JSON response.
  static func json(
    _ value: JSONValue, status: Int = 200, eTag: String? = nil,
    type: String = "application/json; charset=utf-8"
  ) -> HTTPResponse {
    var response = HTTPResponse(
      status: status, fields: [("Content-Type", type)], body: .bytes(bytes(of: value)))
    if let eTag { response.fields.append(("ETag", "\"\(eTag)\"")) }
    return response
  }

  /// Creates a response with a value and a JPEG, in the format that a browser's
  /// `Response.formData()` reads.
  static func form(
    _ value: JSONValue, named valueName: String, jpeg: [UInt8], named jpegName: String
  ) -> HTTPResponse {
    // No part contains a random boundary.
    let boundary = Secret.random(bits: 128)
    func head(_ name: String, _ fields: String) -> String {
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(fields)\r\n\r\n"
    }
    var bytes = Array(head(valueName, "\r\nContent-Type: application/json").utf8)
    bytes += Self.bytes(of: value)
    bytes += "\r\n".utf8
    bytes += head(jpegName, "; filename=\"\(jpegName).jpg\"\r\nContent-Type: image/jpeg").utf8
    bytes += jpeg
    bytes += "\r\n--\(boundary)--\r\n".utf8
    return HTTPResponse(
      status: 200, fields: [("Content-Type", "multipart/form-data; boundary=\(boundary)")],
      body: .bytes(bytes))
  }

  /// Returns the response with an observer, which is called when the response exists.
  func onceMade(_ observe: @escaping @Sendable (HTTPResponse) -> Void) -> HTTPResponse {
    guard case .later(let make) = body else {
      observe(self)
      return self
    }
    var response = self
    response.body = .later { done in
      make { made in
        observe(made)
        done(made)
      }
    }
    return response
  }

  /// The response with the fields that every response has.
  ///
  /// A response that does not say otherwise is not stored by the browser, so that its disk has no
  /// copies of photos that were purged, or that belong to a login that has ended.
  var secured: HTTPResponse {
    var response = self
    response.fields += Self.securityFields.filter { field in
      !fields.contains { $0.name == field.name }
    }
    return response
  }

  /// Returns the text of a value; those of this server are finite and of limited size.
  static func bytes(of value: JSONValue) -> [UInt8] {
    (try? value.canonicalBytes(limits: resultLimits)) ?? Array("null".utf8)
  }

  /// Returns the entity tag of a value, which another value does not have.
  static func eTag(of value: JSONValue) -> String {
    String(SHA256Digest(of: bytes(of: value)).hex.prefix(32))
  }

  private static let resultLimits = JSONLimits(
    maximumBytes: 256 << 20, maximumStringBytes: 16 << 20, maximumArrayCount: 10_000_000)

  private static let securityFields: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        + "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
      "Permissions-Policy",
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), "
        + "microphone=(), payment=(), usb=()"
    ),
  ]
}
