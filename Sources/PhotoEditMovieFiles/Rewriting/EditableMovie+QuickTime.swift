// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Brings an MPEG-4 movie into QuickTime box by box.
///
/// Both containers are made of the same boxes; what differs is rewritten here, and everything else
/// is carried over as it is: edit lists of several parts, several sample descriptions, timed
/// metadata, Dolby Vision, cover pictures, all of which libavformat would lose. The media is copied
/// by the kernel.
extension EditableMovie {
  /// Reads the header of a movie and gives it the form that it has in QuickTime.
  ///
  /// - Parameters:
  ///   - layout: What the same header says, checked against the file.
  ///   - replacesVideo: Whether other pictures take the place of the movie's, so that the codec of
  ///     its own is of no account.
  /// - Returns: Nil for one that only libavformat brings into QuickTime.
  init?(
    quickTimeOf file: borrowing OpenFile, _ layout: MovieLayout, replacesVideo: Bool = false
  ) throws(MovieError) {
    let isQuickTime = layout.container == .quickTime
    // libavformat would drop them in silence, or read gigabytes that are not there.
    if !isQuickTime, let error = layout.tagError { throw error }
    if isQuickTime {
      try self.init(file, layout: layout)
      if layout.isFragmented { try joinFragments(layout) }
      return
    }
    func isReplaced(_ track: TrackLayout) -> Bool { replacesVideo && track.kind == .video }
    // What nobody knows of data is kept with them, byte for byte.
    guard
      layout.tracks.allSatisfy({
        carried.contains($0.codec) || $0.kind == .data || isReplaced($0)
      })
    else { return nil }
    try self.init(file, layout: layout)
    guard tracks.allSatisfy({ $0.isNamedAlike || isReplaced($0.layout) }), !isDescribedAsIn3GPP
    else { return nil }
    changesMedia = true
    try removeHints()
    try tellPlace(layout)
    header.remove(["iods"])
    try changeItemsForm()
    for place in tracks.indices { try tracks[place].becomeQuickTime() }
    if layout.isFragmented { try joinFragments(layout) }
  }
}

extension EditableMovie {
  /// Takes out tracks that tell servers how to send packets of another one; QuickTime has its own.
  fileprivate mutating func removeHints() throws(MovieError) {
    let hints = tracks.filter { $0.layout.handler == "hint" }
    losses += hints.map { "\($0.label) is a hint track for streaming and is left out" }
    try removeTracks { track in hints.contains { $0.id == track.id } }
  }

  /// Says a place of 3GPP in QuickTime's way too, where it does not say another one already.
  fileprivate mutating func tellPlace(_ layout: MovieLayout) throws(MovieError) {
    guard let place = layout.tags["loci"], layout.tags["©xyz"] == nil,
      layout.tags[locationKey] == nil
    else { return }
    try replaceUserText("©xyz", with: place, onlyIfThere: false)
  }

  /// Whether title or author are told as 3GPP does it, which QuickTime does not know.
  fileprivate var isDescribedAsIn3GPP: Bool {
    header.child("udta")?.children?.contains { textsOf3GPP.contains($0.type) } ?? false
  }

  /// Gives metadata the form that it has in QuickTime: a box without a version.
  fileprivate mutating func changeItemsForm() throws(MovieError) {
    guard let place = header.children?.firstIndex(where: { $0.type == "meta" }),
      let box = header.children?[place], var items = try MetadataItems(box)
    else { return }
    items.becomeQuickTime()
    header.children?[place] = try items.written()
  }
}

extension EditableTrack {
  /// Whether its sample descriptions mean the same in QuickTime.
  ///
  /// "mp4v" and "mp4a" say in their set-up which of many codecs they are; QuickTime has names of its
  /// own for most of them.
  fileprivate var isNamedAlike: Bool {
    guard let own = objectTypes[layout.codec] else { return true }
    guard let box = tree.descendant("mdia", "minf", "stbl", "stsd") else { return false }
    var cursor = BoxReader(leaf: box)
    do throws(MovieError) {
      try cursor.skip(8)
      while let entry = try cursor.nextBox() {
        let type = try cursor.reader(entry).objectType(afterHead: kind == .audio ? 28 : 78)
        guard entry.type == layout.codec, let type, own.contains(type) else { return false }
      }
      return true
    } catch {
      // What cannot be read here is for libavformat to judge.
      return false
    }
  }

  /// Gives the handlers and the sample descriptions the form that they have in QuickTime.
  fileprivate mutating func becomeQuickTime() throws(MovieError) {
    try tree.change("mdia", "hdlr") { box throws(MovieError) in
      try box.set(Array("mhlr".utf8), at: 4)
      // A C string becomes a Pascal string.
      let name = box.bytes.dropFirst(24).prefix { $0 != 0 }.prefix(255)
      let head = Array(box.bytes.prefix(24))
      box.bytes = (head + [UInt8(name.count)] + name)[...]
    }
    try tree.change("mdia", "minf") { box throws(MovieError) in
      guard box.child("hdlr") == nil else { return }
      let handler = [0, 0, 0, 0] + Array("dhlrurl ".utf8) + [UInt8](repeating: 0, count: 13)
      let place = box.children?.firstIndex { $0.type == "dinf" } ?? 0
      box.children?.insert(BoxTree("hdlr", handler), at: place)
    }
    guard kind == .audio else { return }
    let samplesPerPacket = samples.durations.runs.first?.value ?? 1024
    try tree.change("mdia", "minf", "stbl", "stsd") { box throws(MovieError) in
      try box.wrapSound(samplesPerPacket: samplesPerPacket)
    }
  }
}

/// Sample descriptions that mean the same in both containers.
private let carried: Set<FourCC> = [
  "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "mp4v", "jpeg", "mjpa", "mjpb",
  "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "mp4a", "alac", "ac-3", "ec-3", ".mp3", "sowt",
  "twos", "lpcm", "tx3g", "text", "tmcd", "mebx", "gpmd",
]

/// The codecs that QuickTime knows under these names too: MPEG-4 video, and AAC of both standards.
private let objectTypes: [FourCC: Set<UInt8>] = [
  "mp4v": [0x20], "mp4a": [0x40, 0x66, 0x67, 0x68],
]

/// 3GPP TS 26.244, "asset information".
private let textsOf3GPP: Set<FourCC> = [
  "titl", "dscp", "cprt", "perf", "auth", "gnre", "rtng", "clsf", "kywd", "albm", "yrrc",
]
