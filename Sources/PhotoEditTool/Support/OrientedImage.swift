// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditPixels
import PhotoEditRendering

/// A whole image in memory with the orientation applied; for comparisons, never for renderings.
struct OrientedImage {
  let name: String
  let image: ImageBuffer
  /// The color profile, which is kept but not applied.
  let profile: [UInt8]?
  /// Notices about irregularities of the file.
  let notices: [String]

  /// Decodes a file; "-" is standard input.
  init(
    _ name: String, _ arguments: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let source = try arguments.open(name, environment)
    self.name = name
    profile = source.metadata.icc
    let stored: ImageBuffer
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(
        source.bytes,
        options: DecoderOptions(
          limits: arguments.limits, isLenient: arguments.isLenient,
          isCancelled: { environment.isCancelled }))
      let bytes =
        decoder.header.size.height
        * decoder.header.layout.bytesPerRow(width: decoder.header.size.width)
      try arguments.limits.check(memory: decoder.workingBytes + 2 * bytes)
      stored = try ImageDecoders.decode(decoder)
      notices = decoder.notices.map(\.message)
    } catch .cancelled {
      try environment.checkCancellation()
      throw .cancelled(.interrupted)
    } catch {
      throw CommandFailure(error, input: name)
    }
    image = stored.oriented(source.metadata.orientation)
  }
}

extension ImageBuffer {
  /// Returns the image with the orientation applied.
  func oriented(_ orientation: Orientation) -> ImageBuffer {
    guard orientation != .up else { return self }
    let pixel = layout.bytesPerPixel
    var oriented = ImageBuffer(size: orientation.applied(to: size), layout: layout)
    let (columns, rows) = (oriented.size.width, oriented.size.height)
    bytes.withUnsafeBytes { stored in
      oriented.bytes.withUnsafeMutableBytes { memory in
        var target = 0
        for y in 0..<rows {
          for x in 0..<columns {
            let position = orientation.storedPosition(x: x, y: y, stored: size)
            let source = (position.y * size.width + position.x) * pixel
            for byte in 0..<pixel { memory[target + byte] = stored[source + byte] }
            target += pixel
          }
        }
      }
    }
    return oriented
  }
}
