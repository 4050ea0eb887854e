// SPDX-License-Identifier: Apache-2.0

/// The tracks of an image sequence, read only to count frames.
///
/// - Source: ISO/IEC 14496-12:2022, 8.3 (tracks), 8.7.3 (sample sizes).
struct HEIFTracks {
  /// Frames of the longest video track; nil if no track states a count.
  private(set) var frameCount: Int?

  private let bytes: UnsafeRawBufferPointer

  /// Further tracks are ignored.
  private static let maximumCount = 256

  init(_ bytes: UnsafeRawBufferPointer, movie: Range<Int>) {
    self.bytes = bytes
    for track in boxes(in: movie) where track.type == "trak" {
      guard let media = box("mdia", in: track.body), let handler = box("hdlr", in: media.body),
        bytes.has(Array("pict".utf8), at: handler.body.lowerBound + 8)
          || bytes.has(Array("vide".utf8), at: handler.body.lowerBound + 8),
        let information = box("minf", in: media.body),
        let table = box("stbl", in: information.body),
        let sizes = box("stsz", in: table.body) ?? box("stz2", in: table.body),
        let count = bytes[sizes.body].unsigned32(at: sizes.body.lowerBound + 8)
      else { continue }
      frameCount = max(frameCount ?? 0, count)
    }
  }

  private func boxes(in range: Range<Int>) -> [Box] {
    var reader = BoxReader(bytes, in: range)
    var found: [Box] = []
    while found.count < Self.maximumCount, let box = try? reader.nextBox() { found.append(box) }
    return found
  }

  private func box(_ type: FourCC, in range: Range<Int>) -> Box? {
    boxes(in: range).first { $0.type == type }
  }
}
