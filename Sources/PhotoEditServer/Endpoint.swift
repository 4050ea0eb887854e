// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
import PhotoEditPlatform
import PhotoEditServeArguments

/// The address at which a server listens, and the one that browsers use.
struct Endpoint: Sendable {
  /// The number of ports that are tried.
  private static let attempts = 50

  let socket: Int32
  /// The value of the Host field, and the origin.
  let host: String
  let origin: String
  /// Indicates whether a reverse proxy forwards requests.
  let isProxied: Bool
  /// Indicates whether browsers use TLS.
  let isSecure: Bool
  /// The name of the cookie of logins.
  let cookie: String
  /// The path of a local socket.
  private let path: String?

  /// Begins to listen.
  init(_ arguments: ServeArguments) throws(CommandFailure) {
    path = arguments.socket
    isProxied = arguments.listen != nil || arguments.socket != nil
    guard isProxied == (arguments.origin != nil) else {
      throw isProxied
        ? .usage("--origin: missing", hint: "name the address of the reverse proxy: https://name")
        : .usage("--origin: needs --listen or --socket", hint: "omit it")
    }
    if let text = arguments.origin {
      guard let authority = Self.authority(of: text) else {
        throw .usage("--origin: '\(text)' is not an origin", hint: "use the form https://NAME")
      }
      isSecure = text.lowercased().hasPrefix("https:")
      (origin, host) = ((isSecure ? "https://" : "http://") + authority, authority)
      cookie = isSecure ? "__Host-photoedit" : "photoedit"
      socket = try Self.proxiedSocket(arguments)
      return
    }
    let address = arguments.address ?? Self.randomLoopbackAddress()
    guard Self.isLoopback(address) else {
      throw .usage(
        "--address: '\(address)' is not a loopback address",
        hint: "use one of 127.0.0.0/8, or --listen with a reverse proxy")
    }
    (socket, host) = try Self.listen(address, arguments.port)
    origin = "http://" + host
    isSecure = false
    // Cookies do not distinguish ports, so that names must.
    cookie = "photoedit-\(pe_http_port(socket))"
  }

  /// Removes the file of a local socket.
  func close() {
    if let path { try? FileSystem.remove(path) }
  }

  private static func listen(
    _ address: String, _ port: Int
  ) throws(CommandFailure) -> (Int32, host: String) {
    for candidate in port...min(65535, port == 0 ? 0 : port + attempts - 1) {
      let socket = pe_http_listen(address, UInt16(candidate))
      if socket >= 0 {
        let number = pe_http_port(socket)
        return (socket, "\(address):\(number)")
      }
      guard errno == EADDRINUSE else { break }
    }
    throw CommandFailure(
      .unavailable, "\(address):\(port): cannot listen: \(String(cString: strerror(errno)))",
      hint: "use --port 0 for any free port, or --address 127.0.0.1")
  }

  private static func proxiedSocket(_ arguments: ServeArguments) throws(CommandFailure) -> Int32 {
    let (name, socket): (String, Int32)
    if let path = arguments.socket {
      (name, socket) = (path, pe_http_listen_local(path))
    } else {
      name = arguments.listen ?? ""
      let sides = name.split(separator: ":", omittingEmptySubsequences: false)
      guard sides.count >= 2, let port = UInt16(sides[sides.count - 1]) else {
        throw .usage(
          "--listen: '\(name)' is not ADDRESS:PORT", hint: "use an address like 192.0.2.1:8737")
      }
      var address = sides.dropLast().joined(separator: ":")
      if address.hasPrefix("["), address.hasSuffix("]") {
        address = String(address.dropFirst().dropLast())
      }
      socket = pe_http_listen(address, port)
    }
    guard socket >= 0 else {
      throw CommandFailure(
        .unavailable, "\(name): cannot listen: \(String(cString: strerror(errno)))",
        hint: "choose another address or path")
    }
    return socket
  }

  /// Returns a loopback address, another one at every start.
  ///
  /// With an address of its own, a server shares no cookies with other local servers. Since the
  /// address is not used again, nothing that another user's server has left in a browser, such as a
  /// service worker or a cached script, belongs to it.
  static func randomLoopbackAddress() -> String {
    var generator = SystemRandomNumberGenerator()
    func part(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    return "127.\(part(1...254)).\(part(0...255)).\(part(1...254))"
  }

  static func isLoopback(_ address: String) -> Bool {
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
      }
  }

  /// Returns the name and the port of an origin, as browsers send them: without the default port;
  /// nil if text is not an origin.
  static func authority(of origin: String) -> String? {
    let text = origin.lowercased()
    let schemes = [("https://", ":443"), ("http://", ":80")]
    guard let (scheme, port) = schemes.first(where: { text.hasPrefix($0.0) }) else { return nil }
    var authority = text.dropFirst(scheme.count)
    if authority.hasSuffix(port) { authority = authority.dropLast(port.count) }
    let isPlain = authority.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || ".-:[]".utf8.contains(byte)
    }
    return authority.isEmpty || !isPlain ? nil : String(authority)
  }
}
