// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ContainerMetadata {
  /// Reads the metadata of a GIF file.
  init(gif buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    let blocks = try GIFBlocks(buffer, limits: limits)
    self.init()
    xmp = blocks.xmp.map { Array(buffer[$0]) }
    icc = blocks.profile
    comments = blocks.comments.map { String(decoding: $0, as: UTF8.self) }
    if !blocks.isWhole { findings.notice("The GIF has no end block; it is probably truncated.") }
    if blocks.imageCount > 1 {
      findings.reportLoss(
        .frames, "The GIF is animated (\(blocks.imageCount) frames); only the first is kept.")
    }
    if blocks.hasPlainText {
      findings.reportLoss(
        .text, "Text for display by GIF viewers (plain text extension) is left out.")
    }
    if !blocks.unknown.isEmpty {
      let names = blocks.unknown.sorted().prefix(10).joined(separator: ", ")
      findings.reportLoss(.unknownChunks, "The GIF extensions \(names) cannot be stored in a JPEG.")
    }
    if blocks.end < buffer.count, buffer[blocks.end...].contains(where: { $0 != 0 }) {
      let count = buffer.count - blocks.end
      findings.reportLoss(.trailingData, "\(count) trailing bytes after the image are left out.")
    }
  }
}
