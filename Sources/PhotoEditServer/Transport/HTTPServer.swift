// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
import PhotoEditPlatform

/// The transport: accepts connections, lets requests through the gate, and sends responses.
///
/// The threads of libmicrohttpd only parse and send; every request is performed on another thread
/// while its connection is suspended.
final class HTTPServer: Sendable {
  /// The largest body of a request without a login: that of a launch code.
  private static let maximumStrangersBody = 4 << 10

  private let gate: Gate
  private let connections: Connections
  private let workers = WorkerPool(limit: 24)
  private let respond: @Sendable (Request) -> HTTPResponse
  private let beginUpload: @Sendable (Request, _ byteCount: Int) throws(Problem) -> Upload
  private let isLoggedIn: @Sendable (RequestHead, _ key: String?) -> Bool
  /// The number of requests that are being performed, or whose responses are being sent.
  private let running = LockedValue(0)
  private let streams = LockedValue<[any ResponseStream]>([])

  /// - Parameters:
  ///   - beginUpload: Returns what receives a file before its contents are read.
  ///   - isLoggedIn: Returns whether a request comes from a browser that has logged in.
  ///   - respond: Returns the response to a request; called on a thread that may block.
  init?(
    gate: Gate,
    beginUpload: @escaping @Sendable (Request, _ byteCount: Int) throws(Problem) -> Upload,
    isLoggedIn: @escaping @Sendable (RequestHead, _ key: String?) -> Bool,
    respond: @escaping @Sendable (Request) -> HTTPResponse
  ) {
    guard let connections = Connections() else { return nil }
    (self.gate, self.connections, self.respond) = (gate, connections, respond)
    (self.beginUpload, self.isLoggedIn) = (beginUpload, isLoggedIn)
  }

  /// Serves a listening socket until a condition holds; returns false if it cannot be served.
  func run(on socket: Int32, until waitForEnd: () -> Void) -> Bool {
    let handlers = pe_http_handlers(
      // Never released: the threads of libmicrohttpd run until the process ends.
      context: Unmanaged.passRetained(self).toOpaque(),
      connection: { context, socket, isOpen in
        let connections = HTTPServer.at(context).connections
        if isOpen != 0 { connections.open(socket) } else { connections.close(socket) }
      },
      received: { context, request in HTTPServer.at(context).receive(request) },
      part: { context, request in HTTPServer.at(context).store(request) },
      perform: { context, request in HTTPServer.at(context).perform(request) },
      ended: { context, request in HTTPServer.at(context).end(request) })
    guard let daemon = pe_http_start(socket, handlers, UInt32(Connections.maximum), 2) else {
      return false
    }
    waitForEnd()
    pe_http_quiesce(daemon)
    // The process ends afterwards, which also closes the connections that still wait.
    let deadline = MonotonicClock.milliseconds + 3000
    while running.withLock({ $0 }) > 0, MonotonicClock.milliseconds < deadline {
      for stream in streams.withLock({ $0 }) { stream.finish() }
      usleep(20_000)
    }
    return true
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> HTTPServer {
    guard let context else { preconditionFailure("the context is set when the server starts") }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }

  /// A request between its headers and the end of its response.
  private final class Pending: Sendable {
    let request: Request
    let stream = LockedValue<(any ResponseStream)?>(nil)
    /// Indicates whether the request was received completely.
    let isRunning = LockedValue(false)
    init(_ request: Request) { self.request = request }
  }

  private func receive(_ raw: OpaquePointer?) {
    guard let raw else { return }
    let head = RequestHead(raw)
    do throws(Problem) {
      let admission = try gate.admit(head)
      let count = admission.bodyByteCount
      let isUser = isLoggedIn(head, admission.target.key)
      guard connections.identify(pe_http_socket(raw), isUser: isUser) else {
        throw Problem(.busy, "too many connections are open")
      }
      guard isUser || count <= Self.maximumStrangersBody else { throw Problem.notLoggedIn }
      connections.begin(count == 0 ? .response : .body(count), on: pe_http_socket(raw))
      var request = Request(head: head, target: admission.target)
      if admission.isUpload { request.upload = try beginUpload(request, count) }
      guard
        (request.upload == nil
          ? pe_http_expect_body(raw, count) : pe_http_expect_parts(raw, count)) != 0
      else {
        request.upload?.discard()
        throw Problem(.busy, "not enough memory for the body")
      }
      let pending = Pending(request)
      pe_http_set_tag(raw, Unmanaged.passRetained(pending).toOpaque())
    } catch {
      let discarded = gate.discardedByteCount(head)
      if discarded > 0 { pe_http_discard_body(raw) }
      connections.begin(
        discarded > 0 ? .body(discarded) : .refusal, on: pe_http_socket(raw))
      var response = error.response
      response.fields.append(("Connection", "close"))
      send(response.secured, to: raw)
    }
  }

  /// Writes a part of a file while the connection is suspended.
  private func store(_ raw: OpaquePointer?) {
    guard let raw, let tag = pe_http_tag(raw) else { return }
    let upload = Unmanaged<Pending>.fromOpaque(tag).takeUnretainedValue().request.upload
    let token = RequestToken(raw)
    workers.perform {
      upload?.write(token.body)
      pe_http_continue(token.raw)
    }
  }

  private func perform(_ raw: OpaquePointer?) {
    guard let raw, let tag = pe_http_tag(raw) else { return }
    connections.begin(.response, on: pe_http_socket(raw))
    let pending = Unmanaged<Pending>.fromOpaque(tag).takeUnretainedValue()
    var request = pending.request
    let token = RequestToken(raw)
    if request.upload == nil { request.body = [UInt8](token.body) }
    pending.isRunning.withLock { $0 = true }
    running.withLock { $0 += 1 }
    workers.perform { [request] in
      // The last part of a file.
      request.upload?.write(token.body)
      self.finish(self.respond(request), pending, token)
    }
  }

  private func finish(_ response: HTTPResponse, _ pending: Pending, _ token: RequestToken) {
    switch response.body {
    case .later(let make): return make { self.finish($0, pending, token) }
    case .stream(let stream):
      pending.stream.withLock { $0 = stream }
      streams.withLock { $0.append(stream) }
    case .bytes, .file: break
    }
    send(response.secured, to: token.raw)
  }

  private func end(_ raw: OpaquePointer?) {
    guard let raw else { return }
    connections.begin(.idle, on: pe_http_socket(raw))
    guard let tag = pe_http_tag(raw) else { return }
    let pending = Unmanaged<Pending>.fromOpaque(tag).takeRetainedValue()
    pending.request.upload?.discard()
    if pending.isRunning.withLock({ $0 }) { running.withLock { $0 -= 1 } }
    guard let stream = pending.stream.withLock({ $0 }) else { return }
    stream.close()
    streams.withLock { $0.removeAll { $0 === stream } }
  }

  /// Returns what the transport reads from; the pending request keeps the stream.
  private static func source(_ stream: any ResponseStream) -> pe_http_stream {
    pe_http_stream(
      context: Unmanaged<AnyObject>.passUnretained(stream).toOpaque(),
      read: { context, buffer, capacity in
        guard let context, let buffer,
          let stream = Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue()
            as? any ResponseStream
        else { return -2 }
        return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
      })
  }

  private func send(_ response: HTTPResponse, to raw: OpaquePointer) {
    let fields = response.fields.flatMap { [strdup($0.name), strdup($0.value)] }
    defer { for field in fields { free(field) } }
    fields.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
      let (status, base, count) = (UInt32(response.status), names.baseAddress, names.count)
      switch response.body {
      case .bytes(let bytes):
        pe_http_respond(raw, status, base, count, bytes, bytes.count)
      case .file(let descriptor, let range):
        pe_http_respond_file(
          raw, status, base, count, descriptor, UInt64(range.lowerBound), UInt64(range.count))
      case .stream(let stream):
        stream.open(raw)
        pe_http_respond_stream(raw, status, base, count, Self.source(stream))
      case .later:
        preconditionFailure("a response that does not exist yet is not sent")
      }
    }
  }
}

/// A request of the transport; it exists until its response has been sent.
private struct RequestToken: @unchecked Sendable {
  // Safe: the C functions that respond may be called by any thread.
  let raw: OpaquePointer
  init(_ raw: OpaquePointer) { self.raw = raw }

  /// The body, or the part of it, that was received.
  var body: UnsafeRawBufferPointer {
    var count = 0
    let bytes = pe_http_body(raw, &count)
    return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
  }
}

extension RequestHead {
  /// Reads the head of a request of the transport.
  fileprivate init(_ raw: OpaquePointer) {
    final class Collector { var fields: [Field] = [] }
    let collector = Collector()
    pe_http_each_header(raw, Unmanaged.passUnretained(collector).toOpaque()) {
      context, name, nameCount, value, valueCount in
      guard let context else { return }
      let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
      func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(
          decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count),
          as: UTF8.self)
      }
      collector.fields.append(
        Field(name: text(name, nameCount).lowercased(), value: text(value, valueCount)))
    }
    self.init(
      method: String(cString: pe_http_method(raw)), target: String(cString: pe_http_target(raw)),
      version: String(cString: pe_http_version(raw)), fields: collector.fields,
      byteCount: pe_http_header_size(raw))
  }
}
