// SPDX-License-Identifier: Apache-2.0
import Storage

/// Reads a rewritten movie back and compares it with what was meant to be in it.
struct RewriteVerification {
  let movie: EditableMovie
  let isMediaMoved: Bool
  let cancellation: Cancellation

  /// Reports on a file that passes.
  ///
  /// - Throws: `verificationFailed` naming the first stream and fact that differ.
  func report(
    on path: String, sources: MediaFiles, _ work: MovieWork
  ) throws(MovieError) -> MovieReport {
    let output = try openMovie(path)
    let layout = try RemuxVerification.layout(of: output, cancellation)
    let result = try EditableMovie(output, layout: layout)
    guard result.tracks.count == movie.tracks.count, layout.container == .quickTime else {
      throw .verificationFailed("it has \(result.tracks.count) of \(movie.tracks.count) tracks")
    }
    let whole = FileDigestTask(path, cancellation)
    defer { whole.wait() }
    let written = MediaFiles(source: output)
    var streams: [MovieStream] = []
    for (place, track) in movie.tracks.enumerated() {
      let found = result.tracks[place]
      try require(found.samples.isSame(as: track.samples), track, "has samples at other times")
      try require(found.edits == track.edits, track, "has another edit list")
      let packets = try written.digest(
        of: found.samples.chunks, sameAs: track.samples.chunks, in: sources, work)
      try require(packets != nil, track, "has other bytes in its samples")
      var stream = layout.streams[place]
      stream.index = track.index
      stream.digest = packets
      streams.append(stream)
    }
    let digest = try whole.result()
    try work.advance(by: layout.size)
    return MovieReport(
      method: isMediaMoved ? .rewritten : .retagged, bytes: layout.size, digest: digest,
      streams: streams, losses: movie.losses, kept: movie.kept)
  }

  private func require(
    _ isSame: Bool, _ track: EditableTrack, _ what: String
  ) throws(MovieError) {
    guard isSame else { throw .verificationFailed("\(track.label) \(what)") }
  }
}
