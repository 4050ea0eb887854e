// SPDX-License-Identifier: Apache-2.0

/// Writes small QuickTime and MPEG-4 files box by box, valid or with chosen defects.
struct MovieBuilder {
  /// One track; all samples have the same duration.
  struct Track {
    var handler = "vide"
    var codec = "jpeg"
    var samples: [[UInt8]] = (0..<5).map { sample($0, 200 + 10 * $0) }
    var timescale = 600
    var sampleDuration = 60
    /// The duration of the last sample; nil for that of the others.
    var lastDuration: Int?
    /// The matrix elements a b c d in whole numbers.
    var matrix = [1, 0, 0, 1]
    /// Duration in movie timescale units and media start.
    var edits: [(duration: Int, start: Int)] = []
    var language: UInt16 = 0x55c4
    var descriptions = 1
    var isSelfContained = true
    /// A size for `stsz` in place of the list.
    var fixedSize: Int?
    var userData: [UInt8] = []
    /// The end of the sample entry of a video or data track.
    var entryTail: [UInt8] = []
    /// Sync samples, from 0; nil if all are.
    var syncs: [Int]?
    /// Composition offsets in timescale units, one per sample; nil if all are 0.
    var compositions: [Int]?
    /// The number of samples in each chunk.
    var samplesPerChunk = Int.max
    /// The kind of reference and the track's number.
    var references: [(kind: String, track: Int)] = []

    static let videoStream = Track()
    static let audio = Track(
      handler: "soun", codec: "sowt", samples: [sample(9, 4 * 2048)], timescale: 4096,
      sampleDuration: 1, fixedSize: 4)

    var count: Int { fixedSize.map { samples[0].count / $0 } ?? samples.count }
    var duration: Int { count * sampleDuration }
  }

  /// The brand of the first box; nil omits the box.
  var brand: String? = "isom"
  var tracks = [Track.videoStream, Track.audio]
  var timescale = 1000
  var tags: [(key: String, value: String)] = []
  var isHeaderFirst = false
  /// Boxes between the movie's header and its tracks.
  var boxesBeforeTracks: [UInt8] = []
  var extraBoxes: [UInt8] = []

  /// The method by which a movie becomes QuickTime.
  enum Method: String, CaseIterable {
    /// The movie is QuickTime already.
    case copy
    /// MPEG-4 whose boxes are copied.
    case boxes
    /// MPEG-4 remuxed through libavformat.
    case library
  }

  func build() -> [UInt8] {
    let start = brand.map { box("ftyp", Array($0.utf8) + u32(512) + Array($0.utf8)) } ?? []
    let media = tracks.flatMap { $0.samples.flatMap { $0 } }
    // Sample offsets depend on the size of the header, which does not depend on the offsets.
    let headerSize = isHeaderFirst ? header(mediaAt: 0).count : 0
    let header = header(mediaAt: start.count + headerSize + 8)
    let mdat = box("mdat", media)
    return start + (isHeaderFirst ? header + mdat : mdat + header) + extraBoxes
  }

  private func header(mediaAt offset: Int) -> [UInt8] {
    let longest = tracks.map { $0.duration * timescale / $0.timescale }.max() ?? 0
    let movie = box(
      "mvhd",
      u32(0) + u32(0) + u32(0) + u32(timescale) + u32(longest) + u32(0x10000) + u16(0x100)
        + zeros(10) + matrixBytes([1, 0, 0, 1]) + zeros(24) + u32(tracks.count + 1))
    var position = offset
    var body = movie + boxesBeforeTracks
    for (index, track) in tracks.enumerated() {
      body += trackBox(track, id: index + 1, mediaAt: position)
      position += track.samples.reduce(0) { $0 + $1.count }
    }
    if !tags.isEmpty { body += box("meta", metaBody) }
    return box("moov", body)
  }

  private var metaBody: [UInt8] {
    let keys = tags.flatMap { box("mdta", Array($0.key.utf8)) }
    let items = tags.enumerated().flatMap { index, tag in
      u32(8 + 16 + tag.value.utf8.count) + u32(index + 1)
        + box("data", u32(1) + u32(0) + Array(tag.value.utf8))
    }
    return box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
      + box("keys", u32(0) + u32(tags.count) + keys) + box("ilst", items)
  }

  private func trackBox(_ track: Track, id: Int, mediaAt offset: Int) -> [UInt8] {
    let isVideo = track.handler == "vide"
    let shown = track.duration * timescale / track.timescale
    let header = box(
      "tkhd",
      u32(7) + zeros(8) + u32(id) + u32(0) + u32(shown) + zeros(12)
        + u16(track.handler == "soun" ? 0x100 : 0) + zeros(2)
        + matrixBytes(track.matrix) + u32(isVideo ? 64 << 16 : 0) + u32(isVideo ? 48 << 16 : 0))
    let edits = track.edits.flatMap { u32($0.duration) + u32($0.start) + u32(0x10000) }
    let media =
      box(
        "mdhd",
        u32(0) + zeros(8) + u32(track.timescale) + u32(track.duration) + u16(Int(track.language))
          + u16(0))
      + box("hdlr", u32(0) + zeros(4) + Array(track.handler.utf8) + zeros(13))
      + box("minf", informationBoxes(track, mediaAt: offset))
    return box(
      "trak",
      header
        + (edits.isEmpty ? [] : box("edts", box("elst", u32(0) + u32(edits.count / 12) + edits)))
        + references(track) + box("mdia", media) + track.userData)
  }

  private func references(_ track: Track) -> [UInt8] {
    let lists = track.references.flatMap { box($0.kind, u32($0.track)) }
    return lists.isEmpty ? [] : box("tref", lists)
  }

  /// Tables for non-sync samples and samples in another presentation order.
  private func orderBoxes(_ track: Track) -> [UInt8] {
    let syncs = track.syncs.map { $0.flatMap { u32($0 + 1) } }
    let offsets = track.compositions.map { $0.flatMap { u32(1) + u32($0) } }
    return (syncs.map { box("stss", u32(0) + u32($0.count / 4) + $0) } ?? [])
      + (offsets.map { box("ctts", u32(0) + u32($0.count / 8) + $0) } ?? [])
  }

  /// The chunk offsets and sizes, with the number of samples per chunk given by the track.
  private func sampleTableBoxes(_ track: Track, mediaAt offset: Int) -> [UInt8] {
    let perChunk = max(1, min(track.samplesPerChunk, track.count))
    var offsets: [UInt8] = []
    var position = offset
    for first in stride(from: 0, to: max(1, track.count), by: perChunk) {
      offsets += u32(position)
      let last = min(first + perChunk, track.count)
      position +=
        track.fixedSize.map { $0 * (last - first) }
        ?? track.samples[first..<last].reduce(0) { $0 + $1.count }
    }
    let rest = track.count % perChunk
    let runs =
      u32(1) + u32(perChunk) + u32(1)
      + (rest > 0 ? u32(offsets.count / 4) + u32(rest) + u32(1) : [])
    return box("stsc", u32(0) + u32(runs.count / 12) + runs)
      + box("stco", u32(0) + u32(offsets.count / 4) + offsets)
  }

  private func durationRuns(_ track: Track) -> [UInt8] {
    guard let last = track.lastDuration else {
      return u32(1) + u32(track.count) + u32(track.sampleDuration)
    }
    return u32(2) + u32(track.count - 1) + u32(track.sampleDuration) + u32(1) + u32(last)
  }

  private func informationBoxes(_ track: Track, mediaAt offset: Int) -> [UInt8] {
    let reference =
      track.isSelfContained ? box("url ", u32(1)) : box("url ", u32(0) + Array("file:///x\0".utf8))
    let kind =
      switch track.handler {
      case "vide": box("vmhd", u32(1) + zeros(8))
      case "soun": box("smhd", zeros(8))
      default: box("nmhd", zeros(4))
      }
    let entry = sampleEntry(track)
    let sizes =
      track.fixedSize.map { u32($0) + u32(track.count) }
      ?? (u32(0) + u32(track.count) + track.samples.flatMap { u32($0.count) })
    let table =
      box(
        "stsd", u32(0) + u32(track.descriptions) + (0..<track.descriptions).flatMap { _ in entry })
      + box("stts", u32(0) + durationRuns(track))
      + box("stsz", u32(0) + sizes) + orderBoxes(track) + sampleTableBoxes(track, mediaAt: offset)
    return kind + box("dinf", box("dref", u32(0) + u32(1) + reference)) + box("stbl", table)
  }

  private func sampleEntry(_ track: Track) -> [UInt8] {
    let start = zeros(6) + u16(1)
    switch track.handler {
    case "vide":
      return box(
        track.codec,
        start + zeros(16) + u16(64) + u16(48) + u32(72 << 16) + u32(72 << 16) + u32(0) + u16(1)
          + zeros(32) + u16(24) + u16(0xffff) + track.entryTail)
    case "soun":
      return box(
        track.codec,
        start + zeros(8) + u16(2) + u16(16) + zeros(4) + u32(track.timescale << 16))
    default: return box(track.codec, start + track.entryTail)
    }
  }
}

/// Bytes that differ between seeds and repeat for the same seed.
func sample(_ seed: Int, _ count: Int) -> [UInt8] {
  var state = UInt32(truncatingIfNeeded: seed &* 2_654_435_761 | 1)
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  u32(8 + body.count) + type.unicodeScalars.map { UInt8($0.value) } + body
}

func u16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
func u32(_ value: Int) -> [UInt8] { u16(value >> 16 & 0xffff) + u16(value & 0xffff) }
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

private func matrixBytes(_ m: [Int]) -> [UInt8] {
  u32(m[0] << 16) + u32(m[1] << 16) + zeros(4) + u32(m[2] << 16) + u32(m[3] << 16) + zeros(12)
    + u32(1 << 30)
}

extension MovieBuilder {
  /// A video with an audio track, processed by one of these methods.
  init(_ method: Method) {
    self.init(brand: method == .copy ? "qt  " : "isom")
    // A four-character code that the two containers do not share.
    if method == .library { tracks[0].codec = "png " }
  }
}
