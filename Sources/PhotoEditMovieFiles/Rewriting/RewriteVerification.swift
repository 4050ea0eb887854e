// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Reads a rewritten movie back and compares it with the intended content.
struct RewriteVerification {
  let movie: EditableMovie
  let assembly: MovieAssembly
  let cancellation: Cancellation

  /// Verifies a file and returns its report.
  ///
  /// - Throws: `verificationFailed` naming the first stream and property that differ.
  func report(
    on path: String, _ digests: StreamDigests
  ) throws(MovieError) -> MovieReport {
    let output = try openMovie(path)
    let layout = try RemuxVerification.layout(of: output, cancellation)
    let result = try EditableMovie(output, layout: layout)
    guard result.tracks.count == movie.tracks.count, layout.container == movie.container,
      !layout.isFragmented
    else {
      throw .verificationFailed(
        "the written movie has \(result.tracks.count) of \(movie.tracks.count) tracks")
    }
    for (index, track) in movie.tracks.enumerated() {
      let found = result.tracks[index]
      try require(found.samples.isSame(as: track.samples), track, "has different sample times")
      try require(found.edits == track.edits, track, "has a different edit list")
      let chunks = found.samples.chunks.map { $0.offset..<($0.offset + $0.size) }
      try require(chunks == assembly.chunks[index], track, "has different sample offsets")
    }
    // The offsets are as intended, so only the bytes there can differ.
    let computed = try digests.result()
    let streams = zip(layout.streams, movie.tracks).enumerated().map { index, pair in
      var stream = pair.0
      stream.index = pair.1.index
      stream.digest = computed.tracks.isEmpty ? nil : computed.tracks[index]
      return stream
    }
    return MovieReport(
      method: movie.changesMedia ? .rewritten : .retagged, engine: .boxes, bytes: layout.size,
      digest: computed.file,
      streams: streams, losses: movie.losses, kept: movie.kept)
  }

  private func require(
    _ isSame: Bool, _ track: EditableTrack, _ what: String
  ) throws(MovieError) {
    guard isSame else { throw .verificationFailed("\(track.label) \(what)") }
  }
}
