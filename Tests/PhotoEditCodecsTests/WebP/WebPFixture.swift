// SPDX-License-Identifier: Apache-2.0
import CPhotoEditImageWriters
import PhotoEditPixels

/// Writes WebP files: bitstreams by libwebp, chunks by hand.
enum WebPFixture {
  /// A simple file; lossless unless a quality is given.
  static func simple(_ image: ImageBuffer, quality: Float = -1) -> [UInt8] {
    let encoded = image.bytes.withUnsafeBufferPointer { rows in
      encodedBytes { count in
        pe_writer_encode_webp(
          rows.baseAddress, UInt32(image.size.width), UInt32(image.size.height),
          image.layout.channels == .rgba ? 1 : 0, quality, count)
      }
    }
    return encoded ?? []
  }

  /// The chunks of the bitstream of a file: "VP8L", or "ALPH" and "VP8 ".
  static func bitstream(_ file: [UInt8]) -> [UInt8] {
    let isExtended = file[12..<16].elementsEqual("VP8X".utf8)
    return Array(file[(isExtended ? 30 : 12)...])
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
  }

  static func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  /// An extended file; flags: 0x20 profile, 0x10 alpha, 8 EXIF, 4 XMP, 2 animation.
  static func extended(
    _ canvas: PixelSize, flags: UInt8, _ chunks: [[UInt8]]
  ) -> [UInt8] {
    let head = [flags, 0, 0, 0] + little(canvas.width - 1, 3) + little(canvas.height - 1, 3)
    return riff(chunk("VP8X", head) + chunks.flatMap { $0 })
  }

  /// One frame of an animation.
  static func frame(_ image: ImageBuffer, x: Int, y: Int, quality: Float = -1) -> [UInt8] {
    let offset = little(x / 2, 3) + little(y / 2, 3)
    let size = little(image.size.width - 1, 3) + little(image.size.height - 1, 3)
    let bits = bitstream(simple(image, quality: quality))
    return chunk("ANMF", offset + size + little(100, 3) + [0] + bits)
  }
}
