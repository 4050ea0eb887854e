// SPDX-License-Identifier: Apache-2.0
import Storage

/// Brings an MPEG-4 movie into QuickTime box by box.
///
/// For what libavformat would lose: edit lists of several parts, several sample descriptions,
/// timed metadata, Dolby Vision. Both containers are made of the same boxes; what differs is
/// rewritten here, and everything else is carried over as it is.
struct MovieRewrap {
  let layout: MovieLayout
  let cancellation: Cancellation

  /// Whether every track is of a codec that QuickTime players know under the same name.
  var isPossible: Bool {
    !layout.isFragmented && layout.tagError == nil
      && layout.tracks.allSatisfy { carried.contains($0.codec) }
  }

  /// Writes the movie; the file is durable and verified afterwards, or absent.
  func run(
    _ file: consuming OpenFile, to staged: String
  ) throws(MovieError) -> MovieReport {
    var movie = try EditableMovie(file, layout: layout)
    movie.changesMedia = true
    movie.header.remove(["iods"])
    try movie.changeItemsForm()
    for place in movie.tracks.indices { try movie.tracks[place].becomeQuickTime() }
    let work = RewriteWork(cancellation) { _ in }
    var report = try MovieRewriter.write(
      movie, layout: layout, MediaFiles(source: file), to: staged, work, cancellation)
    report.method = .remuxed
    return report
  }
}

extension EditableMovie {
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

extension BoxTree {
  /// Turns MPEG-4 sound descriptions into version 1 of QuickTime's, whose set-up lies in `wave`.
  ///
  /// Source: QuickTime File Format, "sound sample descriptions", version 1.
  fileprivate mutating func wrapSound(samplesPerPacket: Int) throws(MovieError) {
    var cursor = BoxReader(leaf: self)
    try cursor.skip(8)
    var output = Array(bytes.prefix(8))
    while let entry = try cursor.nextBox() {
      let content = Array(cursor.bytes[entry.body])
      guard entry.type == "mp4a", content.count >= 28, content[8] == 0, content[9] == 0 else {
        try BoxTree(entry.type, content).write(to: &output)
        continue
      }
      var sound = content
      // Version 1, 16 bits, "variable compression" instead of a compression identifier.
      sound[9] = 1
      sound.replaceSubrange(
        16..<28, with: content[16..<18] + [0, 16, 0xff, 0xfe, 0, 0] + content[24..<28])
      sound.removeSubrange(28...)
      sound.append(u32: UInt32(clamping: samplesPerPacket))
      // Bytes of a packet and a frame vary; decoded samples have two.
      for number: UInt32 in [0, 0, 2] { sound.append(u32: number) }
      var wave: [UInt8] = []
      try BoxTree("frma", Array("mp4a".utf8)).write(to: &wave)
      try BoxTree("mp4a", [0, 0, 0, 0]).write(to: &wave)
      var inner = cursor.reader(entry)
      try inner.skip(28)
      var others: [UInt8] = []
      while let box = try inner.nextBox() {
        let tree = BoxTree(box.type, Array(inner.bytes[box.body]))
        if box.type == "esds" { try tree.write(to: &wave) } else { try tree.write(to: &others) }
      }
      // An empty box ends the list.
      try BoxTree(FourCC(0), []).write(to: &wave)
      try BoxTree("wave", wave).write(to: &sound)
      try BoxTree("mp4a", sound + others).write(to: &output)
    }
    bytes = output[...]
  }
}

/// Sample descriptions that mean the same in both containers.
private let carried: Set<FourCC> = [
  "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "mp4v", "jpeg", "mjpa", "mjpb",
  "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "mp4a", "alac", "ac-3", "ec-3", ".mp3", "sowt",
  "twos", "lpcm", "tx3g", "text", "tmcd", "mebx", "gpmd",
]
