// SPDX-License-Identifier: Apache-2.0

/// The contents of the boxes of a QuickTime or MPEG-4 file, read without a library and validated.
///
/// Sources: ISO/IEC 14496-12 and Apple's QuickTime File Format.
struct MovieLayout: Sendable {
  var container = MovieContainer.quickTime
  /// Size of the file in bytes.
  var size = 0
  /// The offset of the content of `moov` in the file.
  var headerStart = 0
  /// Size of the content of `moov` in bytes.
  var headerSize = 0
  /// The range of the entire `moov` box in the file.
  var headerBounds = 0..<0
  /// Top-level boxes that are neither media nor padding.
  var otherBoxes: [Range<Int>] = []
  var timescale = 0
  /// The creation date in seconds since 1970; nil if the header has none.
  var creationDate: Double?
  /// The display transform of the entire movie.
  var matrix = TrackMatrix.identity
  var tracks: [TrackLayout] = []
  var tags: [String: String] = [:]
  /// The packet of XMP in the header; nil for none.
  var packet: [UInt8]?
  /// The reason why the tags cannot be read; nil if they can.
  var tagError: MovieError?
  /// Indicates whether samples are declared in `moof` boxes.
  var isFragmented = false
  /// The number of entries in the chapter list that some MPEG-4 files have instead of a track.
  var chapterListCount = 0
  /// Paths of fragment boxes that are lost when samples are joined.
  var lostWithFragments: [String] = []
  /// The number of bytes after the last box, which another program appended.
  var trailerSize = 0
  /// The reason why the end of the file is missing; nil for a whole file.
  var damage: MovieError?
  /// Paths of boxes that no remuxing preserves, such as "moov/udta/smta".
  var unknownBoxes: [String] = []

  /// Duration of the longest track in seconds.
  var duration: Double {
    tracks.map { $0.presentedDuration(movieTimescale: timescale) }.max() ?? 0
  }

  var streams: [MovieStream] {
    tracks.enumerated().map { index, track in
      MovieStream(
        index: index, kind: track.kind, codec: track.codec.description, packets: track.samples,
        digest: nil, duration: track.presentedDuration(movieTimescale: timescale),
        rotation: track.matrix.times(matrix).rotation, language: track.language,
        width: track.width, height: track.height, color: track.color,
        edits: track.edits.presented(
          mediaTimescale: track.timescale, movieTimescale: timescale),
        metadataKeys: track.metadataKeys, volume: track.kind == .audio ? track.volume : nil)
    }
  }

  /// Throws for tracks with inaccessible media: encrypted, or stored in another file.
  func requireReachableMedia() throws(MovieError) {
    for (index, track) in tracks.enumerated() {
      let codec = track.codec.description
      if track.isEncrypted {
        throw .unsupportedStream(stream: index, codec: codec, reason: "it is encrypted")
      }
      if track.isExternal {
        throw .unsupportedStream(
          stream: index, codec: codec, reason: "its media is stored in another file")
      }
    }
  }

  /// The data after the last box, which no rewriting preserves; empty without such data.
  var trailerLoss: [String] {
    trailerSize == 0 ? [] : ["\(trailerSize) bytes after the last box"]
  }

  /// Adds unknown boxes to the list of those that are lost.
  mutating func noteUnknown(_ boxes: [Box], in name: String, known: Set<FourCC>) {
    for box in boxes where !known.contains(box.type) {
      let path = name.isEmpty ? box.type.description : "\(name)/\(box.type)"
      if !unknownBoxes.contains(path), unknownBoxes.count < 64 { unknownBoxes.append(path) }
    }
  }

  // MARK: User-level information from the boxes

  /// The still image time of a Live Photo, in seconds from the beginning.
  var stillImageTime: Double? {
    let track = tracks.first { $0.metadataKeys.contains(stillImageTimeKey) && $0.samples > 0 }
    return track.map { max(0, $0.offset(movieTimescale: timescale)) }
  }

  /// The number of chapters: samples of the tracks that other tracks reference as chapters.
  var chapterCount: Int {
    let chapterTrackIDs = Set(tracks.flatMap(\.chapterTracks))
    // An image track may accompany the titles, with one image for each.
    let texts = tracks.filter { chapterTrackIDs.contains($0.id) && $0.kind == .subtitle }
    return texts.map(\.samples).max() ?? chapterListCount
  }
}

/// The key of the track that marks the still image time of a Live Photo.
let stillImageTimeKey = "com.apple.quicktime.still-image-time"
/// The key that pairs a movie with the still image of a Live Photo.
let contentIdentifierKey = "com.apple.quicktime.content.identifier"
