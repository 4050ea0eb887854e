// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditPlatform
import PhotoEditStorage

/// A request for the next frame.
struct VideoDecodingRequest {
  /// The call that comes before a frame is received.
  enum Step: Int {
    case receive, send, end
    /// Nothing is received: the last frame is copied, for which there was no memory.
    case copy
  }

  /// The call that an answer is about.
  enum Origin: Int { case sending, receiving }

  /// The status of a frame of a format that cannot be converted; the reason is its name.
  static let unreadable: Int32 = -100

  var step = Step.receive
  /// The packet in the memory for packets.
  var byteCount = 0
  var (presentation, decoding, duration) = (0, 0, 0)
  var isKey = false
  /// The number of the memory for the frame; -1 without memory.
  var slot = -1
  /// Memory that is used from now on; nil for that of an earlier request.
  var newPacket: SharedBlock?
  var newSlot: SharedBlock?

  init(_ step: Step) { self.step = step }

  init(_ packet: VideoPacket) {
    step = .send
    byteCount = packet.bytes.count
    (presentation, decoding) = (Int(packet.presentation), Int(packet.decoding))
    (duration, isKey) = (Int(packet.duration), packet.isKey)
  }

  func message(_ number: Int) -> DecoderMessageWriter {
    var message = DecoderMessageWriter(.decodeVideo, picture: number)
    for number in [
      step.rawValue, byteCount, presentation, decoding, duration, isKey ? 1 : 0, slot,
      newPacket?.byteCount ?? 0, newSlot?.byteCount ?? 0,
    ] { message.write(number) }
    return message
  }

  /// Reads a request in the confined process; the descriptors are that of a packet, then of a slot.
  init(_ message: inout DecoderSocket.Message) throws(DecoderStop) {
    var fields = message.fields
    let numbers = try DecoderSocket.known { () throws(CodecError) in
      var numbers: [Int] = []
      for _ in 0..<9 { numbers.append(try fields.number()) }
      return numbers
    }
    var descriptors = [message.descriptors.first, message.descriptors.second].filter { $0 >= 0 }
    defer { for descriptor in descriptors { close(descriptor) } }
    guard let step = Step(rawValue: numbers[0]) else { throw .ended }
    self.step = step
    byteCount = numbers[1]
    (presentation, decoding, duration) = (numbers[2], numbers[3], numbers[4])
    (isKey, slot) = (numbers[5] != 0, numbers[6])
    func map(_ byteCount: Int) throws(DecoderStop) -> SharedBlock? {
      guard byteCount > 0 else { return nil }
      guard let first = descriptors.first, let memory = SharedBlock(first, byteCount: byteCount)
      else { throw .ended }
      close(descriptors.removeFirst())
      return memory
    }
    newPacket = try map(numbers[7])
    newSlot = try map(numbers[8])
  }
}

extension DecoderMessageWriter {
  mutating func write(_ facts: pe_frame_facts, _ shape: pe_frame_shape) {
    for number in [
      facts.width, facts.height, facts.bits, facts.chroma_shift_x, facts.chroma_shift_y,
      facts.is_gray, facts.is_rgb, facts.has_alpha, facts.is_interlaced != 0 ? 1 : 0,
      facts.is_key != 0 ? 1 : 0, facts.is_damaged, facts.pixel_numerator, facts.pixel_denominator,
      facts.color.primaries,
      facts.color.transfer, facts.color.matrix, facts.color.is_full_range,
      facts.color.chroma_location, shape.components, shape.is_rgb, shape.bits.0, shape.bits.1,
      shape.bits.2, shape.bytes.0, shape.bytes.1, shape.bytes.2,
    ] { write(Int(number)) }
    write(Int(facts.presentation))
  }
}

extension DecoderMessageReader {
  /// Reads the properties of a frame, which have values with which it can be read.
  mutating func frame() throws(CodecError) -> (facts: pe_frame_facts, shape: pe_frame_shape) {
    func number(_ range: ClosedRange<Int>) throws(CodecError) -> Int32 {
      Int32(clamping: try self.number(in: range))
    }
    let (sides, bits, code) = (1...Int(Int32.max), 0...16, 0...255)
    let any = Int(Int32.min)...Int(Int32.max)
    var facts = pe_frame_facts()
    facts.width = try number(sides)
    facts.height = try number(sides)
    facts.bits = try number(bits)
    facts.chroma_shift_x = try number(0...3)
    facts.chroma_shift_y = try number(0...3)
    facts.is_gray = try number(0...1)
    facts.is_rgb = try number(0...1)
    facts.has_alpha = try number(0...1)
    facts.is_interlaced = try number(0...1)
    facts.is_key = try number(0...1)
    facts.is_damaged = try number(0...1)
    facts.pixel_numerator = try number(any)
    facts.pixel_denominator = try number(any)
    facts.color.primaries = try number(code)
    facts.color.transfer = try number(code)
    facts.color.matrix = try number(code)
    facts.color.is_full_range = try number(0...1)
    facts.color.chroma_location = try number(code)
    var shape = pe_frame_shape()
    (shape.width, shape.height) = (facts.width, facts.height)
    shape.components = try number(1...3)
    guard shape.components != 2 else { throw Self.invalid }
    shape.is_rgb = try number(0...1)
    (shape.chroma_shift_x, shape.chroma_shift_y) = (facts.chroma_shift_x, facts.chroma_shift_y)
    shape.bits = (try number(bits), try number(bits), try number(bits))
    let bytes = (try number(0...2), try number(0...2), try number(0...2))
    // Components that a frame does not have have no size.
    guard bytes.0 > 0, shape.components == 1 || (bytes.1 > 0 && bytes.2 > 0) else {
      throw Self.invalid
    }
    shape.bytes = bytes
    facts.presentation = Int64(try self.number())
    return (facts, shape)
  }
}
