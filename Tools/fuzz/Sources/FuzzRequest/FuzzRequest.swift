// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import FuzzSupport
import Glibc

@testable import PhotoEditContainers
@testable import PhotoEditServer
@testable import PhotoEditStorage

/// Sends a request to the server of a folder; none is answered with an internal error.
///
/// An input is a line with method and target, lines with header fields, an empty line, and the body;
/// "{asset}", "{view}" and "{session}" stand for existing ones.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let text = known.reduce(input) { $0.replacing("{\($1.key)}", with: $1.value) }
  let bytes = Array(text.utf8)
  let end = bytes.indices.first { index in
    bytes[index] == 10 && (index + 1 == bytes.count || bytes[index + 1] == 10)
  }
  let head = String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
  let body = end.map { Array(bytes.dropFirst($0 + 2)) } ?? []
  var lines = head.split(separator: "\n", omittingEmptySubsequences: false)
  let words = lines.removeFirst().split(separator: " ", maxSplits: 1)
  guard words.count == 2 else { return 0 }
  var fields = [
    RequestHead.Field(name: "host", value: host), .init(name: "origin", value: "http://" + host),
    .init(name: "content-length", value: "\(body.count)"),
  ]
  for line in lines.prefix(16) {
    let parts = line.split(separator: ":", maxSplits: 1)
    if parts.count == 2 { fields.append(.init(name: "\(parts[0])", value: "\(parts[1])")) }
  }
  let request = RequestHead(
    method: String(words[0]), target: String(words[1]), version: "HTTP/1.1", fields: fields,
    byteCount: count)
  _ = try? gate.admit(request)
  guard let target = RequestTarget(request.target) else { return 0 }
  send(Request(head: request, target: target, body: body))
  return 0
}

private let host = "127.0.0.1:8737"
private let gate = Gate(host: host, origin: "http://" + host)

/// Sends a request, and waits for its response for a while: some are made only after a change.
private func send(_ request: Request) {
  let (response, _) = router.response(to: request, isLoggedIn: true)
  precondition(response.status != 500, "an internal error")
  switch response.body {
  case .later(let make):
    let isMade = DispatchSemaphore(value: 0)
    make { response in
      precondition(response.status != 500, "an internal error")
      isMade.signal()
    }
    _ = isMade.wait(timeout: .now() + .milliseconds(200))
  case .file(let descriptor, _): close(descriptor)
  case .bytes, .stream: break
  }
}

/// The identifiers of an asset, a view with it, and a session that edits it.
private let known: [String: String] = {
  func object(_ method: String, _ path: String, _ body: String = "") -> JSONValue {
    guard let target = RequestTarget(path) else { fatalError(path) }
    let head = RequestHead(
      method: method, target: path, version: "HTTP/1.1",
      fields: [
        .init(name: "host", value: host), .init(name: "content-type", value: "application/json"),
      ],
      byteCount: 0)
    let (response, _) = router.response(
      to: Request(head: head, target: target, body: Array(body.utf8)), isLoggedIn: true)
    guard case .bytes(let bytes) = response.body, let json = try? JSONValue(parsing: bytes) else {
      return .null
    }
    return json
  }
  let view = object("POST", "/api/views", "{}")["view"]?.stringValue ?? ""
  guard case .array(let items)? = object("GET", "/api/views/\(view)/items")["items"],
    let asset = items.first?["id"]?.stringValue
  else { fatalError("no photos") }
  let session = object("POST", "/api/assets/\(asset)/editing")["session"]?.stringValue ?? ""
  return ["asset": asset, "view": view, "session": session]
}()

private let router: Router = {
  do {
    let photos = Scratch.path("photos")
    try FileManager.default.createDirectory(
      at: Scratch.folder.appending(path: "photos"), withIntermediateDirectories: true)
    for name in ["photo-64.jpg", "jpeg-17x1.jpg"] {
      Scratch.write(Scratch.image(name), "photos/" + name)
    }
    let state = Scratch.folder.path
    let service = try WebService(
      PhotoFiles(folder: photos), isReadOnly: false, logins: LoginSessions(cookie: "photoedit"),
      files: StaticFiles(), drafts: Drafts { $0 == "XDG_STATE_HOME" ? state : nil },
      presets: Presets { $0 == "XDG_DATA_HOME" ? state : nil },
      settings: PageSettings { $0 == "XDG_STATE_HOME" ? state : nil },
      uploads: Uploads { $0 == "XDG_STATE_HOME" ? state : nil }, roots: .none)
    return service.router
  } catch {
    fatalError("\(error)")
  }
}()
