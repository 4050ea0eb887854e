// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Writes new frames to their place in the movie as they are encoded, between the samples of the
/// other tracks.
///
/// The header comes first, so that players can begin before they have the rest. Its size depends on
/// the frames, so space is reserved for it, and what it leaves is a free box; a header that does not
/// fit is written at the end.
final class InsertedFrames: FrameRecipient {
  /// The number of bytes of a chunk of frames that is written at once.
  private static let mostBytes = 1 << 20

  private let source: OpenedMovie
  private var movie: EditableMovie
  private let format: EncodedVideoFormat
  private let description: BoxTree
  private let cancellation: Cancellation
  private let output: OpenFile
  private var isFinished = false

  private let order: MediaOrder
  private var nextOther = 0
  /// Memory for copying.
  private let memory: UnsafeMutableRawBufferPointer

  // MARK: The frames

  private let video: Int
  private var samples = TrackSamples()
  private var sizes: [UInt32] = []
  private var syncs: [Int] = []
  private var presentations: [Int64] = []
  /// The frames that are not written yet, and their number.
  private var chunk: (bytes: [UInt8], count: Int) = ([], 0)

  // MARK: The file

  /// The offset after the space for the headers.
  private let mediaStart: Int
  private var end: Int
  /// For each track, the ranges of its chunks in the file, in order, and their digest.
  private var chunks: [[Range<Int>]]
  private var digests: [RunningDigest]

  /// Creates the file.
  ///
  /// - Parameter space: The number of bytes to reserve for the header; nil for an estimate.
  init(
    _ source: OpenedMovie, _ movie: EditableMovie, replacing video: Int, at staged: String,
    _ format: EncodedVideoFormat, _ cancellation: Cancellation, space: Int? = nil
  ) throws(MovieError) {
    self.source = source
    self.movie = movie
    self.format = format
    self.cancellation = cancellation
    description = try format.sampleDescription()
    self.video = video
    order = MediaOrder(of: movie, replacing: video)
    let reserved =
      if let space { space } else {
        try movie.headerSize(order, replacing: video, format, description)
      }
    mediaStart = MovieAssembly.brand(movie).count + reserved + MovieAssembly.mediaHeaderSpace
    end = mediaStart
    chunks = movie.tracks.map { _ in [] }
    digests = movie.tracks.map { _ in RunningDigest() }
    output = try translating(MovieError.file, OpenFile(creating: staged))
    memory = .allocate(byteCount: StreamDigests.mostBytes, alignment: 4096)
  }

  deinit {
    memory.deallocate()
    if !isFinished { unlink(output.path) }
  }

  func write(_ packet: VideoPacket) throws(MovieError) {
    let frame = presentations.count
    guard frame < order.frames.count else { throw otherCount(frame + 1) }
    while order.isDue(nextOther, before: frame) { try copyOther() }
    let before = chunk.bytes.count
    if format.hasStartCodes {
      chunk.bytes.append(lengthPrefixing: UnsafeRawBufferPointer(packet.bytes))
    } else {
      chunk.bytes.append(contentsOf: packet.bytes)
    }
    chunk.count += 1
    sizes.append(UInt32(clamping: chunk.bytes.count - before))
    if packet.isKey { syncs.append(frame) }
    presentations.append(packet.presentation)
    if chunk.bytes.count >= Self.mostBytes { try writeChunk() }
  }

  private func writeChunk() throws(MovieError) {
    guard chunk.count > 0 else { return }
    let start = end
    try append(chunk.bytes, of: video)
    samples.chunks.append(
      MediaChunk(offset: start, count: chunk.count, size: end - start, description: 1))
    chunks[video].append(start..<end)
    chunk.bytes.removeAll(keepingCapacity: true)
    chunk.count = 0
  }

  private func copyOther() throws(MovieError) {
    try writeChunk()
    let (_, track, index) = order.others[nextOther]
    nextOther += 1
    let chunk = movie.tracks[track].samples.chunks[index]
    chunks[track].append(end..<(end + chunk.size))
    try copy(
      MediaRange(origin: chunk.origin, offset: chunk.offset, size: chunk.size, target: end),
      of: track)
  }

  private func copy(_ range: MediaRange, of track: Int? = nil) throws(MovieError) {
    for start in stride(from: 0, to: range.size, by: memory.count) {
      try cancellation.check()
      let part = start..<min(range.size, start + memory.count)
      let bytes = try source.read(part, of: range, into: memory)
      try append(UnsafeRawBufferPointer(rebasing: bytes[..<part.count]), of: track)
    }
  }

  private func append(_ bytes: [UInt8], of track: Int? = nil) throws(MovieError) {
    try bytes.withUnsafeBufferPointer { bytes throws(MovieError) in
      try append(UnsafeRawBufferPointer(bytes), of: track)
    }
  }

  private func append(_ bytes: UnsafeRawBufferPointer, of track: Int?) throws(MovieError) {
    try translating(MovieError.file, output.write(bytes, at: end))
    output.beginWriteback(from: end, byteCount: bytes.count)
    if let track { digests[track].update(bytes) }
    end += bytes.count
  }

  func finish() throws(MovieError) -> MovieReport {
    while nextOther < order.others.count { try copyOther() }
    try writeChunk()
    guard presentations.count == order.frames.count else { throw otherCount(presentations.count) }
    samples.count = presentations.count
    samples.sizes = .list(sizes)
    samples.syncs = syncs.count == samples.count ? nil : syncs
    try movie.replaceFrames(
      ofTrack: video, with: samples, presentations: presentations, format, description)
    try writeHeader()
    try translating(MovieError.file, output.sync())
    let found = try StreamDigests.read(output.path, chunks: chunks, cancellation)
    for (index, digest) in digests.enumerated() where digest.finish() != found.tracks[index] {
      throw .verificationFailed("\(movie.tracks[index].label) has different bytes")
    }
    let report = try RewriteVerification(movie: movie, chunks: chunks, cancellation: cancellation)
      .report(on: output.path, found)
    isFinished = true
    return report
  }

  /// Writes everything but the media: its own header, the movie's, and other boxes.
  private func writeHeader() throws(MovieError) {
    let media = MovieAssembly.mediaHeader(end - mediaStart)
    for range in movie.otherBoxes {
      try copy(
        MediaRange(origin: .source, offset: range.lowerBound, size: range.count, target: end))
    }
    var front = MovieAssembly.brand(movie)
    let header = try movie.written(offsets: chunks.map { $0.map(\.lowerBound) })
    let space = mediaStart - front.count - media.count
    let fits = header.count == space || header.count + 8 <= space
    if fits {
      front += header
    } else {
      try append(header)
    }
    let left = mediaStart - front.count - media.count
    if left > 0 {
      try BoxTree("free", [UInt8](repeating: 0, count: left - 8)).write(to: &front)
    }
    try (front + media).withUnsafeBufferPointer { bytes throws(MovieError) in
      try translating(
        MovieError.file, output.write(UnsafeRawBufferPointer(bytes), at: 0))
    }
  }

  private func otherCount(_ count: Int) -> MovieError {
    .verificationFailed("the source has \(order.frames.count) frames, but \(count) were encoded")
  }
}

/// The order of new frames and of the chunks of the other tracks: by time, as files of different
/// origin have no other order in common.
private struct MediaOrder {
  /// The decoding time of each frame, in seconds.
  let frames: [Double]
  /// The chunks of the other tracks, with their times in seconds.
  let others: [(time: Double, track: Int, chunk: Int)]

  init(of movie: EditableMovie, replacing video: Int) {
    let tracks = movie.tracks
    let scale = Double(max(1, tracks[video].timescale))
    frames = tracks[video].samples.compositionTimes.map { Double($0) / scale }
    others = tracks.indices.filter { $0 != video }.flatMap { track in
      tracks[track].chunkTimes.enumerated().map { ($1, track, $0) }
    }.sorted { ($0.time, $0.track, $0.chunk) < ($1.time, $1.track, $1.chunk) }
  }

  func isDue(_ other: Int, before frame: Int) -> Bool {
    other < others.count && others[other].time <= frames[frame]
  }

  /// The numbers of frames between which there are other chunks.
  var groups: [Int] {
    var groups = [0]
    var next = 0
    for frame in frames.indices {
      let before = next
      while isDue(next, before: frame) { next += 1 }
      if next > before, groups[groups.count - 1] > 0 { groups.append(0) }
      groups[groups.count - 1] += 1
    }
    return groups
  }
}

extension EditableTrack {
  /// The decoding time of each chunk, in seconds.
  fileprivate var chunkTimes: [Double] {
    let index = RunIndex(samples.durations)
    var sample = 0
    return samples.chunks.map { chunk in
      defer { sample += chunk.count }
      return Double(index.sum(before: sample)) / Double(max(1, timescale))
    }
  }
}

extension EditableMovie {
  /// Returns an estimate of the size of the header with new frames, which is seldom too small.
  fileprivate func headerSize(
    _ order: MediaOrder, replacing video: Int, _ format: EncodedVideoFormat, _ description: BoxTree
  ) throws(MovieError) -> Int {
    var movie = self
    var samples = TrackSamples()
    samples.count = order.frames.count
    samples.sizes = .list([UInt32](repeating: 0, count: samples.count))
    samples.syncs = []
    samples.chunks = order.groups.map {
      MediaChunk(offset: 0, count: $0, size: 0, description: 1)
    }
    try movie.replaceFrames(
      ofTrack: video, with: samples, presentations: order.frames.indices.map { Int64($0) }, format,
      description)
    let media = tracks.reduce(0) { $1.samples.chunks.reduce($0) { $0 + $1.size } }
    // Offsets in a file that may exceed 4 GiB have 64 bits.
    let offset = media > 1 << 30 ? Int(UInt32.max) + 1 : 0
    let size = try movie.written(
      offsets: movie.tracks.map { [Int](repeating: offset, count: $0.samples.chunks.count) }
    ).count
    // Unknown are the reordering, the key frames, the chunks that end for their size, and whether
    // there will be an edit list.
    return size + 8 * samples.count + samples.count / 4 + 24 * (8 + media >> 20) + 128
  }
}

extension [UInt8] {
  /// Appends NAL units with their lengths in place of start codes.
  ///
  /// Sources: ITU-T H.264, annex B; ISO/IEC 14496-15, 5.3.4.
  mutating func append(lengthPrefixing bytes: UnsafeRawBufferPointer) {
    var next = bytes.startCodeEnd(after: 0)
    while let start = next {
      next = bytes.startCodeEnd(after: start)
      var end = next.map { $0 - 3 } ?? bytes.count
      // Zeros after a unit belong to the next start code.
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      append(u32: UInt32(clamping: end - start))
      append(contentsOf: bytes[start..<end])
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset after the next start code; nil if absent.
  fileprivate func startCodeEnd(after offset: Int) -> Int? {
    guard let base = baseAddress else { return nil }
    var next = offset + 2
    while next < count, let found = memchr(base + next, 1, count - next) {
      let one = UnsafeRawPointer(found) - base
      if self[one - 1] == 0, self[one - 2] == 0 { return one + 1 }
      next = one + 1
    }
    return nil
  }
}
