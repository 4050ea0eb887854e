// SPDX-License-Identifier: Apache-2.0

/// What the boxes of one track say.
struct TrackLayout: Sendable {
  var id = 0
  /// "vide", "soun", "text", "meta" and so on.
  var handler: FourCC = "????"
  /// The sample entry: "avc1", "mp4a".
  var codec: FourCC = "none"
  /// How many sample entries there are.
  var descriptions = 0
  var width = 0
  var height = 0
  var matrix = TrackMatrix.identity
  /// How loud it is played; 1 for as it is.
  var volume = 0.0
  var language: String?
  /// Where the two bytes of the language lie in `moov`.
  var languagePosition = 0
  /// Ticks per second of the media.
  var timescale = 0
  var samples = 0
  /// Ticks of all samples together.
  var mediaDuration = 0
  /// Whether samples are all alike and packets may be cut between any two, as in PCM.
  var isUniform = false
  /// The byte behind the last one of the media that `moov` lists.
  var mediaEnd = 0
  var edits = EditList()
  /// The names of what a timed metadata track tells.
  var metadataKeys: [String] = []
  /// The tracks that hold the chapters of this one.
  var chapterTracks: [Int] = []
  /// How the container describes colours; nil when it does not.
  var colour: MovieColour?
  /// Whether another file holds the media.
  var isExternal = false
  /// What samples are in fragments that do not say.
  var fragmentDefaults = FragmentDefaults()
  /// The samples that fragments announce.
  var fragments = FragmentSamples()
  /// Whether fragments say something of its samples elsewhere, as of encrypted ones.
  var hasAuxiliaryData = false

  var isEncrypted: Bool { encryptedEntries.contains(codec) }

  var kind: MovieStream.Kind {
    switch handler {
    case "vide": .video
    case "soun": .audio
    case "text", "sbtl", "subt", "clcp": .subtitle
    default: .data
    }
  }

  /// Seconds of an average sample.
  var sampleDuration: Double {
    samples > 0 && timescale > 0 ? Double(mediaDuration) / Double(samples) / Double(timescale) : 0
  }

  /// Seconds for which the track is shown or heard.
  func presentedDuration(movieTimescale: Int) -> Double {
    let media = timescale > 0 ? Double(mediaDuration) / Double(timescale) : 0
    return edits.duration(ofMedia: media, mediaTimescale: timescale, movieTimescale: movieTimescale)
  }
}

private let encryptedEntries: Set<FourCC> = [
  "encv", "enca", "enct", "encs", "encm", "drms", "drmi", "drmt", "p608",
]
