// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPixels
import PhotoEditStorage

/// An image that a process has opened, and the answer with its header.
struct HeldImage {
  /// The size of a file in bytes up to which a process keeps it open while it is idle.
  private static let mostBytes = 1 << 25

  /// The copy of the file; nil if it is no longer used.
  private(set) weak var file: SharedMemory?
  let byteCount: Int
  /// The options with which it was opened, as they were sent.
  let options: [UInt8]
  /// The fields of the answer.
  let header: DecoderMessageReader
  /// Indicates whether the image is decoded, and will be read again.
  var isDecoded = false

  /// Indicates whether an idle process keeps the image.
  var isWorthKeeping: Bool { file != nil && (isDecoded || byteCount <= Self.mostBytes) }
}

extension DecoderProcess {
  /// Opens an image, unless the process still holds it, and returns the answer with its header.
  func open(_ bytes: FileBytes, _ options: DecoderOptions) throws(CodecError)
    -> DecoderMessageReader
  {
    guard let copy = bytes.sharedCopy() else { throw .outOfMemory }
    let sent = DecoderMessageWriter(options).bytes
    if let held, held.file === copy, held.options == sent { return held.header }
    guard send(.open, bytes, copy, options) else { throw .decoderFailed(end()) }
    let answer = try answer(.header, isCancelled: options.isCancelled)
    held = HeldImage(file: copy, byteCount: bytes.count, options: sent, header: answer)
    return answer
  }

  /// Lets the process decode the image that it holds, and returns the memory for its rows.
  ///
  /// - Parameter readsAgain: True if the process should keep the decoded image; see `keep(_:)`.
  func start(_ slots: DecoderSlots, readsAgain: Bool) throws(CodecError) -> MappedSlots {
    held = nil
    let isKept = memory?.slotByteCount == slots.slotByteCount
    var shared: SharedMemory?
    if !isKept {
      shared = SharedMemory(byteCount: slots.slotByteCount * DecoderSlots.count)
      memory = shared.flatMap { MappedSlots($0.descriptor, slotByteCount: slots.slotByteCount) }
    }
    guard let memory else { throw .outOfMemory }
    guard send(.start, [slots.rowsPerSlot, readsAgain ? 1 : 0], with: shared) else {
      throw .decoderFailed(end())
    }
    return memory
  }

  /// Notes that the process still has an image whose rows were all read.
  func keep(_ image: HeldImage?) {
    held = image
    held?.isDecoded = true
  }

  /// Lets the process give up an image that is too large to keep, or whose file is no longer used.
  func letGo() {
    guard let held, !held.isWorthKeeping else { return }
    _ = send(.close)
    self.held = nil
  }

  private func send(
    _ request: DecoderMessage.Request, _ bytes: FileBytes, _ copy: SharedMemory,
    _ options: DecoderOptions, into destination: SharedMemory? = nil
  ) -> Bool {
    begin(memory: options.limits.maximumMemoryBytes, file: bytes.count)
    var message = DecoderMessageWriter(request, picture: picture)
    message.write(bytes.count)
    message.write(options)
    return send(message, copy, destination)
  }

  /// Returns the preview of a raw file and the number of its orientation; nil without one.
  func preview(
    of bytes: FileBytes, _ options: DecoderOptions
  ) throws(CodecError) -> (jpeg: [UInt8], flip: Int)? {
    guard let memory = SharedMemory(byteCount: bytes.count), let copy = bytes.sharedCopy() else {
      throw .outOfMemory
    }
    guard send(.preview, bytes, copy, options, into: memory) else {
      throw .decoderFailed(end())
    }
    var answer = try answer(.extracted, isCancelled: options.isCancelled)
    let count = try answer.number(in: 0...bytes.count)
    let flip = try answer.number()
    guard count > 0 else {
      rest()
      return nil
    }
    guard let mapped = FileBytes(mapping: memory.descriptor, byteCount: count) else {
      throw .outOfMemory
    }
    let jpeg = mapped.array
    rest()
    return (jpeg, flip)
  }

  /// Lets the process attempt a forbidden action; returns the error number, or nil without one.
  func attempt(_ index: Int32) throws(CodecError) -> Int32? {
    guard send(.attempt, [Int(index)]) else { throw .decoderFailed(end()) }
    var answer = try answer(.attempted)
    let code = try answer.number(in: 0...Int(Int32.max))
    return code == 0 ? nil : Int32(code)
  }
}
