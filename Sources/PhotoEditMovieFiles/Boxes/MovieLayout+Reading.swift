// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension MovieLayout {
  /// Reads the boxes of a file.
  ///
  /// - Parameter acceptsMissingEnd: Whether the file may end in the last box after the header, which
  ///   is the layout's `damage` then.
  /// - Throws: `damaged` if a box or a sample exceeds the file, `tooLarge` if `MovieLimits` are
  ///   exceeded, `notAMovie` if the file contains no movie.
  static func reading(
    _ file: borrowing OpenFile, _ cancellation: Cancellation, acceptsMissingEnd: Bool = false
  ) throws(MovieError) -> MovieLayout {
    var layout = MovieLayout()
    layout.size = try file.movieSize()
    var end = layout.size
    var hasHeader = false
    var brand: FourCC?
    var offset = 0
    var boxes = 0
    while layout.size - offset >= 8 {
      try cancellation.check()
      boxes += 1
      guard boxes <= MovieLimits.maximumBoxes else {
        throw .tooLarge(what: "boxes", value: boxes, limit: MovieLimits.maximumBoxes)
      }
      let head = try TopLevelBox(file, at: offset, fileSize: layout.size)
      // Some cameras pad the last block with zeros, and some programs append data of their own.
      if head.isPadding || head.isTrailer, hasHeader {
        guard layout.size - offset <= MovieLimits.maximumPadding else {
          throw .damaged(
            "the last box ends at byte \(offset), but the file has \(layout.size) bytes")
        }
        if !head.isPadding { layout.trailerSize = layout.size - offset }
        break
      }
      if let flaw = head.flaw {
        guard acceptsMissingEnd, hasHeader, head.isTruncated else { throw flaw }
        layout.damage = flaw
        end = head.statedEnd
        break
      }
      switch head.type {
      case "ftyp" where brand == nil:
        let bytes = try file.bytes(at: head.body.lowerBound, atMost: 4)
        brand = FourCC(bytes)
      case "moov" where !hasHeader:
        hasHeader = true
        layout.headerStart = head.body.lowerBound
        layout.headerSize = head.body.count
        layout.headerBounds = offset..<head.body.upperBound
        try layout.readHeader(try head.content(of: file))
      case "moof":
        guard hasHeader else { throw .damaged("fragments precede the movie header") }
        layout.isFragmented = true
        try layout.readFragment(try head.content(of: file), at: offset)
      default:
        let box = Box(type: head.type, start: offset, body: head.body)
        layout.noteUnknown([box], in: "", known: topBoxes)
        if !topBoxes.contains(head.type), layout.otherBoxes.count < MovieLimits.maximumTracks {
          layout.otherBoxes.append(offset..<head.body.upperBound)
        }
      }
      offset = head.body.upperBound
    }
    if let brand {
      guard let container = MovieContainer.container(ofBrand: brand) else {
        throw .notAMovie(found: "a still image of brand \(brand)")
      }
      layout.container = container
    }
    guard hasHeader else {
      throw .damaged("the moov box is missing; the recording is incomplete or truncated")
    }
    guard !layout.tracks.isEmpty else { throw .damaged("the video has no tracks") }
    layout.countFragments()
    try layout.requireSamples(before: end)
    return layout
  }

  private func requireSamples(before end: Int) throws(MovieError) {
    var total = 0
    for (index, track) in tracks.enumerated() {
      total += track.isUniform ? 0 : track.samples
      // MACE 6:1, the highest compression of such audio, stores six samples per byte.
      guard track.samples <= MovieLimits.maximumSamples || track.samples / 8 <= size else {
        throw .damaged("stream \(index) (\(track.codec)) has more samples than the file can hold")
      }
      guard track.mediaEnd <= end else {
        throw .damaged(
          "stream \(index) (\(track.codec)) extends to byte \(track.mediaEnd), "
            + "but the file has \(size)")
      }
    }
    guard total <= MovieLimits.maximumSamples else {
      throw .tooLarge(what: "samples", value: total, limit: MovieLimits.maximumSamples)
    }
  }

  private mutating func readHeader(_ bytes: [UInt8]) throws(MovieError) {
    let reader = BoxReader(bytes, name: "moov")
    let boxes = try reader.boxes(single: ["mvhd", "mvex"])
    if boxes.contains(where: { $0.type == "cmov" }) {
      throw .damaged("compressed movie headers (cmov) are not supported")
    }
    isFragmented = boxes.contains { $0.type == "mvex" }
    for box in boxes where box.type == "mvhd" {
      var cursor = reader.reader(box)
      let isWide = try cursor.versionAndFlags().version == 1
      creationDate = Self.date(isWide ? try cursor.u64() : UInt64(try cursor.u32()))
      try cursor.skip(isWide ? 8 : 4)
      timescale = Int(try cursor.u32())
      try cursor.skip((isWide ? 8 : 4) + 16)
      matrix = try TrackMatrix(&cursor)
    }
    guard timescale > 0 else { throw .damaged("the movie header has no timescale") }
    for box in boxes where box.type == "trak" {
      guard tracks.count < MovieLimits.maximumTracks else {
        throw .tooLarge(
          what: "tracks", value: tracks.count + 1, limit: MovieLimits.maximumTracks)
      }
      tracks.append(try TrackLayout(reader.reader(box), movie: &self))
    }
    for box in boxes where box.type == "mvex" { try readFragmentDefaults(reader.reader(box)) }
    for box in boxes { readTags(box, in: reader) }
    noteUnknown(boxes, in: "moov", known: headerBoxes)
  }

  /// Converts seconds since 1904 to seconds since 1970; nil for the zero of either clock, which
  /// means that it was not set, and for dates after year 9999.
  ///
  /// Some writers count from 1970, which would date their videos before the first camera.
  private static func date(_ value: UInt64) -> Double? {
    let seconds = Double(value)
    let between = 2_082_844_800.0
    guard seconds > 0, seconds != between, seconds < 2.6e11 else { return nil }
    return seconds < between ? seconds : seconds - between
  }
}

/// The header of a top-level box.
private struct TopLevelBox {
  let type: FourCC
  /// The range of its content in the file.
  let body: Range<Int>
  /// The end that its length states, which is after that of the file if the box is truncated.
  let statedEnd: Int
  let isPadding: Bool
  /// The reason why it is not a box of the file; nil for a whole box.
  let flaw: MovieError?

  var isTruncated: Bool { statedEnd > body.upperBound }
  /// Indicates whether the bytes are no box at all but data that another program appended.
  var isTrailer: Bool { flaw != nil && !topBoxes.contains(type) && !otherTopBoxes.contains(type) }

  init(_ file: borrowing OpenFile, at offset: Int, fileSize: Int) throws(MovieError) {
    let head = try file.bytes(at: offset, atMost: 16)
    var cursor = BoxReader(head, name: "the file")
    type = FourCC(head.dropFirst(4))
    isPadding = head.prefix(8).allSatisfy { $0 == 0 }
    let size: Int
    do throws(MovieError) {
      size = try cursor.boxHeader(capacity: fileSize - offset).size
    } catch {
      flaw = error
      (body, statedEnd) = (offset..<fileSize, fileSize)
      return
    }
    let start = offset + cursor.position
    guard size >= cursor.position else {
      flaw = .damaged("box \(type) at byte \(offset) has the invalid size \(size)")
      (body, statedEnd) = (min(start, fileSize)..<fileSize, fileSize)
      return
    }
    statedEnd = offset.addingSaturated(size)
    guard size <= fileSize - offset else {
      flaw = .damaged(
        "box \(type) is truncated (\(fileSize - offset) of \(size) bytes)")
      body = min(start, fileSize)..<fileSize
      return
    }
    flaw = nil
    body = start..<statedEnd
  }

  func content(of file: borrowing OpenFile) throws(MovieError) -> [UInt8] {
    guard body.count <= MovieLimits.maximumHeaderBytes else {
      throw .tooLarge(
        what: "bytes in box \(type)", value: body.count, limit: MovieLimits.maximumHeaderBytes)
    }
    let bytes = try file.bytes(at: body.lowerBound, atMost: body.count)
    guard bytes.count == body.count else {
      throw .damaged("the file was truncated while being read")
    }
    return bytes
  }
}

private let topBoxes: Set<FourCC> = [
  "ftyp", "moov", "moof", "mdat", "free", "skip", "wide", "mfra", "sidx", "ssix", "styp", "prft",
]

/// Further boxes that are written next to the header; any other with a wrong length is no box.
private let otherTopBoxes: Set<FourCC> = [
  "uuid", "meta", "udta", "pdin", "pnot", "PICT", "junk", "emsg", "mpvd", "sefd",
]

private let headerBoxes: Set<FourCC> = [
  "mvhd", "trak", "mvex", "udta", "meta", "iods", "free", "skip", "wide", "pssh",
]
