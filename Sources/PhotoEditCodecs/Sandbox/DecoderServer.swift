// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage

/// The confined process: answers requests, one image after another, until the other process ends.
struct DecoderServer {
  /// The errors of libraries that could not be loaded.
  private let missing: [CodecError]
  private var socket: DecoderSocket
  /// The memory for rows, which is kept for the next image.
  private var memory: MappedSlots?

  private typealias Message = DecoderSocket.Message

  /// Decodes the images of a library.
  static func service(_ library: DecoderLibrary) -> DecoderService {
    let missing = LockedValue<[CodecError]>([])
    return DecoderService(
      name: library.rawValue,
      load: {
        let errors = library.load()
        missing.withLock { $0 = errors }
      },
      serve: { (socket: inout DecoderSocket) throws(DecoderStop) in
        var server = DecoderServer(missing: missing.withLock { $0 }, socket: socket)
        var next: Message?
        while true {
          let message: Message
          if let next { message = next } else { message = try server.socket.receive() }
          next = try server.serve(message)
        }
      })
  }

  /// Answers a request; returns another one that arrived instead of one about the image.
  private mutating func serve(_ message: consuming Message) throws(DecoderStop) -> Message? {
    let picture = message.picture
    do throws(DecoderStop) {
      switch message.request {
      case .open: return try decode(message)
      case .preview: try extractPreview(message)
      case .attempt: try socket.attempt(message)
      // Sent before the last answer about the image was read.
      case .release, .close: break
      case .start, .openVideo, .decodeVideo: throw .ended
      }
    } catch .refused(let error, let notices) {
      var answer = DecoderMessageWriter(.failure, picture: picture)
      answer.write(reported(error))
      answer.write(notices)
      try socket.send(answer)
    }
    return nil
  }

  /// The error with the reason why a library is missing, which a confined process cannot find out.
  private func reported(_ error: CodecError) -> CodecError {
    guard case .libraryMissing(_, let package, _) = error else { return error }
    for missing in missing {
      if case .libraryMissing(_, package, _) = missing { return missing }
    }
    return error
  }

  /// Maps the file of a request and reads the options.
  private func file(
    of message: inout Message
  ) throws(DecoderStop) -> (bytes: FileBytes, options: DecoderOptions) {
    defer { close(message.descriptors.first) }
    let (count, options) = try DecoderSocket.known { () throws(CodecError) in
      (try message.fields.number(), try message.fields.options())
    }
    guard let bytes = FileBytes(mapping: message.descriptors.first, byteCount: count) else {
      throw .refused(.outOfMemory)
    }
    return (bytes, options)
  }

  private mutating func decode(_ message: consuming Message) throws(DecoderStop) -> Message? {
    let picture = message.picture
    let (bytes, options) = try file(of: &message)
    let decoder: any ImageDecoder
    do throws(CodecError) {
      decoder = try ImageDecoders.openHere(
        bytes, of: ImageFormat.detect(bytes.buffer), options: options)
    } catch {
      throw .refused(error)
    }
    var answer = DecoderMessageWriter(.header, picture: picture)
    answer.write(decoder.header)
    answer.write(decoder.workingBytes)
    answer.write(decoder.heldBytes)
    answer.write(decoder.notices)
    try socket.send(answer)

    while true {
      var start = try socket.receive()
      // Sent before the last answer of an earlier reading was read.
      if start.request == .release { continue }
      // Nothing but the header was needed, or nothing more.
      guard start.request == .start else { return start }
      let (slots, readsAgain) = try DecoderSocket.known { () throws(CodecError) in
        (
          DecoderSlots(rowsPerSlot: try start.fields.number(), bytesPerRow: decoder.bytesPerRow),
          try start.fields.flag()
        )
      }
      if start.descriptors.first >= 0 {
        memory = MappedSlots(start.descriptors.first, slotByteCount: slots.slotByteCount)
        close(start.descriptors.first)
      }
      guard let memory else { throw .refused(.outOfMemory) }
      guard try decodeRows(of: decoder, readsAgain, into: memory, slots, picture) else {
        return nil
      }
    }
  }

  /// Delivers all rows of an image; returns true if they can be delivered again.
  private mutating func decodeRows(
    of decoder: any ImageDecoder, _ readsAgain: Bool, into memory: MappedSlots,
    _ slots: DecoderSlots, _ picture: Int
  ) throws(DecoderStop) -> Bool {
    let height = decoder.header.size.height
    var (row, used, released) = (0, 0, 0)
    var isKept = false
    while row < height {
      while used - released == DecoderSlots.count {
        var message = try socket.receive()
        guard message.request == .release else { throw .ended }
        released = try DecoderSocket.known { () throws(CodecError) in try message.fields.number() }
      }
      let rows = min(slots.rowsPerSlot, height - row)
      let base = memory.base(of: used, rows: rows, slots)
      // A decoder that leaves out samples must not show those of an earlier image.
      if used < DecoderSlots.count { memset(base, 0, rows * slots.bytesPerRow) }
      do throws(CodecError) {
        let written = try decoder.readRows(rows, into: base, bytesPerRow: slots.bytesPerRow)
        guard written == rows else { throw .damaged("image has too few rows", rows: height) }
      } catch {
        throw .refused(error, decoder.notices)
      }
      (row, used) = (row + rows, used + 1)
      var answer = DecoderMessageWriter(row == height ? .finished : .rows, picture: picture)
      answer.write(row)
      if row == height {
        isKept = readsAgain && (decoder as? any WholeImageDecoder)?.startOver() == true
        answer.write(isKept)
        answer.write(decoder.notices)
      }
      try socket.send(answer)
    }
    return isKept
  }

  private func extractPreview(_ message: consuming Message) throws(DecoderStop) {
    let picture = message.picture
    let destination = message.descriptors.second
    defer { close(destination) }
    let (bytes, options) = try file(of: &message)
    var answer = DecoderMessageWriter(.extracted, picture: picture)
    #if RAW
      // It is a part of the file, so it has not more bytes.
      if let found = RawPreview.storedHere(in: bytes, limits: options.limits),
        found.jpeg.count <= bytes.count,
        let memory = pe_map_memory(destination, bytes.count, 1)
      {
        defer { pe_unmap_memory(memory, bytes.count) }
        UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: found.jpeg)
        answer.write(found.jpeg.count)
        answer.write(found.flip)
        return try socket.send(answer)
      }
    #endif
    answer.write(0)
    answer.write(0)
    try socket.send(answer)
  }
}
