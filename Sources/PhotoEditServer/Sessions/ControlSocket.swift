// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
import PhotoEditPlatform

/// A private local socket by which `serve --link` asks a running server for another link.
final class ControlSocket: Sendable {
  private let path: String?
  private let isListening = LockedValue(false)

  /// - Parameter key: The digest of the user and the input.
  init(key: SHA256Digest, _ variable: (String) -> String?) {
    path = PrivateFolder.path(variable).map { $0 + "/" + key.hex.prefix(24) + ".sock" }
  }

  /// Asks the running server for a link.
  func requestLink() throws(CommandFailure) -> String {
    guard let link = try path.flatMap(Self.requestLink) else {
      throw CommandFailure(
        .unavailable, "no server is running for this input",
        hint: "start it: photoedit serve INPUT")
    }
    return link
  }

  /// Asks every running server of the user for a link.
  static func requestLinks(_ variable: (String) -> String?) throws(CommandFailure) -> [String] {
    let folder = PrivateFolder.path(variable)
    let sockets = try folder.map { folder throws(CommandFailure) in
      try ServedInput.naming(folder, FileSystem.names(in: folder))
        .filter { $0.hasSuffix(".sock") }.map { folder + "/" + $0 }
    }
    var links: [String] = []
    for socket in sockets ?? [] {
      if let link = try requestLink(socket) { links.append(link) }
    }
    guard !links.isEmpty else {
      throw CommandFailure(
        .unavailable, "no server is running", hint: "start it: photoedit serve INPUT")
    }
    return links
  }

  /// Returns a link of the server that listens on a socket; nil if none does.
  private static func requestLink(_ path: String) throws(CommandFailure) -> String? {
    let socket = pe_http_connect_local(path)
    guard socket >= 0 else { return nil }
    defer { PhotoEditPlatform.close(socket) }
    var bytes = [UInt8](repeating: 0, count: 512)
    var count = 0
    while count < bytes.count {
      let added = bytes.withUnsafeMutableBytes { buffer in
        read(socket, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      guard added > 0 else { break }
      count += added
    }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.hasSuffix("\n") else {
      throw CommandFailure(.busy, "the server did not respond", hint: "try again")
    }
    return String(text.dropLast())
  }

  /// Answers requests with new links until the server ends.
  func listen(_ link: @escaping @Sendable () -> String) {
    guard let path else { return }
    let other = pe_http_connect_local(path)
    if other >= 0 {
      // Another server of the same input answers.
      PhotoEditPlatform.close(other)
      return
    }
    try? FileSystem.remove(path)
    let socket = pe_http_listen_local(path)
    guard socket >= 0 else { return }
    isListening.withLock { $0 = true }
    _ = ThreadGroup.detach {
      while true {
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, -1) > 0 || errno == EINTR else { return }
        let client = accept(socket, nil, nil)
        guard client >= 0 else {
          usleep(100_000)
          continue
        }
        if pe_http_peer_is_owner(client) != 0 {
          let text = Array((link() + "\n").utf8)
          _ = write(client, text, text.count)
        }
        PhotoEditPlatform.close(client)
      }
    }
  }

  /// Removes the file of the socket.
  func close() {
    if isListening.withLock({ $0 }), let path { try? FileSystem.remove(path) }
  }
}
