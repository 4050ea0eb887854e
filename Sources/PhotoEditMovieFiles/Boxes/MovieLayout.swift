// SPDX-License-Identifier: Apache-2.0

/// What the boxes of a QuickTime or MPEG-4 file say, read without any library and checked.
///
/// Sources: ISO/IEC 14496-12 and Apple's QuickTime File Format.
struct MovieLayout: Sendable {
  var container = MovieContainer.quickTime
  /// Bytes of the file.
  var size = 0
  /// Where the content of `moov` begins in the file.
  var headerStart = 0
  /// Bytes of the content of `moov`.
  var headerSize = 0
  /// The whole `moov` box in the file.
  var headerBounds = 0..<0
  /// Boxes at the top of the file that are neither media nor filling.
  var otherBoxes: [Range<Int>] = []
  /// Ticks per second of the movie's own clock.
  var timescale = 0
  /// When the movie was made, in seconds since 1970; nil when its header does not say.
  var creationDate: Double?
  /// The display transform of the whole movie.
  var matrix = TrackMatrix.identity
  var tracks: [TrackLayout] = []
  var tags: [String: String] = [:]
  /// Why the tags cannot be read; nil when they can.
  var tagError: MovieError?
  /// Whether samples are announced piece by piece in `moof` boxes.
  var isFragmented = false
  /// Chapters of the list that some MPEG-4 files have instead of a track.
  var chapterListCount = 0
  /// Boxes of fragments that are lost when their samples are put together, by path.
  var lostWithFragments: [String] = []
  /// Boxes that no remuxing carries over, by path, such as "moov/udta/smta".
  var foreignBoxes: [String] = []

  /// Seconds of the longest track.
  var duration: Double {
    tracks.map { $0.presentedDuration(movieTimescale: timescale) }.max() ?? 0
  }

  /// The streams as the boxes describe them.
  var streams: [MovieStream] {
    tracks.enumerated().map { index, track in
      MovieStream(
        index: index, kind: track.kind, codec: track.codec.description, packets: track.samples,
        digest: nil, duration: track.presentedDuration(movieTimescale: timescale),
        rotation: track.matrix.times(matrix).rotation, language: track.language,
        width: track.width, height: track.height, colour: track.colour,
        edits: track.edits.presented(
          mediaTimescale: track.timescale, movieTimescale: timescale),
        metadataKeys: track.metadataKeys, volume: track.kind == .audio ? track.volume : nil)
    }
  }

  /// Refuses tracks whose media cannot be got at: encrypted, or kept in another file.
  func requireReachableMedia() throws(MovieError) {
    for (index, track) in tracks.enumerated() {
      let codec = track.codec.description
      if track.isEncrypted {
        throw .cannotHold(stream: index, codec: codec, reason: "it is encrypted")
      }
      if track.isExternal {
        throw .cannotHold(
          stream: index, codec: codec, reason: "its media lies in another file")
      }
    }
  }

  /// Adds boxes that are neither read nor understood to the list of those that get lost.
  mutating func noteForeign(_ boxes: [Box], in name: String, known: Set<FourCC>) {
    for box in boxes where !known.contains(box.type) {
      let path = name.isEmpty ? box.type.description : "\(name)/\(box.type)"
      if !foreignBoxes.contains(path), foreignBoxes.count < 64 { foreignBoxes.append(path) }
    }
  }
}

/// What the boxes mean for people: Live Photos, chapters.
extension MovieLayout {
  /// Seconds from the beginning to the moment that a Live Photo's still shows.
  var stillImageTime: Double? {
    let track = tracks.first { $0.metadataKeys.contains(stillImageTimeKey) && $0.samples > 0 }
    return track.map {
      max(0, $0.edits.offset(mediaTimescale: $0.timescale, movieTimescale: timescale))
    }
  }

  /// How many chapters there are: samples of the tracks that others name for that.
  var chapterCount: Int {
    let places = Set(tracks.flatMap(\.chapterTracks))
    // A track of pictures may go with the titles, one for each.
    let texts = tracks.filter { places.contains($0.id) && $0.kind == .subtitle }
    return texts.map(\.samples).max() ?? chapterListCount
  }
}

/// The key of the track that says which moment of a Live Photo its still picture shows.
let stillImageTimeKey = "com.apple.quicktime.still-image-time"
/// The key that pairs a movie with the still picture of a Live Photo.
let contentIdentifierKey = "com.apple.quicktime.content.identifier"
