// SPDX-License-Identifier: Apache-2.0

/// The contents of the boxes of one track.
struct TrackLayout: Sendable {
  var id = 0
  /// "vide", "soun", "text", "meta" and so on.
  var handler: FourCC = "????"
  /// The sample entry type: "avc1", "mp4a".
  var codec: FourCC = "none"
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
  /// The duration of the last sample, in timescale units.
  var lastDuration = 0
  /// The duration of a usual sample at the end, in timescale units.
  fileprivate(set) var usualDuration = 0
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

  /// Gives a last frame of unknown duration that of the frames before; otherwise it would not be
  /// shown.
  mutating func completeLastFrame() {
    guard kind == .video, fragments.count == 0, samples > 1, lastDuration == 0 else { return }
    lastDuration = usualDuration
    mediaDuration += usualDuration
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

  /// Returns the seconds of presentation before media time 0; negative if the start is trimmed.
  func offset(movieTimescale: Int) -> Double {
    guard timescale > 0, movieTimescale > 0 else { return 0 }
    let empty = edits.edits.prefix { $0.start == -1 }.reduce(0.0) { $0 + Double($1.duration) }
    return empty / Double(movieTimescale) - Double(edits.mediaStart) / Double(timescale)
  }

  /// Reads the key list of a timed metadata track; QuickTime File Format, "timed metadata".
  fileprivate mutating func readMetadataKeys(_ reader: BoxReader) {
    var cursor = reader
    do throws(MovieError) {
      try cursor.skip(8)
      for box in try cursor.boxes() where box.type == "keys" {
        let list = cursor.reader(box)
        for key in try list.boxes().prefix(MovieLimits.maximumTags) {
          let inner = list.reader(key)
          for part in try inner.boxes() where part.type == "keyd" {
            metadataKeys.append(
              String(decoding: inner.bytes[part.body].dropFirst(4), as: UTF8.self))
          }
        }
      }
    } catch {
      // Unreadable keys are ignored; the samples are copied unchanged.
      metadataKeys = []
    }
  }
}

private let encryptedEntries: Set<FourCC> = [
  "encv", "enca", "enct", "encs", "encm", "drms", "drmi", "drmt", "p608",
]

extension TrackLayout {
  /// Reads a `trak` box; boxes that are lost in remuxing are recorded in the movie.
  init(_ reader: BoxReader, movie: inout MovieLayout) throws(MovieError) {
    let boxes = try reader.boxes(single: ["tkhd", "edts", "mdia"])
    movie.noteUnknown(boxes, in: "moov/trak", known: trackBoxes)
    for box in boxes {
      let inner = reader.reader(box)
      switch box.type {
      case "tkhd": try readHeader(inner)
      case "edts":
        for box in try inner.boxes() where box.type == "elst" {
          edits = try EditList(inner.reader(box))
        }
      case "tref":
        for list in try inner.boxes() where list.type == "chap" {
          var cursor = inner.reader(list)
          while cursor.remaining >= 4, chapterTracks.count < MovieLimits.maximumTracks {
            chapterTracks.append(Int(try cursor.u32()))
          }
        }
        movie.noteUnknown(try inner.boxes(), in: "moov/trak/tref", known: ["chap", "tmcd"])
      case "udta":
        movie.noteUnknown(try inner.boxes(), in: "moov/trak/udta", known: knownUserData)
      case "mdia": try readMedia(inner, movie: &movie)
      default: break
      }
    }
  }

  private mutating func readHeader(_ reader: BoxReader) throws(MovieError) {
    var cursor = reader
    let isWide = try cursor.versionAndFlags().version == 1
    try cursor.skip(isWide ? 16 : 8)
    id = Int(try cursor.u32())
    try cursor.skip((isWide ? 12 : 8) + 12)
    volume = Double(try cursor.u16()) / 256
    try cursor.skip(2)
    matrix = try TrackMatrix(&cursor)
    width = Int(try cursor.u32() >> 16)
    height = Int(try cursor.u32() >> 16)
  }

  private mutating func readMedia(
    _ reader: BoxReader, movie: inout MovieLayout
  ) throws(MovieError) {
    let boxes = try reader.boxes(single: ["mdhd", "hdlr", "minf"])
    for box in boxes {
      var cursor = reader.reader(box)
      switch box.type {
      case "mdhd":
        let isWide = try cursor.versionAndFlags().version == 1
        try cursor.skip(isWide ? 16 : 8)
        timescale = Int(try cursor.u32())
        try cursor.skip(isWide ? 8 : 4)
        languagePosition = cursor.position
        language = MediaLanguage.name(ofCode: try cursor.u16())
      case "hdlr":
        try cursor.skip(8)
        handler = try cursor.fourCC()
      default: break
      }
    }
    guard timescale > 0 else { throw .damaged("\(reader.name) has no timescale") }
    for box in boxes where box.type == "minf" {
      let inner = reader.reader(box)
      for box in try inner.boxes(single: ["stbl"]) {
        switch box.type {
        case "dinf": try readDataInformation(inner.reader(box))
        case "stbl": try readSampleTable(inner.reader(box), movie: &movie)
        default: break
        }
      }
    }
  }

  private mutating func readDataInformation(_ reader: BoxReader) throws(MovieError) {
    for box in try reader.boxes() where box.type == "dref" {
      var list = reader.reader(box)
      try list.skip(8)
      while let entry = try list.nextBox() {
        var cursor = reader.reader(entry)
        // Flag 1 means "this file"; so does an entry without a location.
        let isSelf = try cursor.versionAndFlags().flags & 1 == 1 || cursor.remaining == 0
        if !isSelf { isExternal = true }
      }
    }
  }

  private mutating func readSampleTable(
    _ reader: BoxReader, movie: inout MovieLayout
  ) throws(MovieError) {
    let boxes = try reader.boxes(single: tableBoxes)
    for kinds: Set<FourCC> in [["stsz", "stz2"], ["stco", "co64"]]
    where kinds.isSubset(of: boxes.map(\.type)) {
      throw .damaged("\(reader.name) has two boxes for sample sizes or offsets")
    }
    for box in boxes where box.type == "stsd" {
      var cursor = reader.reader(box)
      try cursor.skip(4)
      descriptions = Int(try cursor.u32())
      guard let entry = try cursor.nextBox() else { continue }
      codec = entry.type
      if kind == .video { try readVideoEntry(reader.reader(entry), movie: &movie) }
      if codec == "mebx" { readMetadataKeys(reader.reader(entry)) }
    }
    let table = try SampleTable(boxes, in: reader, isAudio: kind == .audio)
    samples = table.samples
    mediaDuration = table.duration
    lastDuration = table.lastDuration
    usualDuration = table.usualDuration
    mediaEnd = table.mediaEnd
    isUniform = table.isUniform
    fragments = FragmentSamples(
      samplesBefore: table.samples, duration: table.duration, last: table.lastDuration)
  }

  private mutating func readVideoEntry(
    _ reader: BoxReader, movie: inout MovieLayout
  ) throws(MovieError) {
    var cursor = reader
    try cursor.skip(24)
    width = Int(try cursor.u16())
    height = Int(try cursor.u16())
    try cursor.skip(50)
    let boxes = try cursor.boxes()
    color = VideoColorProperties(boxes, in: cursor)
    if boxes.contains(where: { $0.type == "clap" }) {
      movie.noteUnknown(boxes.filter { $0.type == "clap" }, in: "moov/trak/stsd", known: [])
    }
  }
}

private let tableBoxes: Set<FourCC> = [
  "stsd", "stts", "ctts", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco", "co64",
]

private let trackBoxes: Set<FourCC> = [
  "tkhd", "edts", "tref", "udta", "mdia", "load", "free", "skip", "wide",
]
