// SPDX-License-Identifier: Apache-2.0

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

extension TrackLayout {
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

private let tableBoxes: Set<FourCC> = [
  "stsd", "stts", "ctts", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco", "co64",
]

private let trackBoxes: Set<FourCC> = [
  "tkhd", "edts", "tref", "udta", "mdia", "load", "free", "skip", "wide",
]
