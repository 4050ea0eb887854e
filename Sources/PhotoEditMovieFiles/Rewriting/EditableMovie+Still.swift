// SPDX-License-Identifier: Apache-2.0

/// The track that marks the still image time of a Live Photo.
///
/// Source: QuickTime File Format, "timed metadata". Its only sample is an 8-bit -1; the still image
/// time is the time at which the sample is presented.
extension EditableMovie {
  /// Sets the still image time; an existing track with another time is moved.
  mutating func setStillImageTime(_ seconds: Double) throws(MovieError) {
    let length = duration
    guard seconds >= 0, seconds < length else {
      throw .impossibleEdit(
        edit: "stillImageTime",
        reason: "\(seconds) s is outside the video, which lasts \(length) s")
    }
    let delay = Int((seconds * Double(timescale)).rounded())
    var index = tracks.firstIndex { $0.marksStillImageTime && $0.samples.count > 0 }
    if index == nil {
      tracks.append(try stillTrack())
      index = tracks.count - 1
      changesMedia = true
    }
    guard let index else { return }
    let track = tracks[index]
    let media = scaled(track.samples.duration, by: timescale, over: track.timescale)
    let shown = EditList.Edit(duration: max(1, media), start: 0, rate: 1 << 16)
    tracks[index].edits =
      (delay > 0 ? [EditList.Edit(duration: delay, start: -1, rate: 1 << 16)] : []) + [shown]
    try updateLengths()
  }

  private mutating func stillTrack() throws(MovieError) -> EditableTrack {
    let id = (tracks.map(\.id).max() ?? 0) + 1
    try header.change("mvhd") { box throws(MovieError) in
      try box.set(UInt32(truncatingIfNeeded: id + 1), at: box.isWide ? 108 : 96)
    }
    var layout = TrackLayout()
    layout.id = id
    layout.handler = "meta"
    layout.codec = "mebx"
    layout.timescale = timescale
    layout.descriptions = 1
    layout.metadataKeys = [stillImageTimeKey]
    var tree = BoxTree("trak", children: [BoxTree("tkhd", Self.trackHeader(id))])
    if let videoStream = tracks.first(where: { $0.kind == .video }) {
      let reference = BoxTree("cdsc", UInt32(truncatingIfNeeded: videoStream.id).bigEndianBytes)
      tree.replace(BoxTree("tref", children: [reference]))
    }
    tree.replace(try Self.media(timescale: timescale))
    let index = (tracks.map(\.index).max() ?? 0) + 1
    var track = try EditableTrack(tree, layout: layout, index: index)
    track.samples.count = 1
    track.samples.sizes = .fixed(samples: 1, bytes: Self.sample.count)
    track.samples.durations.append(1)
    track.samples.chunks = [
      MediaChunk(
        origin: .bytes(Self.sample), offset: 0, count: 1, size: Self.sample.count, description: 1)
    ]
    return track
  }

  /// A box with the index of the only key, and -1.
  private static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xff]

  /// Returns version, flags (used in the movie), dates, track ID and so on up to the size, which is
  /// zero.
  private static func trackHeader(_ id: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 84)
    bytes[3] = 0x0f
    bytes.replaceSubrange(12..<16, with: UInt32(truncatingIfNeeded: id).bigEndianBytes)
    bytes[41] = 1
    bytes[57] = 1
    bytes[72] = 0x40
    return bytes
  }

  private static func media(timescale: Int) throws(MovieError) -> BoxTree {
    var header = [UInt8](repeating: 0, count: 12)
    header.append(u32: UInt32(truncatingIfNeeded: timescale))
    header.append(u32: 1)
    // "und", packed.
    header += [0x55, 0xc4, 0, 0]
    let zeros = [UInt8](repeating: 0, count: 8)
    let generic: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]
    var generalHeader: [UInt8] = []
    try BoxTree("gmin", generic).write(to: &generalHeader)
    var reference: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    try BoxTree("url ", [0, 0, 0, 1]).write(to: &reference)
    var information: [UInt8] = []
    try BoxTree("dref", reference).write(to: &information)
    let table = BoxTree("stbl", children: [BoxTree("stsd", try description())])
    return BoxTree(
      "mdia",
      children: [
        BoxTree("mdhd", header),
        BoxTree(
          "hdlr", [0, 0, 0, 0] + "mhlrmeta".utf8 + zeros + [0, 0, 0, 0] + [0]),
        BoxTree(
          "minf",
          children: [
            BoxTree("gmhd", generalHeader),
            BoxTree("hdlr", [0, 0, 0, 0] + "dhlrurl ".utf8 + zeros + [0, 0, 0, 0] + [0]),
            BoxTree("dinf", information), table,
          ]),
      ])
  }

  /// Returns one entry with one key, for an 8-bit number.
  private static func description() throws(MovieError) -> [UInt8] {
    var key: [UInt8] = []
    try BoxTree("keyd", Array("mdta".utf8) + stillImageTimeKey.utf8).write(to: &key)
    try BoxTree("dtyp", [0, 0, 0, 0, 0, 0, 0, 65]).write(to: &key)
    var keys: [UInt8] = []
    try BoxTree(FourCC(1), key).write(to: &keys)
    var entry: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    try BoxTree("keys", keys).write(to: &entry)
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    try BoxTree("mebx", entry).write(to: &bytes)
    return bytes
  }
}
