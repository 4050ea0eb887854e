// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditPixels

/// A frame from the decoder; its memory is returned to the decoder with the last reference.
final class DecodedFrame: @unchecked Sendable {
  // Safe: nothing writes to the frame after `init`.
  let handle: OpaquePointer
  let facts: pe_frame_facts

  /// Takes ownership of a frame.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    var facts = pe_frame_facts()
    pe_frame_get_facts(handle, &facts)
    self.facts = facts
  }

  deinit { pe_frame_free(handle) }

  var size: PixelSize { PixelSize(width: Int(facts.width), height: Int(facts.height)) }

  /// Converts rows to RGB; each row consists of consecutive planes of floats.
  func read(
    _ rows: Range<Int>, _ color: FrameColor, into memory: UnsafeMutableRawPointer
  ) throws(VideoError) {
    var code = color.code
    let status = pe_frame_read(
      handle, &code, Int32(rows.lowerBound), Int32(rows.count),
      memory.assumingMemoryBound(to: Float.self))
    if status != PE_CODEC_OK { throw .outOfMemory }
  }
}
