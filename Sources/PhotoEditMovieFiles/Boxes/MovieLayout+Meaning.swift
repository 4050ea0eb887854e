// SPDX-License-Identifier: Apache-2.0

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
