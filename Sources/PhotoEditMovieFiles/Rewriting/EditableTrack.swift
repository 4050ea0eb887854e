// SPDX-License-Identifier: Apache-2.0

/// A track with mutable header boxes, samples and edit list.
struct EditableTrack: Sendable {
  /// The index among the tracks of the source.
  let index: Int
  /// The contents of the source's boxes.
  let layout: TrackLayout
  /// The `trak` box; its sample table is written from `samples` and its edit list from `edits`.
  var tree: BoxTree
  var samples: TrackSamples
  /// The edit list entries; empty means the media from its beginning.
  var edits: [EditList.Edit]
  /// Indicates whether the last frame had no duration in the source.
  private(set) var completesLastFrame = false
  /// The number of frames by which the first sample of a timecode starts later than in the source.
  var timecodeAdvance = 0

  init(_ tree: BoxTree, layout: TrackLayout, index: Int) throws(MovieError) {
    self.index = index
    self.layout = layout
    self.tree = tree
    guard let table = tree.descendant("mdia", "minf", "stbl") else {
      throw .damaged("track \(layout.id) has no sample table")
    }
    if layout.hasAuxiliaryData || table.child("saio") != nil || table.child("senc") != nil {
      throw .unsupportedStream(
        stream: index, codec: layout.codec.description,
        reason: "the video has auxiliary data outside its sample table, as in encrypted media")
    }
    samples = try TrackSamples(table, isAudio: layout.kind == .audio)
    try samples.append(layout.fragments)
    edits = layout.edits.edits
    completesLastFrame = layout.lastDuration > 0 && samples.durations.runs.last?.value == 0
    if completesLastFrame { samples.durations.setLast(layout.lastDuration) }
  }

  /// Presents a last frame that had no duration, if the edit list presents everything before it.
  mutating func presentLastFrame(movieTimescale: Int) {
    guard completesLastFrame, let last = edits.indices.last, edits[last].start >= 0 else { return }
    let shown = mediaUnits(edits[last].duration, rate: edits[last].rate, movieTimescale)
    guard edits[last].duration > 0,
      edits[last].start + shown >= samples.duration - layout.lastDuration
    else { return }
    edits[last].duration += scaled(layout.lastDuration, by: movieTimescale, over: timescale)
  }

  var id: Int { layout.id }
  var kind: MovieStream.Kind { layout.kind }
  var timescale: Int { layout.timescale }

  /// The track's name for messages, such as "stream 1 (mp4a)".
  var label: String { "stream \(index) (\(layout.codec))" }

  /// The first entry of the sample descriptions.
  var description: BoxReader? {
    guard let box = tree.descendant("mdia", "minf", "stbl", "stsd") else { return nil }
    var cursor = BoxReader(leaf: box)
    guard (try? cursor.skip(8)) != nil, let entry = try? cursor.nextBox() else {
      // Without descriptions, a track's samples cannot be interpreted.
      return nil
    }
    return cursor.reader(entry)
  }

  /// Returns the `trak` box with the current samples, edit list and durations.
  ///
  /// - Parameters:
  ///   - offsets: The offset of each chunk in the new file.
  ///   - movieTimescale: Units per second of the edit list.
  func written(offsets: [Int], movieTimescale: Int) throws(MovieError) -> BoxTree {
    var tree = tree
    let samples = samples
    try tree.change("mdia", "minf", "stbl") { table throws(MovieError) in
      try samples.write(to: &table, offsets: offsets)
    }
    return tree
  }

  /// Updates the edit list and the durations in the headers to match `edits` and `samples`.
  mutating func updateLengths(movieTimescale: Int) throws(MovieError) {
    let media = samples.duration
    let shown =
      edits.isEmpty
      ? scaled(media, by: movieTimescale, over: timescale) : edits.reduce(0) { $0 + $1.duration }
    try tree.change("tkhd") { box throws(MovieError) in
      try box.set(time: shown, at: box.isWide ? 28 : 20)
    }
    try tree.change("mdia", "mdhd") { box throws(MovieError) in
      try box.set(time: media, at: box.isWide ? 24 : 16)
    }
    tree.remove(["edts"])
    guard !edits.isEmpty else { return }
    let list = BoxTree("edts", children: [BoxTree("elst", try Self.bytes(of: edits))])
    // Players expect it before the media.
    let childIndex = tree.children?.firstIndex { $0.type == "mdia" } ?? 0
    tree.children?.insert(list, at: childIndex)
  }

  private static func bytes(of edits: [EditList.Edit]) throws(MovieError) -> [UInt8] {
    let isWide = edits.contains {
      $0.duration > Int(UInt32.max) || Int32(exactly: $0.start) == nil
    }
    var bytes: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    try bytes.append(count: edits.count, of: "edit list entries")
    for edit in edits {
      if isWide {
        bytes.append(u64: UInt64(max(0, edit.duration)))
        bytes.append(u64: UInt64(bitPattern: Int64(edit.start)))
      } else {
        try bytes.append(count: edit.duration, of: "timescale units")
        bytes.append(u32: UInt32(bitPattern: Int32(truncatingIfNeeded: edit.start)))
      }
      bytes.append(u32: UInt32(bitPattern: Int32(truncatingIfNeeded: edit.rate)))
    }
    return bytes
  }

  /// Removes references to tracks that no longer exist.
  mutating func removeReferences(except tracks: Set<Int>) throws(MovieError) {
    try tree.change("tref") { box throws(MovieError) in
      for childIndex in box.children?.indices.reversed() ?? (0..<0).reversed() {
        guard let list = box.children?[childIndex] else { continue }
        var kept: [UInt8] = []
        for offset in stride(from: 0, to: list.bytes.count - 3, by: 4) {
          let id = try list.u32(at: offset)
          if tracks.contains(Int(id)) { kept.append(u32: id) }
        }
        if kept.isEmpty {
          box.children?.remove(at: childIndex)
        } else {
          box.children?[childIndex].bytes = kept[...]
        }
      }
    }
    if tree.child("tref")?.children?.isEmpty == true { tree.remove(["tref"]) }
  }

  // MARK: Tracks whose samples are interpreted

  /// The keys of a timed metadata track; empty for any other.
  var metadataKeys: [String] { layout.metadataKeys }

  /// Indicates whether the track marks a single moment, so that a part of it is meaningless.
  var marksStillImageTime: Bool { metadataKeys.contains(stillImageTimeKey) }

  /// Advances the first sample of a timecode by media timescale units.
  mutating func advanceTimecode(by units: Int) throws(MovieError) {
    guard layout.codec == "tmcd", var entry = description, !samples.chunks.isEmpty else { return }
    // Reserved, reference, reserved, flags, units per second, units per frame.
    try entry.skip(16)
    let scale = Int(try entry.u32())
    let frame = Int(try entry.u32())
    guard scale > 0, frame > 0 else { return }
    timecodeAdvance += scaled(units, by: scale, over: timescale) / frame
  }
}
