// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditStorage

/// A decoder of packets whose library runs in a confined process.
///
/// A packet is copied to memory that both share, and a frame arrives in such memory, so that each
/// takes one message in both directions. The answers are checked; samples may have any values.
final class ConfinedPacketDecoder: PacketDecoder {
  private let process: DecoderProcess
  private let options: DecoderOptions
  private let size: PixelSize
  private let slots: FrameSlots
  private var packet: SharedBlock?
  /// The earliest and the latest time of all packets.
  private var times: ClosedRange<Int64>?
  /// The answer to the last packet.
  private var received: ReceivedFrame?
  /// Indicates whether the decoder has nothing to deliver.
  private var isHungry = true
  /// Indicates whether the process is used again.
  private var isUsable = true

  /// Opens a decoder; nil if the video is to be decoded in this process.
  init?(
    _ track: VideoTrack, _ settings: FrameDecoder.Settings, _ options: DecoderOptions
  ) throws(VideoError) {
    guard
      let process = try confined({ () throws(CodecError) in
        try DecoderProcess.ready(for: DecoderService.video.name, options)
      })
    else { return nil }
    self.process = process
    self.options = options
    // Larger frames are refused, and must not take more time or memory until then.
    size = PixelSize(
      width: min(max(0, track.width), 1 << 14), height: min(max(0, track.height), 1 << 14))
    slots = FrameSlots()
    process.begin(memory: Self.mostMemory(size, settings.threads), file: 0)
    var message = DecoderMessageWriter(.openVideo, picture: process.picture)
    message.write(track.codec)
    for number in [
      Int(track.tag), track.width, track.height, max(1, settings.threads), Int(track.reordering),
      settings.isHasty ? 1 : 0, settings.isSteady ? 1 : 0, track.setup.count,
    ] { message.write(number) }
    let setup = track.setup.withUnsafeBytes { $0.isEmpty ? nil : SharedMemory(copying: $0) }
    guard process.send(message, setup) else {
      isUsable = false
      throw .decoderFailed(process.end())
    }
    var answer = try wait(for: .openedVideo)
    let (status, reason) = try checked { () throws(CodecError) in
      (Int32(clamping: try answer.number()), try answer.text().printable)
    }
    if status != PE_CODEC_OK {
      isUsable = false
      throw FrameDecoder.opening(status, reason, track)
    }
  }

  deinit {
    if isUsable, process.send(.close) { process.rest() } else { process.end() }
  }

  /// The memory for the frames that a decoder keeps and delays, of more bytes than most have, and
  /// for its threads.
  private static func mostMemory(_ size: PixelSize, _ threads: Int) -> Int {
    let pixels = max(size.pixelCount, 1 << 23)
    return pixels * 6 * 64 + min(max(threads, 1), 1024) << 27
  }

  private func wait(for kind: DecoderMessage.Answer) throws(VideoError) -> DecoderMessageReader {
    do throws(CodecError) {
      return try process.answer(kind, size: size, isCancelled: options.isCancelled)
    } catch {
      isUsable = false
      throw VideoError(confined: error)
    }
  }

  // MARK: Packets and frames

  func send(_ packet: VideoPacket?) throws(VideoError) -> (status: Int32, reason: String) {
    var request = packet.map { VideoDecodingRequest($0) } ?? VideoDecodingRequest(.end)
    var shared: SharedMemory?
    if let packet {
      for time in [packet.presentation, packet.decoding] where time != VideoPacket.noTime {
        times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
      }
      if packet.bytes.count > self.packet?.byteCount ?? -1 {
        var capacity = 1 << 18
        while capacity < packet.bytes.count { capacity *= 2 }
        (shared, request.newPacket) = try FrameSlots.memory(capacity)
        self.packet = request.newPacket
      }
      if let base = packet.bytes.baseAddress {
        self.packet?.base.copyMemory(from: base, byteCount: packet.bytes.count)
      }
    }
    let (origin, received) = try exchange(request, shared)
    guard origin == .receiving else {
      if case .failed(let status, let reason) = received { return (status, reason) }
      return (PE_CODEC_HUNGRY, "")
    }
    self.received = received
    return (PE_CODEC_OK, "")
  }

  func receive() throws(VideoError) -> ReceivedFrame {
    if let received {
      self.received = nil
      return received
    }
    if isHungry { return .hungry }
    return try exchange(VideoDecodingRequest(.receive), nil).received
  }

  /// Sends a request and waits for a frame, for which there may be no memory yet.
  private func exchange(
    _ request: VideoDecodingRequest, _ packet: SharedMemory?
  ) throws(VideoError) -> (origin: VideoDecodingRequest.Origin, received: ReceivedFrame) {
    var request = request
    var shared = packet
    var slot = slots.take()
    defer { slot.map(slots.give) }
    while true {
      request.slot = slot?.index ?? -1
      guard process.send(request.message(process.picture), shared) else {
        isUsable = false
        throw .decoderFailed(process.end())
      }
      var answer = try wait(for: .frame)
      let (origin, status, reason) = try checked { () throws(CodecError) in
        let origin: VideoDecodingRequest.Origin = try answer.value()
        return (origin, Int32(clamping: try answer.number()), try answer.text().printable)
      }
      isHungry = status == PE_CODEC_HUNGRY
      switch status {
      case PE_CODEC_HUNGRY: return (origin, .hungry)
      case PE_CODEC_END where origin == .receiving: return (origin, .end)
      case PE_CODEC_OK where origin == .receiving: break
      default:
        isUsable = false
        return (origin, .failed(status, reason))
      }
      let (facts, shape, isCopied, isHungry) = try checked { () throws(CodecError) in
        let (facts, shape) = try answer.frame()
        return (facts, shape, try answer.flag(), try answer.flag())
      }
      try check(facts)
      var layout = shape
      let byteCount = pe_plane_layout_of(&layout).count
      if isCopied {
        guard let filled = slot, byteCount <= filled.memory.byteCount else { throw refused() }
        slot = nil
        self.isHungry = isHungry
        return (origin, .frame(DecodedFrame(facts, shape, filled, slots)))
      }
      guard request.step != .copy else { throw refused() }
      let (memory, block) = try FrameSlots.memory(byteCount)
      slot = slots.replace(slot, block)
      request = VideoDecodingRequest(.copy)
      request.newSlot = block
      shared = memory
    }
  }

  private func check(_ facts: pe_frame_facts) throws(VideoError) {
    let size = PixelSize(width: Int(facts.width), height: Int(facts.height))
    guard size.pixelCount <= FrameDecoder.mostPixels else {
      isUsable = false
      throw .tooLarge(size, limit: FrameDecoder.mostPixels)
    }
    // Other times could have any values.
    guard facts.presentation == VideoPacket.noTime || times?.contains(facts.presentation) == true
    else { throw refused() }
  }

  /// Reads an answer, which ends the process if it is not valid.
  private func checked<Value>(_ read: () throws(CodecError) -> Value) throws(VideoError) -> Value {
    do throws(CodecError) { return try read() } catch {
      isUsable = false
      throw VideoError(confined: error)
    }
  }

  private func refused() -> VideoError {
    isUsable = false
    return VideoError(confined: DecoderMessageReader.invalid)
  }
}

/// Runs a step of a confined process and converts its error.
private func confined<Value>(
  _ body: () throws(CodecError) -> Value
) throws(VideoError) -> Value {
  do throws(CodecError) { return try body() } catch { throw VideoError(confined: error) }
}

extension String {
  /// The text without what could control a terminal.
  fileprivate var printable: String {
    String(decoding: utf8.prefix(240).map { (32...126).contains($0) ? $0 : 63 }, as: UTF8.self)
  }
}

/// The memory for frames that both processes share: each is reused when its frame is released.
final class FrameSlots: Sendable {
  struct Slot: Sendable {
    let index: Int
    let memory: SharedBlock
  }

  private struct State {
    var free: [Slot] = []
    var count = 0
  }

  private let state = LockedValue(State())

  /// Returns a slot that is not in use.
  func take() -> Slot? { state.withLock { $0.free.popLast() } }

  func give(_ slot: Slot) { state.withLock { $0.free.append(slot) } }

  /// Returns a slot with other memory in place of one that is too small, or a new one.
  func replace(_ slot: Slot?, _ memory: SharedBlock) -> Slot {
    state.withLock { state in
      defer { if slot == nil { state.count += 1 } }
      return Slot(index: slot?.index ?? state.count, memory: memory)
    }
  }

  /// Creates memory of at least some bytes.
  static func memory(_ byteCount: Int) throws(VideoError) -> (SharedMemory, SharedBlock) {
    let size = SharedBlock.rounded(byteCount)
    guard let shared = SharedMemory(byteCount: size),
      let block = SharedBlock(shared.descriptor, byteCount: size)
    else { throw .outOfMemory }
    return (shared, block)
  }
}
