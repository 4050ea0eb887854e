// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Converts an MPEG-4 movie to QuickTime box by box.
///
/// Both containers use the same boxes. Differences are rewritten here, and everything else is
/// preserved: edit lists with several entries, multiple sample descriptions, timed metadata, Dolby
/// Vision, cover images, all of which libavformat would lose. The media is copied by the kernel.
extension EditableMovie {
  /// Reads the header of a movie and converts it to QuickTime.
  ///
  /// - Parameters:
  ///   - layout: The layout read from the same header and validated against the file.
  ///   - replacesVideo: Whether the frames are replaced, so that their current codec is not
  ///     checked.
  /// - Returns: Nil for a movie that only libavformat can convert to QuickTime.
  init?(
    quickTimeOf file: borrowing OpenFile, _ layout: MovieLayout, replacesVideo: Bool = false
  ) throws(MovieError) {
    let isQuickTime = layout.container == .quickTime
    // libavformat would silently drop the tags, or read gigabytes that do not exist.
    if !isQuickTime, let error = layout.tagError { throw error }
    if isQuickTime {
      try self.init(file, layout: layout)
      if layout.isFragmented { try joinFragments(layout) }
      if !replacesVideo { try describeHEVC(file) }
      return
    }
    func isReplaced(_ track: TrackLayout) -> Bool { replacesVideo && track.kind == .video }
    // Data tracks are kept byte for byte, even with unknown sample descriptions.
    func isCarried(_ track: TrackLayout) -> Bool {
      carried.contains(track.codec) || track.kind == .data || isReplaced(track)
    }
    guard layout.tracks.allSatisfy({ isCarried($0) || $0.samples == 0 }) else { return nil }
    try self.init(file, layout: layout)
    let unreadable = tracks.filter { track in
      !isCarried(track.layout) || !(track.isNamedAlike || isReplaced(track.layout))
    }
    guard unreadable.allSatisfy({ $0.samples.count == 0 }), !isDescribedAsIn3GPP else {
      return nil
    }
    changesMedia = true
    losses += unreadable.map { RemuxPlan.emptiness(of: $0.label) }
    try removeTracks { track in unreadable.contains { $0.id == track.id } }
    try removeHints()
    try addQuickTimeLocation(layout)
    header.remove(["iods"])
    try changeItemsForm()
    for position in tracks.indices { try tracks[position].convertToQuickTime() }
    if !replacesVideo { try describeHEVC(file) }
    if layout.isFragmented { try joinFragments(layout) }
  }

  /// Removes hint tracks, which describe to servers how to send packets of another track; QuickTime
  /// has its own.
  fileprivate mutating func removeHints() throws(MovieError) {
    let hints = tracks.filter { $0.layout.handler == "hint" }
    losses += hints.map { "\($0.label), a hint track for streaming" }
    try removeTracks { track in hints.contains { $0.id == track.id } }
  }

  /// Adds a 3GPP location in the QuickTime form too, unless there already is one.
  fileprivate mutating func addQuickTimeLocation(_ layout: MovieLayout) throws(MovieError) {
    guard let position = layout.tags["loci"], layout.tags["©xyz"] == nil,
      layout.tags[locationKey] == nil
    else { return }
    try replaceUserText("©xyz", with: position, onlyIfThere: false)
  }

  /// Indicates whether title or author are stored in the 3GPP form, which QuickTime does not
  /// support.
  fileprivate var isDescribedAsIn3GPP: Bool {
    header.child("udta")?.children?.contains { textsOf3GPP.contains($0.type) } ?? false
  }

  /// Converts metadata to the QuickTime form: a box without a version.
  fileprivate mutating func changeItemsForm() throws(MovieError) {
    guard let position = header.children?.firstIndex(where: { $0.type == "meta" }),
      let box = header.children?[position], var items = try MetadataItems(box)
    else { return }
    items.convertToQuickTime()
    header.children?[position] = try items.written()
  }
}

extension EditableTrack {
  /// Indicates whether its sample descriptions have the same meaning in QuickTime.
  ///
  /// The configuration data of "mp4v" and "mp4a" identifies one of many codecs; QuickTime has
  /// separate names for most of them.
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
      // Unreadable descriptions are left to libavformat.
      return false
    }
  }

  /// Converts the handlers and the sample descriptions to the QuickTime form.
  fileprivate mutating func convertToQuickTime() throws(MovieError) {
    try tree.change("mdia", "hdlr") { box throws(MovieError) in
      try box.set(Array("mhlr".utf8), at: 4)
      // Converts a C string to a Pascal string.
      let name = box.bytes.dropFirst(24).prefix { $0 != 0 }.prefix(255)
      let head = Array(box.bytes.prefix(24))
      box.bytes = (head + [UInt8(name.count)] + name)[...]
    }
    try tree.change("mdia", "minf") { box throws(MovieError) in
      guard box.child("hdlr") == nil else { return }
      let handler = [0, 0, 0, 0] + Array("dhlrurl ".utf8) + [UInt8](repeating: 0, count: 13)
      let position = box.children?.firstIndex { $0.type == "dinf" } ?? 0
      box.children?.insert(BoxTree("hdlr", handler), at: position)
    }
    guard kind == .audio else { return }
    let samplesPerPacket = samples.durations.runs.first?.value ?? 1024
    try tree.change("mdia", "minf", "stbl", "stsd") { box throws(MovieError) in
      try box.convertAudioDescriptions(samplesPerPacket: samplesPerPacket)
    }
  }
}

/// Sample descriptions with the same meaning in both containers.
private let carried: Set<FourCC> = [
  "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "mp4v", "jpeg", "mjpa", "mjpb",
  "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "mp4a", "alac", "ac-3", "ec-3", ".mp3", "sowt",
  "twos", "lpcm", "tx3g", "text", "c608", "c708", "tmcd", "mebx", "gpmd",
  "s263", "h263", "samr", "sawb",
]

/// The codecs to which QuickTime gives the same names: MPEG-4 video, and AAC of both standards.
private let objectTypes: [FourCC: Set<UInt8>] = [
  "mp4v": [0x20], "mp4a": [0x40, 0x66, 0x67, 0x68],
]

/// 3GPP TS 26.244, "asset information".
private let textsOf3GPP: Set<FourCC> = [
  "titl", "dscp", "cprt", "perf", "auth", "gnre", "rtng", "clsf", "kywd", "albm", "yrrc",
]

/// Conversion of MPEG-4 sound descriptions to the QuickTime form.
extension BoxTree {
  /// Converts MPEG-4 sound descriptions to version 1 of QuickTime's, whose configuration data is in
  /// `wave`.
  ///
  /// Source: QuickTime File Format, "sound sample descriptions", version 1.
  mutating func convertAudioDescriptions(samplesPerPacket: Int) throws(MovieError) {
    var cursor = BoxReader(leaf: self)
    try cursor.skip(8)
    var output = Array(bytes.prefix(8))
    while let entry = try cursor.nextBox() {
      let content = Array(cursor.bytes[entry.body])
      guard let setup = setups[entry.type], content.count >= 28, content[8] == 0, content[9] == 0
      else {
        try BoxTree(entry.type, content).write(to: &output)
        continue
      }
      var audioEntry = content
      // Version 1, 16 bits, "variable compression" instead of a compression identifier.
      audioEntry[9] = 1
      audioEntry.replaceSubrange(
        16..<28, with: content[16..<18] + [0, 16, 0xff, 0xfe, 0, 0] + content[24..<28])
      audioEntry.removeSubrange(28...)
      audioEntry.append(u32: UInt32(clamping: samplesPerPacket))
      // Bytes per packet and per frame vary; decoded samples have two.
      for number: UInt32 in [0, 0, 2] { audioEntry.append(u32: number) }
      var wave: [UInt8] = []
      try BoxTree("frma", entry.type.value.bigEndianBytes).write(to: &wave)
      if entry.type == "mp4a" { try BoxTree("mp4a", [0, 0, 0, 0]).write(to: &wave) }
      var inner = cursor.reader(entry)
      try inner.skip(28)
      var others: [UInt8] = []
      while let box = try inner.nextBox() {
        let tree = BoxTree(box.type, Array(inner.bytes[box.body]))
        if box.type == setup { try tree.write(to: &wave) } else { try tree.write(to: &others) }
      }
      // An empty box ends the list.
      try BoxTree(FourCC(0), []).write(to: &wave)
      try BoxTree("wave", wave).write(to: &audioEntry)
      try BoxTree(entry.type, audioEntry + others).write(to: &output)
    }
    bytes = output[...]
  }
}

/// The configuration boxes of codecs whose packets vary in size.
private let setups: [FourCC: FourCC] = [
  "mp4a": "esds", "alac": "alac", "ac-3": "dac3", "ec-3": "dec3", "samr": "damr",
  "sawb": "damr",
]

extension BoxReader {
  /// Returns the object type in the configuration data of a sample description; nil if absent.
  ///
  /// - Parameter head: The number of bytes before the boxes of the description.
  /// - Source: ISO/IEC 14496-1, "ES descriptor" and "decoder configuration descriptor".
  func objectType(afterHead head: Int) throws(MovieError) -> UInt8? {
    var cursor = self
    try cursor.skip(head)
    guard let box = try cursor.boxes().first(where: { $0.type == "esds" }) else { return nil }
    var setup = cursor.reader(box)
    try setup.skip(4)
    guard try setup.descriptor() == 3 else { return nil }
    try setup.skip(2)
    let flags = try setup.u8()
    if flags & 0x80 != 0 { try setup.skip(2) }
    if flags & 0x40 != 0 { try setup.skip(Int(try setup.u8())) }
    if flags & 0x20 != 0 { try setup.skip(2) }
    guard try setup.descriptor() == 4 else { return nil }
    return try setup.u8()
  }

  /// Skips the header of a descriptor; returns its tag.
  private mutating func descriptor() throws(MovieError) -> UInt8 {
    let tag = try u8()
    // The length: seven bits in each of at most four bytes.
    for _ in 0..<4 where try u8() & 0x80 == 0 { break }
    return tag
  }
}
