// SPDX-License-Identifier: Apache-2.0

/// The layout of the new file.
struct MovieAssembly {
  private(set) var ranges: [MediaRange] = []
  /// Size of the new file in bytes.
  private(set) var size = 0
  /// For each track, the ranges of its chunks in the new file, in order.
  private(set) var chunks: [[Range<Int>]] = []

  /// Keeps the layout of the file and inserts a new header.
  init(header movie: EditableMovie, layout: MovieLayout) throws(MovieError) {
    let old = layout.headerBounds
    var shift = 0
    var bytes: [UInt8] = []
    var offsets: [[Int]] = []
    // The offset table grows if offsets exceed 32 bits, which moves them again.
    for _ in 0..<4 {
      offsets = movie.tracks.map { track in
        track.samples.chunks.map { $0.offset >= old.upperBound ? $0.offset + shift : $0.offset }
      }
      bytes = try movie.written(offsets: offsets)
      if bytes.count - old.count == shift { break }
      shift = bytes.count - old.count
    }
    add(.source, 0..<old.lowerBound)
    add(bytes)
    add(.source, old.upperBound..<layout.size)
    chunks = Self.chunks(of: movie, at: offsets)
  }

  private static func chunks(of movie: EditableMovie, at offsets: [[Int]]) -> [[Range<Int>]] {
    zip(movie.tracks, offsets).map { track, offsets in
      zip(track.samples.chunks, offsets).map { $1..<($1 + $0.size) }
    }
  }

  /// Places the header first, followed by the samples of all tracks in the order of the source.
  init(media movie: EditableMovie, layout: MovieLayout) throws(MovieError) {
    let order = Self.order(of: movie)
    let mediaSize = order.reduce(0) { $0 + movie.tracks[$1.track].samples.chunks[$1.chunk].size }
    let media = Self.mediaHeader(mediaSize)
    let brand = Self.brand(movie.container == .quickTime ? "qt  " : "isom")
    var header: [UInt8] = []
    var offsets: [[Int]] = []
    for _ in 0..<4 {
      var position = brand.count + header.count + media.count
      offsets = movie.tracks.map { [Int](repeating: 0, count: $0.samples.chunks.count) }
      for item in order {
        offsets[item.track][item.chunk] = position
        position += movie.tracks[item.track].samples.chunks[item.chunk].size
      }
      let bytes = try movie.written(offsets: offsets)
      let isStable = bytes.count == header.count
      header = bytes
      if isStable { break }
    }
    chunks = Self.chunks(of: movie, at: offsets)
    add(brand)
    add(header)
    add(media)
    for item in order {
      let chunk = movie.tracks[item.track].samples.chunks[item.chunk]
      if case .bytes(let bytes) = chunk.origin {
        add(bytes)
      } else {
        add(chunk.origin, chunk.offset..<(chunk.offset + chunk.size))
      }
    }
    for range in movie.otherBoxes { add(.source, range) }
  }

  private static func order(of movie: EditableMovie) -> [(track: Int, chunk: Int)] {
    var order: [(track: Int, chunk: Int, key: Double)] = []
    let isMixed = movie.tracks.contains { track in
      track.samples.chunks.contains { if case .replacement = $0.origin { true } else { false } }
    }
    for (position, track) in movie.tracks.enumerated() {
      let index = RunIndex(track.samples.durations)
      var sample = 0
      for (number, chunk) in track.samples.chunks.enumerated() {
        // Offsets in two files cannot be compared; times can.
        let key =
          isMixed
          ? Double(index.sum(before: sample)) / Double(max(1, track.timescale))
          : Double(chunk.offset)
        order.append((position, number, key))
        sample += chunk.count
      }
    }
    order.sort { ($0.key, $0.track, $0.chunk) < ($1.key, $1.track, $1.chunk) }
    return order.map { ($0.track, $0.chunk) }
  }

  private static func brand(_ brand: FourCC) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u32: 20)
    bytes.append(u32: FourCC("ftyp").value)
    bytes.append(u32: brand.value)
    bytes.append(u32: 0)
    bytes.append(u32: brand.value)
    return bytes
  }

  private static func mediaHeader(_ size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if let small = UInt32(exactly: size + 8) {
      bytes.append(u32: small)
      bytes.append(u32: FourCC("mdat").value)
    } else {
      bytes.append(u32: 1)
      bytes.append(u32: FourCC("mdat").value)
      bytes.append(u64: UInt64(size + 16))
    }
    return bytes
  }

  private mutating func add(_ bytes: [UInt8]) {
    ranges.append(MediaRange(origin: .bytes(bytes), offset: 0, size: bytes.count, target: size))
    size += bytes.count
  }

  private mutating func add(_ origin: MediaChunk.Origin, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.continues(origin, at: range.lowerBound) {
      ranges[ranges.count - 1].size += range.count
    } else {
      ranges.append(
        MediaRange(origin: origin, offset: range.lowerBound, size: range.count, target: size))
    }
    size += range.count
  }
}

extension MediaRange {
  fileprivate func continues(_ other: MediaChunk.Origin, at position: Int) -> Bool {
    guard offset + size == position else { return false }
    switch (origin, other) {
    case (.source, .source), (.replacement, .replacement): return true
    default: return false
    }
  }
}
