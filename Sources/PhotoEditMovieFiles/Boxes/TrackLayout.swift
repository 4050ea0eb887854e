// SPDX-License-Identifier: Apache-2.0

/// The contents of the boxes of one track.
struct TrackLayout: Sendable {
  var id = 0
  /// "vide", "soun", "text", "meta" and so on.
  var handler: FourCC = "????"
  /// The sample entry type: "avc1", "mp4a".
  var codec: FourCC = "none"
  /// The number of sample entries.
  var descriptions = 0
  var width = 0
  var height = 0
  var matrix = TrackMatrix.identity
  /// The playback volume; 1 is unchanged.
  var volume = 0.0
  var language: String?
  /// The offset of the two-byte language code in `moov`.
  var languagePosition = 0
  /// Units per second of the media timescale.
  var timescale = 0
  var samples = 0
  /// The total duration of all samples, in timescale units.
  var mediaDuration = 0
  /// Indicates whether samples are uniform and packets may be split between any two, as in PCM.
  var isUniform = false
  /// The offset after the last byte of the media that `moov` lists.
  var mediaEnd = 0
  var edits = EditList()
  /// The keys of a timed metadata track.
  var metadataKeys: [String] = []
  /// The tracks that contain the chapters of this one.
  var chapterTracks: [Int] = []
  /// The color description of the container; nil if absent.
  var color: VideoColorProperties?
  /// Indicates whether the media is stored in another file.
  var isExternal = false
  /// The default values for samples of fragments.
  var fragmentDefaults = FragmentDefaults()
  /// The samples declared in fragments.
  var fragments = FragmentSamples()
  /// Indicates whether fragments contain auxiliary sample information, as for encrypted samples.
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

  /// Average duration of a sample in seconds.
  var sampleDuration: Double {
    samples > 0 && timescale > 0 ? Double(mediaDuration) / Double(samples) / Double(timescale) : 0
  }

  /// Returns the presented duration of the track in seconds.
  func presentedDuration(movieTimescale: Int) -> Double {
    let media = timescale > 0 ? Double(mediaDuration) / Double(timescale) : 0
    return edits.duration(ofMedia: media, mediaTimescale: timescale, movieTimescale: movieTimescale)
  }
}

private let encryptedEntries: Set<FourCC> = [
  "encv", "enca", "enct", "encs", "encm", "drms", "drmi", "drmt", "p608",
]
