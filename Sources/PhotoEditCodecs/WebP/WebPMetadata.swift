// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ContainerMetadata {
  /// Reads the metadata of a WebP file.
  init(webP buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    let chunks = WebPChunks(buffer)
    let ranges = [chunks.profile, chunks.exif, chunks.xmp].compactMap { $0 }
    guard ranges.reduce(0, { $0 + $1.count }) <= limits.maximumMetadataBytes else {
      throw .tooManyBytes(limit: limits.maximumMetadataBytes)
    }
    self.init()
    icc = chunks.profile.map { Array(buffer[$0]) }
    xmp = chunks.xmp.map { Array(buffer[$0]) }
    exif = chunks.exif.map { range in
      let bytes = Array(buffer[range])
      // Some writers include the prefix that EXIF has in a JPEG.
      return bytes.has(JPEGSegment.Signature.exif, at: 0)
        ? Array(bytes.dropFirst(JPEGSegment.exifPrefixCount)) : bytes
    }
    note(chunks)
    if chunks.end < buffer.count {
      let count = buffer.count - chunks.end
      findings.reportLoss(.trailingData, "\(count) trailing bytes after the image are left out.")
    }
  }

  private mutating func note(_ chunks: WebPChunks) {
    if chunks.isTruncated { findings.notice("The WebP file is shorter than its chunk sizes.") }
    if !chunks.repeated.isEmpty {
      let names = chunks.repeated.sorted().joined(separator: ", ")
      findings.notice("The WebP file has duplicate chunks (\(names)); the first of each is used.")
    }
    if !chunks.unknown.isEmpty {
      let names = chunks.unknown.sorted().prefix(10).joined(separator: ", ")
      findings.reportLoss(.unknownChunks, "The WebP chunks \(names) cannot be stored in a JPEG.")
    }
    if chunks.frameCount > 1 {
      findings.reportLoss(
        .frames, "The WebP is animated (\(chunks.frameCount) frames); only the first is kept.")
    }
  }
}
