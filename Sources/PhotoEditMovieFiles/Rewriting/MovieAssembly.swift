// SPDX-License-Identifier: Apache-2.0

/// The layout of the new file.
struct MovieAssembly {
  private(set) var ranges: [MediaRange] = []
  /// Size of the new file in bytes.
  private(set) var size = 0
  /// For each track, the ranges of its chunks in the new file, in order.
  private(set) var chunks: [[Range<Int>]] = []

  /// Arranges a movie: its media stays where it is unless it changes.
  init(_ movie: EditableMovie, _ source: OpenedMovie) throws(MovieError) {
    guard !movie.changesMedia, let layout = source.layout else {
      try self.init(media: movie)
      return
    }
    try self.init(header: movie, layout: layout)
  }

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
    add(0..<old.lowerBound)
    add(bytes)
    add(old.upperBound..<layout.size)
    chunks = Self.chunks(of: movie, at: offsets)
  }

  private static func chunks(of movie: EditableMovie, at offsets: [[Int]]) -> [[Range<Int>]] {
    zip(movie.tracks, offsets).map { track, offsets in
      zip(track.samples.chunks, offsets).map { $1..<($1 + $0.size) }
    }
  }

  /// Places the header first, followed by the samples of all tracks in the order of the source.
  init(media movie: EditableMovie) throws(MovieError) {
    let order = Self.order(of: movie)
    let mediaSize = order.reduce(0) { $0 + movie.tracks[$1.track].samples.chunks[$1.chunk].size }
    let media = Self.mediaHeader(mediaSize)
    let brand = Self.brand(movie)
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
        add(chunk.offset..<(chunk.offset + chunk.size))
      }
    }
    for range in movie.otherBoxes { add(range) }
  }

  private static func order(of movie: EditableMovie) -> [(track: Int, chunk: Int)] {
    let order = movie.tracks.enumerated().flatMap { index, track in
      track.samples.chunks.enumerated().map { (offset: $1.offset, track: index, chunk: $0) }
    }
    return order.sorted { ($0.offset, $0.track, $0.chunk) < ($1.offset, $1.track, $1.chunk) }
      .map { ($0.track, $0.chunk) }
  }

  /// Returns the first box of a file.
  static func brand(_ movie: EditableMovie) -> [UInt8] {
    let brand: FourCC = movie.container == .quickTime ? "qt  " : "isom"
    var bytes: [UInt8] = []
    bytes.append(u32: 20)
    bytes.append(u32: FourCC("ftyp").value)
    bytes.append(u32: brand.value)
    bytes.append(u32: 0)
    bytes.append(u32: brand.value)
    return bytes
  }

  static func mediaHeader(_ size: Int) -> [UInt8] {
    let type = FourCC("mdat").value.bigEndianBytes
    if let small = UInt32(exactly: size + 8) { return small.bigEndianBytes + type }
    return UInt32(1).bigEndianBytes + type + UInt64(size + 16).bigEndianBytes
  }

  /// The size of the longest header of media.
  static let mediaHeaderSpace = 16

  private mutating func add(_ bytes: [UInt8]) {
    ranges.append(MediaRange(origin: .bytes(bytes), offset: 0, size: bytes.count, target: size))
    size += bytes.count
  }

  private mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, case .source = last.origin,
      last.offset + last.size == range.lowerBound
    {
      ranges[ranges.count - 1].size += range.count
    } else {
      ranges.append(
        MediaRange(origin: .source, offset: range.lowerBound, size: range.count, target: size))
    }
    size += range.count
  }
}
