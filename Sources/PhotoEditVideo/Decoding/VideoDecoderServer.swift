// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
public import PhotoEditCodecs
import PhotoEditPlatform
import PhotoEditStorage

extension DecoderService {
  /// The frames of videos, decoded by libavcodec.
  public static let video = DecoderService(
    name: "video", load: { VideoDecoderServer.load() },
    serve: { (socket: inout DecoderSocket) throws(DecoderStop) in
      var server = VideoDecoderServer()
      try server.serve(&socket)
    })
}

/// The confined process that decodes videos: calls libavcodec as the other process requests.
struct VideoDecoderServer {
  /// The reason why libavcodec could not be loaded, which a confined process cannot find out.
  private static let missing = LockedValue<String?>(nil)

  private var decoder: OpaquePointer?
  private var packet: SharedBlock?
  private var slots: [Int: SharedBlock] = [:]
  /// A frame that the other process has no memory for yet.
  private var pending: OpaquePointer?
  /// The result after the last frame, which shows whether packets are needed.
  private var following: Received?
  private var isDraining = false

  private struct Received {
    var status: Int32
    var frame: OpaquePointer?
    var reason: String
  }

  static func load() {
    var failure = pe_codec_failure()
    guard pe_codec_load(&failure) != PE_CODEC_OK else { return }
    missing.withLock { $0 = failure.reason }
  }

  mutating func serve(_ socket: inout DecoderSocket) throws(DecoderStop) {
    while true {
      var message = try socket.receive()
      switch message.request {
      case .openVideo: try socket.send(open(&message))
      case .decodeVideo: try socket.send(decode(&message))
      case .close: reset()
      case .attempt: try socket.attempt(message)
      default: throw .ended
      }
    }
  }

  private mutating func reset() {
    pe_frame_free(pending)
    pe_frame_free(following?.frame)
    pe_decoder_close(decoder)
    self = VideoDecoderServer()
  }

  private mutating func open(
    _ message: inout DecoderSocket.Message
  ) throws(DecoderStop) -> DecoderMessageWriter {
    reset()
    let descriptor = message.descriptors.first
    defer { if descriptor >= 0 { close(descriptor) } }
    var fields = message.fields
    let (codec, numbers) = try DecoderSocket.known { () throws(CodecError) in
      var numbers: [Int] = []
      let codec = try fields.text()
      for _ in 0..<8 { numbers.append(try fields.number()) }
      return (codec, numbers)
    }
    var failure = pe_codec_failure()
    var status = PE_CODEC_OK
    let setup = FileBytes(mapping: descriptor, byteCount: numbers[7])
    decoder = withExtendedLifetime(setup) {
      codec.withCString { codec in
        var settings = pe_decoder_settings(
          codec: codec, tag: UInt32(truncatingIfNeeded: numbers[0]),
          width: Int32(clamping: numbers[1]), height: Int32(clamping: numbers[2]),
          setup: setup?.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
          setup_size: Int32(clamping: setup?.count ?? 0), threads: Int32(clamping: numbers[3]),
          reordering: Int32(clamping: numbers[4]), is_hasty: Int32(clamping: numbers[5]),
          is_steady: Int32(clamping: numbers[6]), most_pixels: Int64(FrameDecoder.mostPixels))
        return pe_decoder_open(&settings, &status, &failure)
      }
    }
    var answer = DecoderMessageWriter(.openedVideo, picture: message.picture)
    answer.write(Int(decoder == nil ? status : PE_CODEC_OK))
    let missing = status == PE_CODEC_MISSING ? Self.missing.withLock { $0 } : nil
    answer.write(missing ?? failure.reason)
    return answer
  }

  private mutating func decode(
    _ message: inout DecoderSocket.Message
  ) throws(DecoderStop) -> DecoderMessageWriter {
    let request = try VideoDecodingRequest(&message)
    if let memory = request.newPacket { packet = memory }
    if let memory = request.newSlot { slots[request.slot] = memory }
    var answer = DecoderMessageWriter(.frame, picture: message.picture)
    guard let decoder else { throw .ended }
    if let status = try send(request, to: decoder, &answer) {
      if status != PE_CODEC_OK { return answer }
    }
    let received: Received
    if request.step == .copy {
      received = Received(status: PE_CODEC_OK, frame: pending, reason: "")
      pending = nil
    } else {
      received = following ?? receive(from: decoder)
      following = nil
    }
    answer.write(VideoDecodingRequest.Origin.receiving.rawValue)
    answer.write(Int(received.status))
    answer.write(received.reason)
    guard received.status == PE_CODEC_OK, let frame = received.frame else { return answer }
    deliver(frame, into: slots[request.slot], from: decoder, &answer)
    return answer
  }

  /// Sends the packet of a request, if it has one; writes the answer if that fails.
  private mutating func send(
    _ request: VideoDecodingRequest, to decoder: OpaquePointer,
    _ answer: inout DecoderMessageWriter
  ) throws(DecoderStop) -> Int32? {
    var failure = pe_codec_failure()
    let status: Int32
    switch request.step {
    case .receive, .copy: return nil
    case .end:
      isDraining = true
      status = pe_decoder_send(decoder, nil, &failure)
    case .send:
      guard let packet, request.byteCount <= packet.byteCount else { throw .ended }
      var plain = pe_codec_packet(
        data: packet.base.assumingMemoryBound(to: UInt8.self),
        size: Int32(clamping: request.byteCount), presentation: Int64(request.presentation),
        decoding: Int64(request.decoding), duration: Int64(request.duration),
        is_key: request.isKey ? 1 : 0)
      status = pe_decoder_send(decoder, &plain, &failure)
    }
    guard status != PE_CODEC_OK else { return status }
    answer.write(VideoDecodingRequest.Origin.sending.rawValue)
    answer.write(Int(status))
    answer.write(failure.reason)
    return status
  }

  private func receive(from decoder: OpaquePointer) -> Received {
    var failure = pe_codec_failure()
    var frame: OpaquePointer?
    var status = pe_decoder_receive(decoder, &frame, &failure)
    if status == PE_CODEC_OK, let found = frame, pe_frame_is_readable(found, &failure) == 0 {
      pe_frame_free(found)
      (status, frame) = (VideoDecodingRequest.unreadable, nil)
    }
    return Received(status: status, frame: frame, reason: failure.reason)
  }

  /// Writes the properties of a frame, and copies its samples if there is memory for them.
  private mutating func deliver(
    _ frame: OpaquePointer, into slot: SharedBlock?, from decoder: OpaquePointer,
    _ answer: inout DecoderMessageWriter
  ) {
    var facts = pe_frame_facts()
    pe_frame_get_facts(frame, &facts)
    var shape = pe_frame_shape()
    pe_frame_get_shape(frame, &shape)
    answer.write(facts, shape)
    let isCopied = pe_plane_layout_of(&shape).count <= slot?.byteCount ?? 0
    if let slot, isCopied {
      pe_frame_copy_planes(frame, &shape, slot.base.assumingMemoryBound(to: UInt8.self))
      pe_frame_free(frame)
      // The same call as the next one of the other process. At the end, it would wait for a frame.
      if !isDraining, following == nil { following = receive(from: decoder) }
      if following?.status == PE_CODEC_HUNGRY {
        following = nil
        answer.write(true)
        answer.write(true)
        return
      }
    } else {
      pending = frame
    }
    answer.write(isCopied)
    answer.write(false)
  }
}
