// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform
import PhotoEditStorage

/// The work of a confined process, for `DecoderProgram.runIfStarted`.
public struct DecoderService: Sendable {
  /// The name by which a process is started.
  package let name: String
  /// Loads all that is needed, since a confined process cannot open files.
  package let load: @Sendable () -> Void
  /// Answers requests, until the other process ends.
  package let serve: @Sendable (inout DecoderSocket) throws(DecoderStop) -> Void

  package init(
    name: String, load: @escaping @Sendable () -> Void,
    serve: @escaping @Sendable (inout DecoderSocket) throws(DecoderStop) -> Void
  ) {
    (self.name, self.load, self.serve) = (name, load, serve)
  }
}

/// The end of a confined process, or of its work for an image.
package enum DecoderStop: Error {
  /// The other process ended, or sent what it would never send.
  case ended
  case refused(CodecError, [DecoderWarning] = [])
}

/// The socket of a confined process.
package struct DecoderSocket {
  private var buffer = [UInt8](repeating: 0, count: DecoderMessage.capacity)

  /// A request of the other process.
  package struct Message {
    package let request: DecoderMessage.Request
    package let picture: Int
    package var fields: DecoderMessageReader
    /// -1 if absent.
    package let descriptors: (first: Int32, second: Int32)
  }

  /// Loads what a service needs, confines this process and serves.
  static func run(_ service: DecoderService, usesLandlock: Bool) -> Never {
    service.load()
    // Is read from files, and kept.
    _ = ThreadGroup.cores
    // Without the thread, an endless computation would outlive the other process.
    guard pe_end_with_socket() == 0 else { exit(EX_OSERR) }
    let confinement = pe_confine(usesLandlock ? 1 : 0)
    var ready = DecoderMessageWriter(.ready, picture: 0)
    ready.write(confinement.has_filter != 0)
    ready.write(Int(confinement.landlock))
    var socket = DecoderSocket()
    do {
      try socket.send(ready)
      try service.serve(&socket)
    } catch {}
    exit(0)
  }

  package func send(_ message: DecoderMessageWriter) throws(DecoderStop) {
    let code = message.bytes.withUnsafeBytes {
      pe_send_message(PE_SANDBOX_SOCKET, $0.baseAddress, $0.count, -1, -1)
    }
    if code != 0 { throw .ended }
  }

  package mutating func receive() throws(DecoderStop) -> Message {
    var descriptors: (first: Int32, second: Int32) = (-1, -1)
    let count = buffer.withUnsafeMutableBytes {
      pe_receive_message(
        PE_SANDBOX_SOCKET, $0.baseAddress, $0.count, &descriptors.first, &descriptors.second)
    }
    guard count > 0 else { throw .ended }
    var fields = DecoderMessageReader(Array(buffer.prefix(count))[...])
    return try Self.known { () throws(CodecError) in
      Message(
        request: try fields.value(), picture: try fields.number(), fields: fields,
        descriptors: descriptors)
    }
  }

  /// Reads from a message, whose fields are those that this version writes.
  package static func known<Value>(
    _ read: () throws(CodecError) -> Value
  ) throws(DecoderStop) -> Value {
    do throws(CodecError) { return try read() } catch { throw .ended }
  }

  /// Attempts the forbidden action of a request.
  package func attempt(_ message: consuming Message) throws(DecoderStop) {
    let index = try Self.known { () throws(CodecError) in try message.fields.number() }
    var answer = DecoderMessageWriter(.attempted, picture: message.picture)
    answer.write(Int(pe_attempt(Int32(clamping: index))))
    try send(answer)
  }
}
