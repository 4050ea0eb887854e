// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Text metadata of the movie: QuickTime's `keys` and `ilst`, iTunes' `ilst`, and user data.
extension MovieLayout {
  /// Reads the tags in a child of `moov`.
  mutating func readTags(_ box: Box, in header: BoxReader) {
    do throws(MovieError) {
      try readTagBoxes(box, in: header)
    } catch {
      // A movie can be played without its tags; damaged tags are no reason to reject a copy.
      tagError = error
    }
  }

  private mutating func readTagBoxes(_ box: Box, in header: BoxReader) throws(MovieError) {
    let inner = header.reader(box)
    if box.type == "meta" { try readMeta(inner) }
    guard box.type == "udta" else { return }
    let boxes = try inner.boxes()
    noteUnknown(boxes, in: "moov/udta", known: knownUserData)
    for box in boxes {
      if box.type == "meta" {
        try readMeta(inner.reader(box))
      } else if box.type == "chpl" {
        var cursor = inner.reader(box)
        try cursor.skipChapterListHead()
        chapterListCount = Int(try cursor.u8())
      } else if box.type == "XMP_", box.body.count <= MovieLimits.maximumPacketBytes {
        packet = packet ?? Array(inner.bytes[box.body])
      } else if box.type == "loci" {
        try readLocation(inner.reader(box))
      } else if box.type.value >> 24 == 0xa9 {
        try readUserText(inner.reader(box), name: box.type.description)
      }
    }
  }

  /// Returns the packet of XMP in the header, or else that in a box next to it; nil for none.
  func xmp(in file: borrowing OpenFile) throws(MovieError) -> [UInt8]? {
    if let packet { return packet }
    for range in otherBoxes where range.count <= MovieLimits.maximumPacketBytes {
      let head = try file.bytes(at: range.lowerBound, atMost: min(24, range.count))
      guard FourCC(head.dropFirst(4)) == "uuid",
        head.dropFirst(8).elementsEqual(packetIdentifier)
      else { continue }
      return try file.bytes(at: range.lowerBound + head.count, atMost: range.count - head.count)
    }
    return nil
  }

  /// Reads a location with its name; 3GPP TS 26.244, 8.3.
  private mutating func readLocation(_ reader: BoxReader) throws(MovieError) {
    var cursor = reader
    try cursor.skip(6)
    try cursor.skipText()
    try cursor.skip(1)
    let longitude = Double(try cursor.signed(wide: false)) / 65536
    let latitude = Double(try cursor.signed(wide: false)) / 65536
    let altitude = Double(try cursor.signed(wide: false)) / 65536
    // A latitude beyond the poles is invalid.
    guard
      let position = MovieLocation(latitude: latitude, longitude: longitude, altitude: altitude)
    else { return }
    add("loci", position.description)
  }

  /// Reads a length, a language and the text; QuickTime File Format, "user data text strings".
  private mutating func readUserText(_ reader: BoxReader, name: String) throws(MovieError) {
    var cursor = reader
    guard cursor.remaining >= 4 else { return }
    let length = Int(try cursor.u16())
    try cursor.skip(2)
    add(name, cursor.text(atMost: length))
  }

  private mutating func readMeta(_ reader: BoxReader) throws(MovieError) {
    var start = reader
    // In ISO files `meta` has a version and flags, in QuickTime it does not.
    guard start.remaining >= 8 else { return }
    var probe = start
    try probe.skip(4)
    if try probe.fourCC() != "hdlr" { try start.skip(4) }
    let boxes = try start.boxes()
    var keys: [String] = []
    for box in boxes where box.type == "keys" {
      var cursor = start.reader(box)
      try cursor.skip(4)
      let count = min(try cursor.count(entrySize: 8), MovieLimits.maximumTags)
      for _ in 0..<count {
        guard let key = try cursor.nextBox() else { break }
        keys.append(start.reader(key).text(atMost: MovieLimits.maximumTagBytes))
      }
    }
    for box in boxes where box.type == "ilst" {
      let list = start.reader(box)
      for item in try list.boxes() {
        let position = Int(item.type.value)
        let isKey = position >= 1 && position <= keys.count
        let name = isKey ? keys[position - 1] : item.type.description
        let inner = list.reader(item)
        for data in try inner.boxes() where data.type == "data" {
          try readValue(inner.reader(data), name: name)
        }
      }
    }
  }

  private mutating func readValue(_ reader: BoxReader, name: String) throws(MovieError) {
    var cursor = reader
    let type = try cursor.u32()
    try cursor.skip(4)
    switch (type, cursor.remaining) {
    case (1, _): add(name, cursor.text(atMost: MovieLimits.maximumTagBytes))
    case (21, 1), (65, 1): add(name, String(Int8(bitPattern: try cursor.u8())))
    case (21, 2), (66, 2): add(name, String(Int16(bitPattern: try cursor.u16())))
    case (21, 4), (67, 4): add(name, String(Int32(bitPattern: try cursor.u32())))
    case (21, 8), (74, 8): add(name, String(Int64(bitPattern: try cursor.u64())))
    case (22, 1), (75, 1): add(name, String(try cursor.u8()))
    case (22, 2), (76, 2): add(name, String(try cursor.u16()))
    case (22, 4), (77, 4): add(name, String(try cursor.u32()))
    case (22, 8), (78, 8): add(name, String(try cursor.u64()))
    case (23, 4): add(name, String(Float(bitPattern: try cursor.u32())))
    case (24, 8): add(name, String(Double(bitPattern: try cursor.u64())))
    default: break
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    // If there are several languages or copies, players show the first.
    if tags[name] == nil, tags.count < MovieLimits.maximumTags { tags[name] = value }
  }
}

extension BoxReader {
  /// Skips a zero-terminated text in UTF-8, or in UTF-16 with a byte order mark.
  fileprivate mutating func skipText() throws(MovieError) {
    let isWide = remaining >= 2 && bytes[position] == 0xfe && bytes[position + 1] == 0xff
    if isWide {
      while try u16() != 0 {}
    } else {
      while try u8() != 0 {}
    }
  }

  /// Returns the rest as UTF-8; invalid bytes become U+FFFD.
  fileprivate func text(atMost count: Int) -> String {
    String(decoding: bytes[position..<(position + max(0, min(count, remaining)))], as: UTF8.self)
  }
}

/// User data whose value libavformat reads and rewrites.
let knownUserData: Set<FourCC> = [
  "meta", "name", "cprt", "loci", "titl", "auth", "gnre", "albm", "yrrc", "free", "skip", "chpl",
  "©ART", "©PRD", "©aut", "©alb", "©chp", "©cmt", "©com", "©cpy", "©day", "©des", "©dir",
  "©dis", "©ed1", "©enc", "©fmt", "©gen", "©grp", "©hst", "©inf", "©key", "©lyr", "©mak", "©mal",
  "©mod", "©nam", "©ope", "©prd", "©prf", "©req", "©src", "©st3", "©swf", "©swr", "©too", "©trk",
  "©url", "©wrn", "©wrt", "©xyz",
]
