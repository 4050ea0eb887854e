// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A QuickTime movie whose header is in memory and whose media remains in its file.
struct EditableMovie: Sendable {
  var timescale: Int
  /// The `moov` box; a single empty `trak` marks the position of all tracks.
  var header: BoxTree
  var tracks: [EditableTrack]
  /// The boxes of the file next to the header and the media, which are copied.
  var otherBoxes: [Range<Int>]
  /// The data missing from the result, one sentence each.
  var losses: [String] = []
  /// Indicates whether the media in the file differs from that of the source.
  var changesMedia = false
  /// The container of the written file; anything but QuickTime is temporary.
  var container = MovieContainer.quickTime
  /// The kept seconds of the source; nil for all.
  var kept: ClosedRange<Double>?

  /// Reads the header of a file.
  ///
  /// - Parameter layout: The layout read from the same header and validated against the file.
  init(_ file: borrowing OpenFile, layout: MovieLayout) throws(MovieError) {
    let bytes = try file.bytes(at: layout.headerStart, atMost: layout.headerSize)
    guard bytes.count == layout.headerSize else {
      throw .damaged("the file was truncated while being read")
    }
    let reader = BoxReader(bytes, name: "moov")
    let (boxes, rest) = try BoxTree.children(of: reader)
    let traks = boxes.filter { $0.type == "trak" }
    guard traks.count == layout.tracks.count else {
      throw .damaged("the file changed while being read")
    }
    timescale = layout.timescale
    otherBoxes = layout.otherBoxes
    losses = layout.trailerLoss
    let index = boxes.firstIndex { $0.type == "trak" } ?? boxes.count
    header = BoxTree(
      "moov",
      children: boxes[..<index] + [BoxTree("trak", [])]
        + boxes[index...].filter { $0.type != "trak" })
    header.bytes = rest
    tracks = []
    for (index, tree) in traks.enumerated() {
      tracks.append(try EditableTrack(tree, layout: layout.tracks[index], index: index))
    }
    if Set(tracks.map(\.id)).count != tracks.count {
      throw .damaged("two tracks have the same ID")
    }
    try requireMedia(in: layout.size)
    guard tracks.contains(where: \.completesLastFrame) else { return }
    for index in tracks.indices { tracks[index].presentLastFrame(movieTimescale: timescale) }
    try updateLengths()
  }

  /// Returns the `moov` box with the new offsets of all chunks.
  ///
  /// - Parameter offsets: For each track, the offsets of its chunks.
  func written(offsets: [[Int]]) throws(MovieError) -> [UInt8] {
    var boxes: [BoxTree] = []
    for (track, offsets) in zip(tracks, offsets) {
      boxes.append(try track.written(offsets: offsets, movieTimescale: timescale))
    }
    var tree = header
    tree.children = header.children?.flatMap { $0.type == "trak" ? boxes : [$0] }
    var bytes: [UInt8] = []
    try tree.write(to: &bytes)
    return bytes
  }

  /// Throws unless every chunk is within the file and their total size is not far larger than the
  /// file: tables may refer to the same bytes repeatedly.
  private func requireMedia(in fileSize: Int) throws(MovieError) {
    let limit = MovieLimits.maximumMedia(ofFile: fileSize)
    var total = 0
    for track in tracks {
      for chunk in track.samples.chunks {
        guard chunk.offset <= fileSize, chunk.size <= fileSize - chunk.offset else {
          throw .damaged(
            "\(track.label) extends to byte "
              + "\(UInt(chunk.offset) &+ UInt(chunk.size)), but the file has \(fileSize)")
        }
        guard chunk.size <= limit - total else {
          throw .tooLarge(what: "bytes of samples", value: total &+ chunk.size, limit: limit)
        }
        total += chunk.size
      }
    }
  }

  /// Duration of the longest track in seconds.
  var duration: Double {
    let units = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    return Double(units) / Double(timescale)
  }

  /// Removes tracks and the references to them.
  mutating func removeTracks(where shouldBeRemoved: (EditableTrack) -> Bool) throws(MovieError) {
    let before = tracks.count
    tracks.removeAll(where: shouldBeRemoved)
    guard tracks.count < before else { return }
    guard !tracks.isEmpty else { throw .damaged("no tracks would remain") }
    changesMedia = true
    let ids = Set(tracks.map(\.id))
    for index in tracks.indices { try tracks[index].removeReferences(except: ids) }
  }

  /// Updates the durations in all headers to match the tracks.
  mutating func updateLengths() throws(MovieError) {
    let timescale = timescale
    for index in tracks.indices { try tracks[index].updateLengths(movieTimescale: timescale) }
    let longest = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    try header.change("mvhd") { box throws(MovieError) in
      guard let units = UInt32(exactly: timescale) else {
        throw .tooLarge(
          what: "timescale units per second", value: timescale, limit: Int(UInt32.max))
      }
      try box.set(units, at: box.isWide ? 20 : 12)
      try box.set(time: longest, at: box.isWide ? 24 : 16)
      // The times of preview, poster and selection are no longer valid.
      try box.set([UInt8](repeating: 0, count: 24), at: box.isWide ? 84 : 72)
    }
  }

  mutating func mute() throws(MovieError) {
    guard tracks.contains(where: { $0.kind != .audio }) else {
      throw .impossibleEdit(edit: "mute", reason: "the video has only audio")
    }
    let before = tracks.count
    try removeTracks { $0.kind == .audio }
    if tracks.count < before { try updateLengths() }
  }

  /// Lowers the playback volume; the audio samples are unchanged.
  ///
  /// Source: ISO/IEC 14496-12, 8.3.2 (track header): an 8.8 fixed-point number, 1 for full volume.
  mutating func scaleVolume(by share: Double) throws(MovieError) {
    guard (0...1).contains(share) else {
      throw .impossibleEdit(edit: "volume", reason: "\(share) is out of range (allowed: 0–1)")
    }
    for index in tracks.indices where tracks[index].kind == .audio {
      try tracks[index].tree.change("tkhd") { box throws(MovieError) in
        let start = box.isWide ? 48 : 36
        let volume = UInt16((Double(try box.u32(at: start) >> 16) * share).rounded())
        try box.set(volume.bigEndianBytes, at: start)
      }
    }
  }

  // MARK: Trimming the beginning and the end between samples

  /// Keeps a time range of the movie; its video begins at the last key frame at or before `start`.
  ///
  /// - Parameters:
  ///   - start: Seconds from the beginning.
  ///   - end: Seconds from the beginning; nil or a later time keeps the end.
  mutating func trim(start: Double, end: Double?) throws(MovieError) {
    let length = duration
    func refuse(_ reason: String) -> MovieError { .impossibleEdit(edit: "trim", reason: reason) }
    guard start.isFinite, start >= 0, start < length else {
      throw refuse("start \(start) s is outside the video, which lasts \(length) s")
    }
    if let end, !(end > start) { throw refuse("end \(end) s is not after start \(start) s") }
    refineClock()
    let total = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    let last = end.map { $0 < length ? units($0) : total } ?? total
    var first = units(start)
    if let videoStream = tracks.first(where: { $0.kind == .video && $0.samples.count > 0 }) {
      guard let key = videoStream.keyTime(at: first, movieTimescale: timescale) else {
        throw refuse("no video frames at \(start) s")
      }
      first = key
    }
    guard first < last else { throw refuse("the resulting video would be empty") }
    let before = kept?.lowerBound ?? 0
    kept =
      (before + Double(first) / Double(timescale))...(before + Double(last) / Double(timescale))
    try trimChapterList(to: first..<last)
    try trimTracks(to: first..<last)
  }

  private mutating func trimTracks(to range: Range<Int>) throws(MovieError) {
    changesMedia = true
    var removed: Set<Int> = []
    for index in tracks.indices where tracks[index].samples.count > 0 {
      if try !tracks[index].trim(to: range, movieTimescale: timescale) {
        removed.insert(tracks[index].id)
        losses.append("\(tracks[index].label), which has no samples in the trimmed range")
      }
    }
    try removeTracks { removed.contains($0.id) }
    try updateLengths()
  }

  private func units(_ seconds: Double) -> Int {
    Int(exactly: (seconds * Double(timescale)).rounded()) ?? Int.max / 2
  }

  /// Increases the movie's timescale so that video times are integers in it.
  mutating func refineClock() {
    guard let media = tracks.first(where: { $0.kind == .video })?.timescale, media > 0 else {
      return
    }
    var (a, b) = (timescale, media)
    while b > 0 { (a, b) = (b, a % b) }
    let factor = media / a
    let longest = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    // Durations have 32 bits in the headers that every player reads.
    let (product, overflows) = max(longest, timescale).multipliedReportingOverflow(by: factor)
    guard factor > 1, !overflows, product < 1 << 31 else { return }
    timescale *= factor
    for index in tracks.indices {
      for edit in tracks[index].edits.indices { tracks[index].edits[edit].duration *= factor }
    }
  }
}
